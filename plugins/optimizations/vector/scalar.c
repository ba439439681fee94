/* SPDX-License-Identifier: BSD-3-Clause */
/* How C converts scalars before it computes, and how vectors hold them. */
#include "scalar.h"

const char *scalar_name(enum clopt_scalar scalar)
{
    return clopt_scalar_name(scalar_held(scalar));
}

enum clopt_scalar scalar_held(enum clopt_scalar scalar)
{
    return scalar == CLOPT_SCALAR_BOOL ? CLOPT_SCALAR_INT : scalar;
}

enum clopt_scalar scalar_promote(enum clopt_scalar scalar)
{
    return clopt_scalar_is_integer(scalar) && clopt_scalar_bits(scalar) < 32 ? CLOPT_SCALAR_INT
                                                                             : scalar;
}

enum clopt_scalar scalar_common(enum clopt_scalar a, enum clopt_scalar b)
{
    /* Of two types the one that stands later in the enumeration can hold or outranks the other. */
    a = scalar_promote(a);
    b = scalar_promote(b);
    return a > b ? a : b;
}
