/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalar types and how C converts them before it computes. */
#include "scalar.h"

static const struct {
    unsigned bits;
    bool is_signed;
    bool is_integer;
} scalars[] = {
    [CLOPT_SCALAR_NONE] = {0, false, false},  [CLOPT_SCALAR_BOOL] = {8, false, true},
    [CLOPT_SCALAR_CHAR] = {8, true, true},    [CLOPT_SCALAR_UCHAR] = {8, false, true},
    [CLOPT_SCALAR_SHORT] = {16, true, true},  [CLOPT_SCALAR_USHORT] = {16, false, true},
    [CLOPT_SCALAR_INT] = {32, true, true},    [CLOPT_SCALAR_UINT] = {32, false, true},
    [CLOPT_SCALAR_LONG] = {64, true, true},   [CLOPT_SCALAR_ULONG] = {64, false, true},
    [CLOPT_SCALAR_FLOAT] = {32, true, false}, [CLOPT_SCALAR_DOUBLE] = {64, true, false},
};

const char *scalar_name(enum clopt_scalar scalar)
{
    return clopt_scalar_name(scalar_held(scalar));
}

bool scalar_is_integer(enum clopt_scalar scalar)
{
    return scalars[scalar].is_integer;
}

bool scalar_is_signed(enum clopt_scalar scalar)
{
    return scalars[scalar].is_signed;
}

unsigned scalar_bits(enum clopt_scalar scalar)
{
    return scalars[scalar].bits;
}

enum clopt_scalar scalar_held(enum clopt_scalar scalar)
{
    return scalar == CLOPT_SCALAR_BOOL ? CLOPT_SCALAR_INT : scalar;
}

enum clopt_scalar scalar_promote(enum clopt_scalar scalar)
{
    return scalars[scalar].is_integer && scalars[scalar].bits < 32 ? CLOPT_SCALAR_INT : scalar;
}

enum clopt_scalar scalar_common(enum clopt_scalar a, enum clopt_scalar b)
{
    /* Of two types the one that stands later in the enumeration can hold or outranks the other. */
    a = scalar_promote(a);
    b = scalar_promote(b);
    return a > b ? a : b;
}
