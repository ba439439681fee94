/* SPDX-License-Identifier: BSD-3-Clause */
/* What a buffer holds before a run. */
#include "content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/random.h>

/* ---- reading ---- */

static const struct {
    const char *name;
    enum kernel_filling filling;
    size_t least; /* numbers in its brackets */
    size_t most;
} fillings[] = {
    {"zero", KERNEL_ZERO, 0, 0},     {"constant", KERNEL_CONSTANT, 1, 1},
    {"ramp", KERNEL_RAMP, 0, 2},     {"uniform", KERNEL_UNIFORM, 2, 2},
    {"normal", KERNEL_NORMAL, 2, 2}, {"integers", KERNEL_INTEGERS, 2, 2},
    {"bytes", KERNEL_BYTES, 0, 0},   {"file", KERNEL_FILE, 0, 0},
};

/* Reads the numbers of a filling. */
static enum clopt_status read_numbers(struct kernel_scan *scan, size_t filling,
                                      struct kernel_content *content, struct clopt_error *error)
{
    char *inside;
    enum clopt_status status = kernel_scan_bracket(scan, '(', &inside, error);
    if (status)
        return status;
    content->numbers.place = *scan->place;
    if (inside && fillings[filling].most == 0)
        status =
            kernel_scan_fail(scan, error, "%s takes nothing in brackets", fillings[filling].name);
    else if (inside || fillings[filling].least)
        status = kernel_expressions_read(scan->place, inside ? inside : "", fillings[filling].least,
                                         fillings[filling].most, &content->numbers, error);
    free(inside);
    return status;
}

static enum clopt_status read_file(struct kernel_scan *scan, struct kernel_content *content,
                                   struct clopt_error *error)
{
    enum clopt_status status = kernel_scan_bracket(scan, '(', &content->file, error);
    if (!status && (!content->file || !*content->file))
        status = kernel_scan_fail(scan, error, "expected file(PATH)");
    return status;
}

/* Checks that elements of a type can hold what they are to be filled with. */
static enum clopt_status check_type(const struct kernel_scan *scan, const struct kernel_type *type,
                                    enum kernel_filling filling, struct clopt_error *error)
{
    if ((filling == KERNEL_UNIFORM || filling == KERNEL_NORMAL) && type->kind != KERNEL_REAL)
        return kernel_scan_fail(scan, error,
                                "uniform and normal are for real numbers; there is "
                                "integers(LOW, HIGH)");
    if (type->kind == KERNEL_STRUCT && filling != KERNEL_ZERO && filling != KERNEL_BYTES &&
        filling != KERNEL_FILE)
        return kernel_scan_fail(scan, error,
                                "structures without members can be zero, bytes or file(PATH)");
    return CLOPT_OK;
}

/* Reads "+ diagonal(X)". */
static enum clopt_status read_diagonal(struct kernel_scan *scan, const struct kernel_type *type,
                                       struct kernel_content *content, struct clopt_error *error)
{
    char word[KERNEL_WORD] = "";
    char *inside = NULL;
    enum clopt_status status = CLOPT_OK;
    scan->at++;
    kernel_scan_rest(scan);
    struct kernel_scan before = *scan;
    kernel_scan_word(scan, word);
    if (strcmp(word, "diagonal") == 0)
        status = kernel_scan_bracket(scan, '(', &inside, error);
    if (status)
        return status;
    if (!inside || type->kind != KERNEL_REAL || type->width != 1)
        status = kernel_scan_fail(&before, error,
                                  "expected diagonal(X), for elements that are real numbers");
    else
        status = kernel_expressions_read(scan->place, inside, 1, 1, &content->diagonal, error);
    free(inside);
    return status;
}

