/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of scalar and vector types, and numbers of half precision. */
#include <clopt/scalar.h>

#include <math.h>

void clopt_scalar_print(enum clopt_scalar scalar, unsigned width, char *type, size_t size)
{
    if (width > 1)
        snprintf(type, size, "%s%u", clopt_scalar_name(scalar), width);
    else
        snprintf(type, size, "%s", clopt_scalar_name(scalar));
}

enum clopt_scalar clopt_scalar_named(const char *name, size_t length, unsigned *width)
{
    static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
    char type[16];
    for (enum clopt_scalar s = CLOPT_SCALAR_BOOL; s < CLOPT_SCALARS; s++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            clopt_scalar_print(s, widths[w], type, sizeof type);
            *width = widths[w];
            if (strlen(type) == length && memcmp(type, name, length) == 0)
                return s;
        }
    *width = 1;
    return CLOPT_SCALAR_NONE;
}

/* Rounds to the nearest number of 16 bits, ties to even. */
static uint16_t half_round(double value)
{
    uint16_t sign = signbit(value) ? 0x8000u : 0;
    double size = fabs(value);
    uint64_t bits;
    if (isnan(value))
        return 0x7E00u;
    if (size >= 65520) /* rounds to what is too large */
        return sign | 0x7C00u;
    bool subnormal = size < 0x1p-14;
    size += subnormal ? 0x1p28 : 0; /* whose last bit is the least of a subnormal number */
    memcpy(&bits, &size, sizeof bits);
    if (!subnormal)
        bits = (bits + 0x1FFFFFFFFFFu + (bits >> 42 & 1)) >> 42;
    return (uint16_t)(sign | (uint16_t)(bits - (subnormal ? 0 : 1008 << 10)));
}

static double half_value(uint16_t bits)
{
    uint64_t normal = ((uint64_t)(bits & 0x7FFFu) << 42) + ((uint64_t)1008 << 52);
    unsigned exponent = bits >> 10 & 0x1F;
    double size;
    memcpy(&size, &normal, sizeof size);
    if (exponent == 0)
        size = (bits & 0x3FF) * 0x1p-24;
    else if (exponent == 31)
        size = bits & 0x3FF ? NAN : INFINITY;
    return bits & 0x8000u ? -size : size;
}

void clopt_scalar_store_real(enum clopt_scalar scalar, double value, void *to)
{
    uint16_t half = scalar == CLOPT_SCALAR_HALF ? half_round(value) : 0;
    float single = (float)value;
    const void *from = scalar == CLOPT_SCALAR_HALF    ? (const void *)&half
                       : scalar == CLOPT_SCALAR_FLOAT ? (const void *)&single
                                                      : (const void *)&value;
    memcpy(to, from, clopt_scalar_type(scalar)->bytes);
}

double clopt_scalar_real(enum clopt_scalar scalar, const void *from)
{
    uint16_t half;
    float single;
    double value;
    switch (scalar) {
    case CLOPT_SCALAR_HALF:
        memcpy(&half, from, sizeof half);
        return half_value(half);
    case CLOPT_SCALAR_FLOAT:
        memcpy(&single, from, sizeof single);
        return (double)single;
    default:
        memcpy(&value, from, sizeof value);
        return value;
    }
}
