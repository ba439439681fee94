/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions of OpenCL do the same with each lane of a vector as with a scalar. */
#ifndef VECTOR_BUILTIN_H
#define VECTOR_BUILTIN_H

#include <clopt/source.h>

enum builtin_kind {
    BUILTIN_LANES,   /* not known to: one call a lane */
    BUILTIN_SAME,    /* arguments and result have one type */
    BUILTIN_OWN,     /* the result's type follows from the arguments' */
    BUILTIN_CONVERT, /* convert_T() */
};

enum builtin_kind builtin_find(const struct clopt_node *call);

#endif
