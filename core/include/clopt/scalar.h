/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalar types of OpenCL C, in one table: names, sizes, what they are. */
#pragma once

#include <clopt/error.h>

/* Scalar types that OpenCL has vectors of, and bool. Of two arithmetic types that are promoted, the
 * later one is what both are converted to. */
enum clopt_scalar {
    CLOPT_SCALAR_NONE,
    CLOPT_SCALAR_BOOL,
    CLOPT_SCALAR_CHAR,
    CLOPT_SCALAR_UCHAR,
    CLOPT_SCALAR_SHORT,
    CLOPT_SCALAR_USHORT,
    CLOPT_SCALAR_INT,
    CLOPT_SCALAR_UINT,
    CLOPT_SCALAR_LONG,
    CLOPT_SCALAR_ULONG,
    CLOPT_SCALAR_HALF,
    CLOPT_SCALAR_FLOAT,
    CLOPT_SCALAR_DOUBLE,
};
#define CLOPT_SCALARS (CLOPT_SCALAR_DOUBLE + 1)

enum clopt_scalar_class {
    CLOPT_CLASS_NONE,
    CLOPT_CLASS_SIGNED,
    CLOPT_CLASS_UNSIGNED,
    CLOPT_CLASS_REAL,
};

struct clopt_scalar_type {
    const char *name;
    unsigned bytes;
    enum clopt_scalar_class kind;
};

static inline const struct clopt_scalar_type *clopt_scalar_type(enum clopt_scalar scalar)
{
    static const struct clopt_scalar_type types[CLOPT_SCALARS] = {
        [CLOPT_SCALAR_NONE] = {"void", 0, CLOPT_CLASS_NONE},
        [CLOPT_SCALAR_BOOL] = {"bool", 1, CLOPT_CLASS_UNSIGNED},
        [CLOPT_SCALAR_CHAR] = {"char", 1, CLOPT_CLASS_SIGNED},
        [CLOPT_SCALAR_UCHAR] = {"uchar", 1, CLOPT_CLASS_UNSIGNED},
        [CLOPT_SCALAR_SHORT] = {"short", 2, CLOPT_CLASS_SIGNED},
        [CLOPT_SCALAR_USHORT] = {"ushort", 2, CLOPT_CLASS_UNSIGNED},
        [CLOPT_SCALAR_INT] = {"int", 4, CLOPT_CLASS_SIGNED},
        [CLOPT_SCALAR_UINT] = {"uint", 4, CLOPT_CLASS_UNSIGNED},
        [CLOPT_SCALAR_LONG] = {"long", 8, CLOPT_CLASS_SIGNED},
        [CLOPT_SCALAR_ULONG] = {"ulong", 8, CLOPT_CLASS_UNSIGNED},
        [CLOPT_SCALAR_HALF] = {"half", 2, CLOPT_CLASS_REAL},
        [CLOPT_SCALAR_FLOAT] = {"float", 4, CLOPT_CLASS_REAL},
        [CLOPT_SCALAR_DOUBLE] = {"double", 8, CLOPT_CLASS_REAL},
    };
    return &types[scalar];
}

static inline const char *clopt_scalar_name(enum clopt_scalar scalar)
{
    return clopt_scalar_type(scalar)->name;
}

static inline unsigned clopt_scalar_bits(enum clopt_scalar scalar)
{
    return 8 * clopt_scalar_type(scalar)->bytes;
}

/* The bytes of a scalar or vector in memory: a vector of 3 has the room of 4. */
static inline size_t clopt_scalar_bytes(enum clopt_scalar scalar, unsigned width)
{
    return (size_t)clopt_scalar_type(scalar)->bytes * (width == 3 ? 4 : width);
}

static inline bool clopt_scalar_is_real(enum clopt_scalar scalar)
{
    return clopt_scalar_type(scalar)->kind == CLOPT_CLASS_REAL;
}

static inline bool clopt_scalar_is_integer(enum clopt_scalar scalar)
{
    return scalar != CLOPT_SCALAR_NONE && !clopt_scalar_is_real(scalar);
}

static inline bool clopt_scalar_is_signed(enum clopt_scalar scalar)
{
    enum clopt_scalar_class kind = clopt_scalar_type(scalar)->kind;
    return kind == CLOPT_CLASS_SIGNED || kind == CLOPT_CLASS_REAL;
}

/* Whether elements of a type are numbers that kernels read and write. */
static inline bool clopt_scalar_is_number(enum clopt_scalar scalar)
{
    return scalar > CLOPT_SCALAR_BOOL;
}

/* Puts the name of a scalar or vector type, 10 bytes at most. */
CLOPT_API void clopt_scalar_print(enum clopt_scalar scalar, unsigned width, char *type,
                                  size_t size);

/* Reads a name of so many characters, such as "float4"; NONE where it is no such type. */
CLOPT_API enum clopt_scalar clopt_scalar_named(const char *name, size_t length, unsigned *width);

/* Store a number as one of a real type, rounded to the nearest, and read it back. A half is of IEEE
 * 754 binary16. */
CLOPT_API void clopt_scalar_store_real(enum clopt_scalar scalar, double value, void *to);
CLOPT_API double clopt_scalar_real(enum clopt_scalar scalar, const void *from);
