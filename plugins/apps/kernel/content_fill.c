/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a buffer with what it holds before a run. */
#include "content.h"

#include <math.h>

#include <clopt/random.h>

/* The stream of random numbers that belongs to a name (FNV-1a). */
static uint64_t stream_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

/* What is filled, by one scalar at a time: `count` elements that are `stride` bytes apart, each
 * with `length` values of a type. */
struct fill {
    const struct kernel_content *content;
    const struct kernel_type *type;
    size_t count;
    size_t stride;
    size_t length;
    unsigned char *data;
    struct clopt_number numbers[2];
    struct clopt_random random;
    struct clopt_error *error;
};

/* Where value number `index` is. */
static unsigned char *value_at(const struct fill *fill, size_t index)
{
    return fill->data + index / fill->length * fill->stride +
           index % fill->length * kernel_type_bytes(fill->type);
}

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
static void store_uniform(const struct fill *fill, struct clopt_random *random, void *to)
{
    double low = fill->numbers[0].real;
    double high = fill->numbers[1].real;
    do
        kernel_store_real(fill->type, low + (high - low) * clopt_random_real(random), to);
    while (!(kernel_load_real(fill->type, to) < high) && low < high);
}

static void refuse(const struct fill *fill, const char *reason)
{
    const struct kernel_position *position = &fill->content->numbers.position;
    kernel_fail(position, fill->error, "%s: %s", position->value, reason);
}

/* Stores a number of which it is not known whether it fits. */
static void store_number(const struct fill *fill, struct clopt_number number, void *to)
{
    char name[KERNEL_WORD];
    if (kernel_store_number(fill->type, number, to))
        return;
    kernel_type_name(fill->type, name);
    kernel_fail(&fill->content->numbers.position, fill->error, "%s cannot hold %.17g", name,
                number.real);
}

/* START + index * STEP, in integers where both are. */
static void store_ramp(const struct fill *fill, size_t index, void *to)
{
    struct clopt_number start = fill->numbers[0];
    struct clopt_number step = fill->numbers[1];
    int64_t product, sum = 0;
    bool is_real = start.is_real || step.is_real;
    if (!is_real &&
        (index > INT64_MAX || __builtin_mul_overflow((int64_t)index, step.integer, &product) ||
         __builtin_add_overflow(start.integer, product, &sum)))
        kernel_fail(&fill->content->numbers.position, fill->error, "the ramp overflows");
    store_number(fill,
                 is_real ? clopt_number_real(start.real + (double)index * step.real)
                         : clopt_number_integer(sum),
                 to);
}

/* A number that arithmetic has rules of its own for, or one from -1 to 1 besides such. */
static void store_special(const struct fill *fill, struct clopt_random *random, void *to)
{
    static const int least[] = {[2] = -14, [4] = -126, [8] = -1022}; /* exponents, by bytes */
    double value = 2 * clopt_random_real(random) - 1;
    bool special = clopt_random_below(random, 16) == 0;
    if (fill->content->filling == KERNEL_DENORMALS)
        value = ldexp(value, least[fill->type->scalar_bytes]);
    else if (special)
        value = fill->content->filling == KERNEL_NANS ? NAN : copysign(INFINITY, value);
    kernel_store_real(fill->type, value, to);
}

/* How many random numbers a value is made of; 0: it is not random. */
static unsigned draws_of(enum kernel_filling filling)
{
    switch (filling) {
    case KERNEL_UNIFORM:
    case KERNEL_INTEGERS:
        return 1;
    case KERNEL_NORMAL:
    case KERNEL_NANS:
    case KERNEL_INFINITIES:
    case KERNEL_DENORMALS:
        return 2;
    default:
        return 0;
    }
}

/* Stores a random value, which no number can fail for. */
static void store_random(const struct fill *fill, struct clopt_random random, void *to)
{
    const struct clopt_number *numbers = fill->numbers;
    int64_t low = numbers[0].integer;
    uint64_t range = (uint64_t)numbers[1].integer - (uint64_t)low;
    switch (fill->content->filling) {
    case KERNEL_UNIFORM:
        store_uniform(fill, &random, to);
        break;
    case KERNEL_NORMAL:
        kernel_store_real(fill->type, numbers[0].real + numbers[1].real * next_normal(&random), to);
        break;
    case KERNEL_INTEGERS:
        kernel_store_integer(fill->type,
                             (int64_t)((uint64_t)low + next_below_or_at(&random, range)), to);
        break;
    default:
        store_special(fill, &random, to);
        break;
    }
}

