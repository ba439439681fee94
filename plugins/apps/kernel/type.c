/* SPDX-License-Identifier: BSD-3-Clause */
/* The types that elements of buffers and scalar arguments can have. */
#include "type.h"

#include <math.h>

#define MOST_STRUCT_BYTES 65536

bool kernel_type_named(const char *name, struct kernel_type *type)
{
    unsigned width;
    enum clopt_scalar scalar = clopt_scalar_named(name, strlen(name), &width);
    const struct clopt_scalar_type *number = clopt_scalar_type(scalar);
    if (clopt_scalar_is_number(scalar))
        *type = (struct kernel_type){
            (enum kernel_kind)number->kind, scalar, number->bytes, width, NULL, 0};
    return clopt_scalar_is_number(scalar);
}

/* Reads TYPE or TYPE[N], and lays it after the members before it. */
static bool read_member(const char *text, struct kernel_type *type, size_t *alignment)
{
    struct kernel_member *member = &type->members[type->member_count];
    char name[KERNEL_WORD], end = '\0';
    int length = 0;
    *member = (struct kernel_member){.count = 1};
    if (sscanf(text, "%31[a-z0-9]%n", name, &length) != 1 ||
        !kernel_type_named(name, &member->type))
        return false;
    if (text[length] &&
        (sscanf(text + length, " [ %4zu ] %c", &member->count, &end) != 1 || !strchr(text, ']')))
        return false;
    size_t bytes = kernel_type_bytes(&member->type);
    member->offset = (type->scalar_bytes + bytes - 1) / bytes * bytes;
    type->scalar_bytes = member->offset + member->count * bytes;
    type->member_count++;
    *alignment = bytes > *alignment ? bytes : *alignment;
    return member->count > 0 && kernel_type_components(type) <= KERNEL_MOST_COMPONENTS;
}

/* Reads the members of a structure, which lie as in C: struct(float4, int). */
static bool read_members(const char *list, struct kernel_type *type)
{
    size_t alignment = 1;
    bool good = true;
    *type = (struct kernel_type){.kind = KERNEL_STRUCT, .width = 1};
    type->members = clopt_calloc(KERNEL_MOST_COMPONENTS, sizeof *type->members);
    for (char *part; good && (part = kernel_next_part(&list)); free(part))
        good = type->member_count < KERNEL_MOST_COMPONENTS && read_member(part, type, &alignment);
    type->scalar_bytes = (type->scalar_bytes + alignment - 1) / alignment * alignment;
    if (good && type->member_count)
        return true;
    kernel_type_fini(type);
    return false;
}

/* Reads a structure: its members, or struct(24), its bytes alone. */
static void read_struct(struct kernel_scan *scan, struct kernel_type *type)
{
    char *end = NULL, *inside = kernel_scan_bracket(scan, '(');
    bool number = inside && *inside >= '0' && *inside <= '9';
    unsigned long bytes = number ? strtoul(inside, &end, 10) : 0;
    bool good = number ? *end == '\0' && bytes > 0 && bytes <= MOST_STRUCT_BYTES
                       : inside && read_members(inside, type);
    free(inside);
    if (!good)
        kernel_scan_fail(scan,
                         "expected struct(TYPE, TYPE[N], ...), the members, with up to %d "
                         "numbers, or struct(BYTES), with 1 to %d bytes",
                         KERNEL_MOST_COMPONENTS, MOST_STRUCT_BYTES);
    else if (number)
        *type = (struct kernel_type){.kind = KERNEL_STRUCT, .scalar_bytes = bytes, .width = 1};
}

void kernel_type_read(struct kernel_scan *scan, const char *word, struct kernel_type *type)
{
    if (strcmp(word, "struct") == 0) {
        read_struct(scan, type);
        return;
    }
    if (kernel_type_named(word, type))
        return;
    scan->at -= strlen(word);
    kernel_scan_fail(scan,
                     "%s is not a type; there are char, short, int, long, uchar, ushort, uint, "
                     "ulong, half, float and double, vectors such as float4, and "
                     "struct(TYPE, ...)",
                     word);
}

void kernel_type_fini(struct kernel_type *type)
{
    free(type->members);
    type->members = NULL;
}

size_t kernel_type_components(const struct kernel_type *type)
{
    size_t count = 0;
    if (!type->members)
        return type->width;
    for (size_t m = 0; m < type->member_count; m++)
        count += type->members[m].count * type->members[m].type.width;
    return count;
}

struct kernel_component kernel_type_component(const struct kernel_type *type, size_t index)
{
    const struct kernel_type *of = type;
    size_t offset = 0;
    for (size_t m = 0; type->members && m < type->member_count; m++) {
        of = &type->members[m].type;
        offset = type->members[m].offset;
        if (index < type->members[m].count * of->width)
            break;
        index -= type->members[m].count * of->width;
    }
    offset += index / of->width * kernel_type_bytes(of) + index % of->width * of->scalar_bytes;
    return (struct kernel_component){
        {of->kind, of->scalar, of->scalar_bytes, 1, NULL, 0}, offset, type->members != NULL};
}

size_t kernel_type_bytes(const struct kernel_type *type)
{
    return type->scalar_bytes * (type->width == 3 ? 4 : type->width);
}

void kernel_type_name(const struct kernel_type *type, char name[KERNEL_WORD])
{
    if (type->kind == KERNEL_STRUCT)
        snprintf(name, KERNEL_WORD, "struct(%zu)", type->scalar_bytes);
    else
        clopt_scalar_print(type->scalar, type->width, name, KERNEL_WORD);
}