/* Reads one content; what follows it is left. */
static enum clopt_status read_one(struct kernel_scan *scan, const struct kernel_type *type,
                                  struct kernel_content *content, struct clopt_error *error)
{
    static const char expected[] = "expected zero, constant(X), ramp, uniform(LOW, HIGH), "
                                   "normal(MEAN, DEVIATION), integers(LOW, HIGH), bytes or "
                                   "file(PATH)";
    *content = (struct kernel_content){0};
    char word[KERNEL_WORD] = "";
    kernel_scan_rest(scan);
    struct kernel_scan before = *scan;
    kernel_scan_word(scan, word);
    size_t i = 0;
    while (i < sizeof fillings / sizeof *fillings && strcmp(fillings[i].name, word) != 0)
        i++;
    if (i == sizeof fillings / sizeof *fillings)
        return kernel_scan_fail(&before, error, "%s", expected);
    content->filling = fillings[i].filling;
    enum clopt_status status = check_type(&before, type, content->filling, error);
    if (status)
        return status;
    return content->filling == KERNEL_FILE ? read_file(scan, content, error)
                                           : read_numbers(scan, i, content, error);
}

/* Reads a content for each member of a structure, or one for all of them. */
static enum clopt_status read_members(struct kernel_scan *scan, const struct kernel_type *type,
                                      struct kernel_content *content, struct clopt_error *error)
{
    struct kernel_scan first = *scan;
    enum clopt_status status = CLOPT_OK;
    bool several = false;
    *content = (struct kernel_content){.filling = KERNEL_MEMBERS};
    content->members = calloc(type->member_count, sizeof *content->members);
    if (!content->members)
        return kernel_fail_memory(error);
    while (content->member_count < type->member_count && !status) {
        size_t m = content->member_count++;
        if (m == 1)
            several = *kernel_scan_rest(scan) == ',';
        if (several && *kernel_scan_rest(scan) != ',')
            return kernel_scan_fail(scan, error, "expected one content for all members, or %zu",
                                    type->member_count);
        if (several)
            scan->at++;
        else
            *scan = first;
        status = read_one(scan, &type->members[m].type, &content->members[m], error);
        if (!status && content->members[m].filling == KERNEL_FILE)
            status = kernel_scan_fail(scan, error, "a file holds whole structures");
    }
    return status;
}

/* Whether a structure has a content as a whole. */
static bool is_whole(const struct kernel_scan *scan)
{
    return strcmp(scan->at, "zero") == 0 || strcmp(scan->at, "bytes") == 0 ||
           strncmp(scan->at, "file", 4) == 0;
}

enum clopt_status kernel_content_read(struct kernel_scan *scan, const struct kernel_type *type,
                                      struct kernel_content *content, struct clopt_error *error)
{
    kernel_scan_rest(scan);
    enum clopt_status status = type->members && !is_whole(scan)
                                   ? read_members(scan, type, content, error)
                                   : read_one(scan, type, content, error);
    if (!status && *kernel_scan_rest(scan) == '+' && content->filling != KERNEL_FILE)
        status = read_diagonal(scan, type, content, error);
    if (!status && *kernel_scan_rest(scan))
        status = kernel_scan_fail(scan, error, "expected nothing more");
    if (status)
        kernel_content_fini(content);
    return status;
}

void kernel_content_fini(struct kernel_content *content)
{
    for (size_t m = 0; m < content->member_count; m++)
        kernel_content_fini(&content->members[m]);
    free(content->members);
    content->members = NULL;
    content->member_count = 0;
    kernel_expressions_fini(&content->numbers);
    kernel_expressions_fini(&content->diagonal);
    free(content->file);
    content->file = NULL;
}

/* ---- filling ---- */

/* The stream of random numbers that belongs to a name (FNV-1a). */
static uint64_t stream_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

/* What is filled, by one scalar at a time. */
struct fill {
    const struct kernel_content *content;
    const struct kernel_type *type;
    struct clopt_number numbers[2];
    struct clopt_random random;
};