/* Evaluates the numbers in the brackets, and checks them. */
static void evaluate_numbers(struct fill *fill, struct kernel_scope *scope)
{
    const struct kernel_content *content = fill->content;
    struct clopt_number *numbers = fill->numbers;
    bool integers = content->filling == KERNEL_INTEGERS;
    unsigned char scalar[8];
    numbers[0] = clopt_number_integer(0);
    numbers[1] = clopt_number_integer(1);
    for (size_t i = 0; i < content->numbers.count; i++)
        numbers[i] = kernel_evaluate(scope, &content->numbers, i);
    if (integers && (numbers[0].is_real || numbers[1].is_real))
        refuse(fill, "integers needs integers");
    if (content->filling == KERNEL_NORMAL && numbers[1].real < 0)
        refuse(fill, "a deviation is not negative");
    if ((integers || content->filling == KERNEL_UNIFORM) && numbers[0].real > numbers[1].real)
        refuse(fill, "the lower bound is above the upper one");
    for (size_t i = 0; i < content->numbers.count && !fill->error->status; i++)
        store_number(fill, numbers[i], scalar);
}

static void fill_bytes(struct clopt_random *random, size_t bytes, unsigned char *data)
{
    for (size_t i = 0; i < bytes; i += 8) {
        *random = clopt_random_skip(*random, 1);
        uint64_t bits = clopt_random_mix(random->state);
        memcpy(data + i, &bits, bytes - i < 8 ? bytes - i : 8);
    }
}

/* ---- scalars that lie one after the other: loops that know their type ---- */

/* Fills values `from` to `end` of such, each from one random number. What a loop does not do, since
 * its number is refused, is left to store_random(). */
typedef void fill_scalars(const struct fill *fill, size_t from, size_t end);

#define FILL_UNIFORM(name, scalar)                                                                 \
    static void name(const struct fill *fill, size_t from, size_t end)                             \
    {                                                                                              \
        double low = fill->numbers[0].real, high = fill->numbers[1].real;                          \
        for (size_t i = from; i < end; i++) {                                                      \
            struct clopt_random random = clopt_random_skip(fill->random, i);                       \
            scalar value = (scalar)(low + (high - low) * clopt_random_real(&random));              \
            memcpy(fill->data + i * sizeof value, &value, sizeof value);                           \
            if (!((double)value < high))                                                           \
                store_random(fill, clopt_random_skip(fill->random, i),                             \
                             fill->data + i * sizeof value);                                       \
        }                                                                                          \
    }

FILL_UNIFORM(fill_floats, float)
FILL_UNIFORM(fill_doubles, double)

/* The same of clopt_random_below(), with a bound that does not change. */
#define FILL_INTEGERS(name, scalar)                                                                \
    static void name(const struct fill *fill, size_t from, size_t end)                             \
    {                                                                                              \
        uint64_t low = (uint64_t)fill->numbers[0].integer;                                         \
        uint64_t most = (uint64_t)fill->numbers[1].integer - low, bound = most + 1;                \
        uint64_t limit = bound ? UINT64_MAX - UINT64_MAX % bound : UINT64_MAX;                     \
        bool masks = (bound & most) == 0;                                                          \
        for (size_t i = from; i < end; i++) {                                                      \
            uint64_t bits = clopt_random_mix(clopt_random_skip(fill->random, i + 1).state);        \
            scalar value = (scalar)(low + (masks ? bits & most : bits % bound));                   \
            memcpy(fill->data + i * sizeof value, &value, sizeof value);                           \
            if (bits >= limit)                                                                     \
                store_random(fill, clopt_random_skip(fill->random, i),                             \
                             fill->data + i * sizeof value);                                       \
        }                                                                                          \
    }

FILL_INTEGERS(fill_bytes_of_1, uint8_t)
FILL_INTEGERS(fill_bytes_of_2, uint16_t)
FILL_INTEGERS(fill_bytes_of_4, uint32_t)
FILL_INTEGERS(fill_bytes_of_8, uint64_t)