/* ---- storing and loading ---- */

void kernel_store_integer(const struct kernel_type *type, int64_t value, void *to)
{
    if (type->kind == KERNEL_REAL) {
        kernel_store_real(type, (double)value, to);
        return;
    }
    memcpy(to, &value, type->scalar_bytes); /* little-endian hosts only, as OpenCL's are */
}

bool kernel_store_real(const struct kernel_type *type, double value, void *to)
{
    clopt_scalar_store_real(type->scalar, value, to);
    return isfinite(kernel_load_real(type, to));
}

bool kernel_store_number(const struct kernel_type *type, struct clopt_number number, void *to)
{
    int64_t least, most;
    if (type->kind == KERNEL_REAL)
        return kernel_store_real(type, number.real, to);
    kernel_type_range(type, &least, &most);
    if (number.is_real || number.integer < least || number.integer > most)
        return false;
    kernel_store_integer(type, number.integer, to);
    return true;
}

double kernel_load_real(const struct kernel_type *type, const void *from)
{
    return clopt_scalar_real(type->scalar, from);
}

int64_t kernel_load_integer(const struct kernel_type *type, const void *from)
{
    uint64_t bits = 0;
    memcpy(&bits, from, type->scalar_bytes);
    unsigned unused = 64 - 8 * (unsigned)type->scalar_bytes;
    return type->kind == KERNEL_UNSIGNED ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
}

double kernel_load_number(const struct kernel_type *type, const void *from)
{
    if (type->kind == KERNEL_REAL)
        return kernel_load_real(type, from);
    int64_t value = kernel_load_integer(type, from);
    return type->kind == KERNEL_UNSIGNED ? (double)(uint64_t)value : (double)value;
}

#define LOAD_NUMBERS(name, scalar)                                                                 \
    static void name(const char *from, size_t stride, size_t count, double *numbers)               \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            scalar number;                                                                         \
            memcpy(&number, from + i * stride, sizeof number);                                     \
            numbers[i] = (double)number;                                                           \
        }                                                                                          \
    }

LOAD_NUMBERS(load_floats, float)
LOAD_NUMBERS(load_doubles, double)
LOAD_NUMBERS(load_ints, int32_t)

void kernel_load_numbers(const struct kernel_type *type, const void *from, size_t stride,
                         size_t count, double *numbers)
{
    if (type->scalar == CLOPT_SCALAR_FLOAT)
        load_floats(from, stride, count, numbers);
    else if (type->scalar == CLOPT_SCALAR_DOUBLE)
        load_doubles(from, stride, count, numbers);
    else if (type->scalar == CLOPT_SCALAR_INT)
        load_ints(from, stride, count, numbers);
    else
        for (size_t i = 0; i < count; i++)
            numbers[i] = kernel_load_number(type, (const char *)from + i * stride);
}

/* ---- sorting: a comparison for each type, since millions of results are sorted ---- */

#define COMPARE_INTEGERS(name, type)                                                               \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        type x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return (x > y) - (x < y);                                                                  \
    }

COMPARE_INTEGERS(compare_char, int8_t)
COMPARE_INTEGERS(compare_uchar, uint8_t)
COMPARE_INTEGERS(compare_short, int16_t)
COMPARE_INTEGERS(compare_ushort, uint16_t)
COMPARE_INTEGERS(compare_int, int32_t)
COMPARE_INTEGERS(compare_uint, uint32_t)
COMPARE_INTEGERS(compare_long, int64_t)
COMPARE_INTEGERS(compare_ulong, uint64_t)

static int compare_reals(double x, double y)
{
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

#define COMPARE_REALS(name, scalar)                                                                \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        return compare_reals(clopt_scalar_real(scalar, a), clopt_scalar_real(scalar, b));          \
    }

COMPARE_REALS(compare_half, CLOPT_SCALAR_HALF)
COMPARE_REALS(compare_float, CLOPT_SCALAR_FLOAT)
COMPARE_REALS(compare_double, CLOPT_SCALAR_DOUBLE)

void kernel_type_sort(const struct kernel_type *type, void *numbers, size_t count)
{
    static int (*const comparisons[CLOPT_SCALARS])(const void *, const void *) = {
        [CLOPT_SCALAR_CHAR] = compare_char,     [CLOPT_SCALAR_UCHAR] = compare_uchar,
        [CLOPT_SCALAR_SHORT] = compare_short,   [CLOPT_SCALAR_USHORT] = compare_ushort,
        [CLOPT_SCALAR_INT] = compare_int,       [CLOPT_SCALAR_UINT] = compare_uint,
        [CLOPT_SCALAR_LONG] = compare_long,     [CLOPT_SCALAR_ULONG] = compare_ulong,
        [CLOPT_SCALAR_HALF] = compare_half,     [CLOPT_SCALAR_FLOAT] = compare_float,
        [CLOPT_SCALAR_DOUBLE] = compare_double,
    };
    qsort(numbers, count, type->scalar_bytes, comparisons[type->scalar]);
}

/* ---- what a type can hold ---- */

void kernel_type_range(const struct kernel_type *type, int64_t *least, int64_t *most)
{
    unsigned bits = 8 * (unsigned)type->scalar_bytes;
    if (type->kind == KERNEL_REAL)
        bits = bits == 16 ? 12 : bits == 32 ? 25 : 54;
    else if (type->kind == KERNEL_UNSIGNED && bits < 64)
        bits++;
    *most = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    *least = type->kind == KERNEL_UNSIGNED ? 0 : -*most - 1;
    if (type->kind == KERNEL_REAL)
        *least = -*most;
}
