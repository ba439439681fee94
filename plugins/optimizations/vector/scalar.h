/* SPDX-License-Identifier: BSD-3-Clause */
/* How C converts scalars before it computes, and how vectors hold them. */
#ifndef VECTOR_SCALAR_H
#define VECTOR_SCALAR_H

#include <clopt/source.h>

/* The name of a type, or of its vectors before their width. bool goes by int, which holds 0 or 1.
 */
const char *scalar_name(enum clopt_scalar scalar);

/* The type in which vectors hold values of a type. */
enum clopt_scalar scalar_held(enum clopt_scalar scalar);

/* The integer promotions, and the usual arithmetic conversions. */
enum clopt_scalar scalar_promote(enum clopt_scalar scalar);
enum clopt_scalar scalar_common(enum clopt_scalar a, enum clopt_scalar b);

#endif