/* Finds the loop for what is filled; NULL: there is none. */
static fill_scalars *find_loop(const struct fill *fill)
{
    static fill_scalars *const integers[] = {
        [1] = fill_bytes_of_1, [2] = fill_bytes_of_2, [4] = fill_bytes_of_4, [8] = fill_bytes_of_8};
    const struct kernel_type *type = fill->type;
    enum kernel_filling filling = fill->content->filling;
    if (fill->stride != fill->length * type->width * type->scalar_bytes)
        return NULL;
    if (filling == KERNEL_INTEGERS && type->kind != KERNEL_REAL)
        return integers[type->scalar_bytes];
    if (filling != KERNEL_UNIFORM)
        return NULL;
    return type->scalar == CLOPT_SCALAR_FLOAT    ? fill_floats
           : type->scalar == CLOPT_SCALAR_DOUBLE ? fill_doubles
                                                 : NULL;
}

/* Scalars that a thread fills at a time. */
#define BLOCK ((size_t)1 << 16)

static void fill_by_loop(const struct fill *fill, fill_scalars *loop)
{
    size_t count = fill->count * fill->length * fill->type->width;
#pragma omp parallel for
    for (size_t from = 0; from < count; from += BLOCK)
        loop(fill, from, count - from < BLOCK ? count : from + BLOCK);
}

/* Fills whatever it is, element by element. */
static void fill_by_element(const struct fill *fill, unsigned draws)
{
    const struct kernel_type *type = fill->type;
    size_t values = fill->length * type->width;
#pragma omp parallel for
    for (size_t i = 0; i < fill->count; i++) {
        struct clopt_random random = clopt_random_skip(fill->random, i * values * draws);
        unsigned char *to = fill->data + i * fill->stride;
        for (size_t k = 0; k < fill->length; k++, to += kernel_type_bytes(type))
            for (unsigned lane = 0; lane < type->width; lane++) {
                store_random(fill, random, to + lane * type->scalar_bytes);
                random = clopt_random_skip(random, draws);
            }
    }
}

/* Each value has its place in the sequence of random numbers, so that threads fill what one would.
 * A number that is refused is followed by the next, which its neighbour has, too. */
static void fill_randomly(struct fill *fill, unsigned draws)
{
    fill_scalars *loop = find_loop(fill);
    if (loop)
        fill_by_loop(fill, loop);
    else
        fill_by_element(fill, draws);
    fill->random =
        clopt_random_skip(fill->random, fill->count * fill->length * fill->type->width * draws);
}

static void fill_in_turn(struct fill *fill)
{
    const struct kernel_type *type = fill->type;
    bool ramp = fill->content->filling == KERNEL_RAMP;
    size_t next = 0;
    for (size_t i = 0; i < fill->count && !fill->error->status; i++) {
        unsigned char *to = fill->data + i * fill->stride;
        for (size_t k = 0; k < fill->length; k++, to += kernel_type_bytes(type))
            for (unsigned lane = 0; lane < type->width; lane++, next++)
                if (ramp)
                    store_ramp(fill, next, to + lane * type->scalar_bytes);
                else
                    store_number(fill, fill->numbers[0], to + lane * type->scalar_bytes);
    }
}

/* Fills with 0 to count - 1 in random order: the inside-out algorithm of Fisher and Yates. */
static void fill_permutation(struct fill *fill)
{
    size_t count = fill->count * fill->length;
    store_number(fill, clopt_number_integer((int64_t)(count - 1)), fill->data);
    for (size_t i = 0; i < count && !fill->error->status; i++) {
        unsigned char *other = value_at(fill, clopt_random_below(&fill->random, i + 1));
        memcpy(value_at(fill, i), other, fill->type->scalar_bytes);
        kernel_store_integer(fill->type, (int64_t)i, other);
    }
}

/* Fills with 0 to TOTAL in ascending order. The distances are those of points that are evenly
 * distributed, which are distributed exponentially. */
