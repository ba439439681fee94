/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions of OpenCL do the same with each lane of a vector as with a scalar.
 *
 * Functions whose result is defined to the last bit are taken for vectors, and a few that every
 * implementation computes by one instruction. What is only accurate to some units in the last place
 * (exp, sin, native_...) may come out otherwise for vectors, and is called once a lane. */
#include "builtin.h"

#include <string.h>

static bool is_named(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Whether all arguments have the type of the first one. */
static bool is_alike(const struct clopt_node *call)
{
    for (size_t i = 1; i < call->child_count; i++)
        if (call->children[i]->scalar != call->children[0]->scalar)
            return false;
    return call->child_count > 0;
}

enum builtin_kind builtin_find(const struct clopt_node *call)
{
    static const char *const same[] = {
        "fma",   "mad",   "fabs",   "fmin",    "fmax",    "floor",    "ceil",  "trunc", "rint",
        "round", "sqrt",  "min",    "max",     "clamp",   "copysign", "mad24", "mul24", "mul_hi",
        "hadd",  "rhadd", "rotate", "add_sat", "sub_sat", "popcount", "clz",   NULL,
    };
    static const char *const own[] = {"abs", "abs_diff", NULL};
    if (is_named(call->name, same) && (clopt_scalar_is_real(call->scalar) || is_alike(call)))
        return BUILTIN_SAME;
    if (is_named(call->name, own) && is_alike(call))
        return BUILTIN_OWN;
    if (strncmp(call->name, "convert_", 8) == 0 && call->child_count == 1)
        return BUILTIN_CONVERT;
    return BUILTIN_LANES;
}