/* A normally distributed number (Box and Muller, 1958). */
static double next_normal(struct clopt_random *random)
{
    double u = 1 - clopt_random_real(random); /* not 0 */
    double v = clopt_random_real(random);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static uint64_t next_below_or_at(struct clopt_random *random, uint64_t most)
{
    return most == UINT64_MAX ? clopt_random_next(random) : clopt_random_below(random, most + 1);
}

/* A real number below `high`, also after it has been rounded to the type. */
static void store_uniform(struct fill *fill, void *to)
{
    double low = fill->numbers[0].real;
    double high = fill->numbers[1].real;
    do
        kernel_store_real(fill->type, low + (high - low) * clopt_random_real(&fill->random), to);
    while (!(kernel_load_real(fill->type, to) < high) && low < high);
}

static enum clopt_status refuse_value(const struct fill *fill, double value,
                                      struct clopt_error *error)
{
    char name[KERNEL_WORD];
    kernel_type_name(fill->type, name);
    return kernel_fail(&fill->content->numbers.place, error, "%s cannot hold %.17g", name, value);
}

/* Stores a number of which it is not known whether it fits. */
static enum clopt_status store_number(const struct fill *fill, struct clopt_number number, void *to,
                                      struct clopt_error *error)
{
    int64_t least;
    int64_t most;
    if (fill->type->kind == KERNEL_REAL) {
        kernel_store_real(fill->type, number.real, to);
        return isfinite(kernel_load_real(fill->type, to)) ? CLOPT_OK
                                                          : refuse_value(fill, number.real, error);
    }
    kernel_type_range(fill->type, &least, &most);
    if (number.is_real || number.integer < least || number.integer > most)
        return refuse_value(fill, number.real, error);
    kernel_store_integer(fill->type, number.integer, to);
    return CLOPT_OK;
}

/* START + index * STEP, in integers where both are. */
static enum clopt_status store_ramp(const struct fill *fill, size_t index, void *to,
                                    struct clopt_error *error)
{
    struct clopt_number start = fill->numbers[0];
    struct clopt_number step = fill->numbers[1];
    int64_t product;
    int64_t sum;
    if (start.is_real || step.is_real)
        return store_number(fill, clopt_number_real(start.real + (double)index * step.real), to,
                            error);
    if (index > INT64_MAX || __builtin_mul_overflow((int64_t)index, step.integer, &product) ||
        __builtin_add_overflow(start.integer, product, &sum))
        return kernel_fail(&fill->content->numbers.place, error, "the ramp overflows");
    return store_number(fill, clopt_number_integer(sum), to, error);
}

static enum clopt_status store_next(struct fill *fill, size_t index, void *to,
                                    struct clopt_error *error)
{
    int64_t low = fill->numbers[0].integer;
    uint64_t range = (uint64_t)fill->numbers[1].integer - (uint64_t)low;
    switch (fill->content->filling) {
    case KERNEL_CONSTANT:
        return store_number(fill, fill->numbers[0], to, error);
    case KERNEL_RAMP:
        return store_ramp(fill, index, to, error);
    case KERNEL_UNIFORM:
        store_uniform(fill, to);
        return CLOPT_OK;
    case KERNEL_NORMAL:
        kernel_store_real(
            fill->type, fill->numbers[0].real + fill->numbers[1].real * next_normal(&fill->random),
            to);
        return CLOPT_OK;
    case KERNEL_INTEGERS:
        kernel_store_integer(fill->type,
                             (int64_t)((uint64_t)low + next_below_or_at(&fill->random, range)), to);
        return CLOPT_OK;
    default:
        return CLOPT_OK;
    }
}

/* Checks the bounds of random numbers. */
static enum clopt_status check_bounds(const struct fill *fill, struct clopt_error *error)
{
    const struct kernel_place *place = &fill->content->numbers.place;
    unsigned char scalar[8];
    enum clopt_status status = CLOPT_OK;
    if (fill->content->filling == KERNEL_INTEGERS &&
        (fill->numbers[0].is_real || fill->numbers[1].is_real))
        return kernel_fail(place, error, "%s: integers needs integers", place->value);
    if (fill->content->filling == KERNEL_NORMAL && fill->numbers[1].real < 0)
        return kernel_fail(place, error, "%s: a deviation is not negative", place->value);
    bool range =
        fill->content->filling == KERNEL_INTEGERS || fill->content->filling == KERNEL_UNIFORM;
    if (range && fill->numbers[0].real > fill->numbers[1].real)
        return kernel_fail(place, error, "%s: the lower bound is above the upper one",
                           place->value);
    for (size_t i = 0; i < fill->content->numbers.count && !status; i++)
        status = store_number(fill, fill->numbers[i], scalar, error);
    return status;
}

static enum clopt_status evaluate_numbers(struct fill *fill, struct kernel_scope *scope,
                                          struct clopt_error *error)
{
    fill->numbers[0] = clopt_number_integer(0);
    fill->numbers[1] = clopt_number_integer(1);
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < fill->content->numbers.count && !status; i++)
        status = kernel_evaluate(scope, &fill->content->numbers, i, &fill->numbers[i], error);
    return status ? status : check_bounds(fill, error);
}