static void fill_offsets(struct fill *fill)
{
    size_t count = fill->count * fill->length;
    double total = fill->numbers[0].real;
    double sum = 0, part = 0;
    if (total < 0 || count < 2)
        refuse(fill, "offsets needs a total that is not negative, and at least two elements");
    struct clopt_random random = fill->random;
    for (size_t i = 1; i < count; i++)
        sum -= log(1 - clopt_random_real(&random));
    for (size_t i = 1; i < count && !fill->error->status; i++) {
        part -= log(1 - clopt_random_real(&fill->random));
        int64_t offset = i + 1 == count ? fill->numbers[0].integer : (int64_t)(part / sum * total);
        kernel_store_integer(fill->type, offset, value_at(fill, i));
    }
}

/* Fills elements of a type, or one member of theirs. */
static void fill_values(struct fill *fill, struct kernel_scope *scope)
{
    size_t bytes = fill->length * kernel_type_bytes(fill->type);
    evaluate_numbers(fill, scope);
    if (fill->error->status || fill->content->filling == KERNEL_ZERO)
        return;
    if (fill->content->filling == KERNEL_PERMUTATION)
        fill_permutation(fill);
    else if (fill->content->filling == KERNEL_OFFSETS)
        fill_offsets(fill);
    else if (fill->content->filling != KERNEL_BYTES) {
        enum kernel_filling filling = fill->content->filling;
        if (draws_of(filling))
            fill_randomly(fill, draws_of(filling));
        else if (filling == KERNEL_CONSTANT || filling == KERNEL_RAMP)
            fill_in_turn(fill);
    } else if (bytes == fill->stride)
        fill_bytes(&fill->random, fill->count * bytes, fill->data);
    else
        for (size_t i = 0; i < fill->count; i++)
            fill_bytes(&fill->random, bytes, fill->data + i * fill->stride);
}

/* Adds a number to the diagonal of a matrix. */
static void add_diagonal(const struct fill *fill, struct kernel_scope *scope, size_t columns)
{
    if (!fill->content->diagonal.count)
        return;
    double more = kernel_evaluate(scope, &fill->content->diagonal, 0).real;
    for (size_t i = 0; i < fill->count && !fill->error->status; i += columns + 1) {
        unsigned char *to = value_at(fill, i);
        double sum = kernel_load_real(fill->type, to) + more;
        store_number(fill, (struct clopt_number){.is_real = true, .real = sum}, to);
    }
}

/* Fills the elements of one region, structures member by member. */
static void fill_region(struct fill *fill, const struct kernel_content *content,
                        struct kernel_elements elements, struct kernel_scope *scope)
{
    const struct kernel_member whole = {.type = *elements.type, .count = 1};
    bool has_members = content->members != NULL;
    fill->count = elements.count;
    fill->stride = kernel_type_bytes(elements.type);
    for (size_t m = 0; m < (has_members ? content->member_count : 1); m++) {
        const struct kernel_member *member = has_members ? &elements.type->members[m] : &whole;
        fill->content = has_members ? &content->members[m] : content;
        fill->type = &member->type;
        fill->length = member->count;
        fill->data = elements.data + member->offset;
        fill_values(fill, scope);
    }
    if (content->is_sorted)
        kernel_type_sort(elements.type, elements.data, fill->count);
    add_diagonal(fill, scope, elements.columns);
}

/* Evaluates how many elements a region has, of those that are left. */
static size_t count_region(const struct kernel_content *content, struct kernel_scope *scope,
                           size_t left)
{
    if (!content->next)
        return left;
    size_t wanted = (size_t)kernel_evaluate_integer(scope, &content->count, 0, 0);
    if (wanted > left)
        kernel_fail(&content->count.position, scope->error,
                    "a region has %zu elements, and only %zu are left", wanted, left);
    return wanted > left ? left : wanted;
}

void kernel_content_fill(const struct kernel_content *content, const char *name,
                         struct kernel_elements elements, struct kernel_scope *scope)
{
    struct fill fill = {.random = clopt_random_seed(scope->problem->seed, stream_of(name)),
                        .error = scope->error};
    size_t stride = kernel_type_bytes(elements.type), left = elements.count;
    for (; content && !scope->error->status; content = content->next) {
        elements.count = count_region(content, scope, left);
        if (elements.count)
            fill_region(&fill, content, elements, scope);
        elements.data += elements.count * stride;
        left -= elements.count;
    }
}
