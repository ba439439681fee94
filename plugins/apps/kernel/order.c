/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts numbers. Each type has a comparison of its own: millions of results are sorted once for
 * each process that verifies them. */
#include "type.h"

#include <math.h>

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