static void fill_bytes(struct clopt_random *random, size_t bytes, unsigned char *data)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t bits = clopt_random_next(random);
        memcpy(data + i, &bits, bytes - i < 8 ? bytes - i : 8);
    }
}

/* Fills `count` elements that are `stride` bytes apart, each with `length` values of the type. */
static enum clopt_status fill_elements(struct fill *fill, size_t count, size_t stride,
                                       size_t length, unsigned char *data,
                                       struct clopt_error *error)
{
    const struct kernel_type *type = fill->type;
    size_t next = 0;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < count && !status; i++)
        for (size_t k = 0; k < length && !status; k++)
            for (unsigned lane = 0; lane < type->width && !status; lane++)
                status = store_next(fill, next++,
                                    data + i * stride + k * kernel_type_bytes(type) +
                                        lane * type->scalar_bytes,
                                    error);
    return status;
}

/* Fills elements of a type, or one member of theirs. */
static enum clopt_status fill_values(struct fill *fill, struct kernel_scope *scope, size_t count,
                                     size_t stride, size_t length, unsigned char *data,
                                     struct clopt_error *error)
{
    enum clopt_status status = evaluate_numbers(fill, scope, error);
    if (status || fill->content->filling == KERNEL_ZERO)
        return status;
    if (fill->content->filling != KERNEL_BYTES)
        return fill_elements(fill, count, stride, length, data, error);
    size_t bytes = length * kernel_type_bytes(fill->type);
    if (bytes == stride)
        fill_bytes(&fill->random, count * bytes, data);
    for (size_t i = 0; i < count && bytes != stride; i++)
        fill_bytes(&fill->random, bytes, data + i * stride);
    return CLOPT_OK;
}

/* Adds a number to the diagonal of a matrix. */
static enum clopt_status add_diagonal(const struct fill *fill, struct kernel_scope *scope,
                                      size_t count, size_t columns, unsigned char *data,
                                      struct clopt_error *error)
{
    struct clopt_number number;
    if (!fill->content->diagonal.count)
        return CLOPT_OK;
    enum clopt_status status = kernel_evaluate(scope, &fill->content->diagonal, 0, &number, error);
    for (size_t i = 0; i < count && !status; i += columns + 1) {
        unsigned char *to = data + i * fill->type->scalar_bytes;
        double sum = kernel_load_real(fill->type, to) + number.real;
        status = isfinite(sum) ? store_number(fill, clopt_number_real(sum), to, error)
                               : refuse_value(fill, sum, error);
    }
    return status;
}

enum clopt_status kernel_content_fill(const struct kernel_content *content,
                                      const struct kernel_type *type, const char *name,
                                      struct kernel_scope *scope, size_t count, size_t columns,
                                      void *data, struct clopt_error *error)
{
    struct fill fill = {.content = content,
                        .type = type,
                        .random = clopt_random_seed(scope->problem->seed, stream_of(name))};
    size_t stride = kernel_type_bytes(type);
    enum clopt_status status = CLOPT_OK;
    memset(data, 0, count * stride);
    for (size_t m = 0; m < content->member_count && !status; m++) {
        const struct kernel_member *member = &type->members[m];
        fill.content = &content->members[m];
        fill.type = &member->type;
        status = fill_values(&fill, scope, count, stride, member->count,
                             (unsigned char *)data + member->offset, error);
    }
    if (content->members)
        return status;
    status = fill_values(&fill, scope, count, stride, 1, data, error);
    return status ? status : add_diagonal(&fill, scope, count, columns, data, error);
}
