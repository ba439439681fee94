/* SPDX-License-Identifier: BSD-3-Clause */
/* The combinations of parameters that constraints connect: a layered graph. */
#pragma once

#include <clopt/expression.h>

#define CLOPT_MOST_PARAMETERS  64
#define CLOPT_MOST_CONSTRAINTS 256

/* Counts that are too large to be numbers are UINT64_MAX. */
static inline uint64_t clopt_count_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t clopt_count_multiply(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* A parameter: how many values it has, and which. */
struct clopt_domain {
    const char *name;
    size_t count;                      /* 1 .. 65535 */
    const struct clopt_number *values; /* NULL: texts, which no constraint names */
};

/* What must hold for the parameters of a variant: [constraints], or a parameter's own. */
struct clopt_constraint {
    char *name; /* with its origin, for messages: "study.ini:7: [constraints] threads" */
    struct clopt_expression *expression;
};

/* A variable of a constraint: a parameter, by number, or a known value. */
struct clopt_bound_variable {
    bool is_parameter;
    size_t parameter;
    struct clopt_number number;
};

struct clopt_bound_constraint {
    const struct clopt_expression *expression;
    const char *name;
    struct clopt_bound_variable *variables; /* as many as the expression has */
    uint64_t parameters;                    /* a bit for each that it names */
};

struct clopt_component;

/* What components are made of. */
struct clopt_component_parts {
    const struct clopt_domain *domains;
    const struct clopt_bound_constraint *constraints;
    size_t constraint_count;
    uint64_t *budget; /* of edges, which each component lowers */
};

/* Makes the component of the parameters whose bits are set in `members`; it picks the constraints
 * that are about them alone. Without members: those without parameters. The caller destroys what
 * was made of it, too, when that fails. */
enum clopt_status clopt_component_create(const struct clopt_component_parts *parts,
                                         uint64_t members, struct clopt_component **component,
                                         struct clopt_error *error);
void clopt_component_destroy(struct clopt_component *component);

uint64_t clopt_component_count(const struct clopt_component *component);

/* Sets the choices of the members for combination number `index`. */
void clopt_component_get(const struct clopt_component *component, uint64_t index, size_t *choice);

/* Finds the number of a combination; UINT64_MAX where it is none. */
uint64_t clopt_component_find(const struct clopt_component *component, const size_t *choice);
