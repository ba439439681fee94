/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a buffer with what it holds before a run. */
#define _GNU_SOURCE /* qsort_r() */
#include "content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/random.h>

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

/* Where value number `index` of the elements is, for scalars. */
static unsigned char *value_at(const struct fill *fill, size_t stride, size_t length, size_t index,
                               unsigned char *data)
{
    return data + index / length * stride + index % length * fill->type->scalar_bytes;
}

/* Fills with 0 to count - 1 in random order: the inside-out algorithm of Fisher and Yates. */
static enum clopt_status fill_permutation(struct fill *fill, size_t count, size_t stride,
                                          size_t length, unsigned char *data,
                                          struct clopt_error *error)
{
    enum clopt_status status =
        store_number(fill, clopt_number_integer((int64_t)(count - 1)), data, error);
    for (size_t i = 0; i < count && !status; i++) {
        unsigned char *other =
            value_at(fill, stride, length, clopt_random_below(&fill->random, i + 1), data);
        memcpy(value_at(fill, stride, length, i, data), other, fill->type->scalar_bytes);
        kernel_store_integer(fill->type, (int64_t)i, other);
    }
    return status;
}

/* Fills with 0 to TOTAL in ascending order. The distances are those of points that are evenly
 * distributed, which are distributed exponentially. */
static enum clopt_status fill_offsets(struct fill *fill, size_t count, size_t stride, size_t length,
                                      unsigned char *data, struct clopt_error *error)
{
    double total = fill->numbers[0].real;
    double sum = 0;
    if (total < 0 || count < 2)
        return kernel_fail(
            &fill->content->numbers.place, error,
            "%s: offsets needs a total that is not negative, and at least two elements",
            fill->content->numbers.place.value);
    struct clopt_random random = fill->random;
    for (size_t i = 1; i < count; i++)
        sum -= log(1 - clopt_random_real(&random));
    double part = 0;
    for (size_t i = 1; i < count; i++) {
        part -= log(1 - clopt_random_real(&fill->random));
        int64_t offset = i + 1 == count ? fill->numbers[0].integer : (int64_t)(part / sum * total);
        kernel_store_integer(fill->type, offset, value_at(fill, stride, length, i, data));
    }
    return CLOPT_OK;
}

/* Fills elements of a type, or one member of theirs. */
static enum clopt_status fill_values(struct fill *fill, struct kernel_scope *scope, size_t count,
                                     size_t stride, size_t length, unsigned char *data,
                                     struct clopt_error *error)
{
    enum clopt_status status = evaluate_numbers(fill, scope, error);
    if (status || fill->content->filling == KERNEL_ZERO)
        return status;
    if (fill->content->filling == KERNEL_PERMUTATION)
        return fill_permutation(fill, count * length, stride, length, data, error);
    if (fill->content->filling == KERNEL_OFFSETS)
        return fill_offsets(fill, count * length, stride, length, data, error);
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

/* Fills the elements of one region. */
static enum clopt_status fill_region(struct fill *fill, const struct kernel_content *content,
                                     const struct kernel_type *type, struct kernel_scope *scope,
                                     size_t count, size_t columns, unsigned char *data,
                                     struct clopt_error *error)
{
    size_t stride = kernel_type_bytes(type);
    enum clopt_status status = CLOPT_OK;
    for (size_t m = 0; m < content->member_count && !status; m++) {
        const struct kernel_member *member = &type->members[m];
        fill->content = &content->members[m];
        fill->type = &member->type;
        status =
            fill_values(fill, scope, count, stride, member->count, data + member->offset, error);
    }
    if (content->members)
        return status;
    fill->content = content;
    fill->type = type;
    status = fill_values(fill, scope, count, stride, 1, data, error);
    if (!status && content->is_sorted)
        qsort_r(data, count, stride, kernel_type_compare, (void *)type);
    return status ? status : add_diagonal(fill, scope, count, columns, data, error);
}

/* Evaluates how many elements a region has, of those that are left. */
static enum clopt_status count_region(const struct kernel_content *content,
                                      struct kernel_scope *scope, size_t left, size_t *count,
                                      struct clopt_error *error)
{
    int64_t wanted;
    *count = left;
    if (!content->next)
        return CLOPT_OK;
    enum clopt_status status =
        kernel_evaluate_integer(scope, &content->count, 0, 0, &wanted, error);
    if (!status && (uint64_t)wanted > left)
        status = kernel_fail(&content->count.place, error,
                             "a region has %lld elements, and only %zu are left", (long long)wanted,
                             left);
    *count = (size_t)wanted;
    return status;
}

enum clopt_status kernel_content_fill(const struct kernel_content *content,
                                      const struct kernel_type *type, const char *name,
                                      struct kernel_scope *scope, size_t count, size_t columns,
                                      void *data, struct clopt_error *error)
{
    struct fill fill = {.random = clopt_random_seed(scope->problem->seed, stream_of(name))};
    size_t stride = kernel_type_bytes(type);
    unsigned char *next = data;
    enum clopt_status status = CLOPT_OK;
    memset(data, 0, count * stride);
    for (; content && !status; content = content->next) {
        size_t elements = 0;
        status = count_region(content, scope, count, &elements, error);
        if (!status && elements)
            status = fill_region(&fill, content, type, scope, elements, columns, next, error);
        next += elements * stride;
        count -= elements;
    }
    return status;
}
