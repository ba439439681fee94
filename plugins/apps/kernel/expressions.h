/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of a study: over which names they are, and what they come to. */
#pragma once

#include <clopt/expression.h>

#include "reading.h"

#define KERNEL_MOST_SIZES       32
#define KERNEL_MOST_LETS        64
#define KERNEL_MOST_PARAMETERS  64
#define KERNEL_MOST_EXPRESSIONS 16 /* of one key */

/* Several expressions that one key has, separated by commas. */
struct kernel_expressions {
    struct kernel_position position;
    struct clopt_expression *items[KERNEL_MOST_EXPRESSIONS];
    size_t count;
};

/* One line of [let]. */
struct kernel_let {
    const char *name;
    struct kernel_expressions value;
};

/* The names that expressions may use. */
struct kernel_names {
    const char *sizes[KERNEL_MOST_SIZES];
    bool used[KERNEL_MOST_SIZES]; /* by an expression that has been checked */
    size_t size_count;
    const char *parameters[KERNEL_MOST_PARAMETERS];
    size_t parameter_count;
    struct kernel_let lets[KERNEL_MOST_LETS];
    size_t let_count;
};

/* What an expression may use beside sizes: bits. */
enum kernel_allowed {
    KERNEL_PARAMETERS = 1,
    KERNEL_I = 2, /* the numbers of repetitions */
    KERNEL_J = 4,
};

/* Reads `least` to `most` expressions from a text, for the key that is scanned. */
void kernel_expressions_read(const struct kernel_scan *scan, const char *text, size_t least,
                             size_t most, struct kernel_expressions *expressions);
void kernel_expressions_fini(struct kernel_expressions *expressions);

/* Checks that every name in them is known. */
void kernel_expressions_check(const struct kernel_expressions *expressions,
                              struct kernel_names *names, unsigned allowed,
                              struct clopt_error *error);

/* Reads [size], [parameter NAME] and [let]. */
void kernel_names_read(const struct clopt_description *description, struct kernel_names *names,
                       struct clopt_error *error);
void kernel_names_fini(struct kernel_names *names);

/* What the names stand for at one moment. Values of [let] are kept until the moment changes. Where
 * something cannot be evaluated the error says so: what is evaluated then is 0, or the least. */
struct kernel_scope {
    const struct kernel_names *names;
    const struct clopt_problem *problem;
    struct clopt_error *error;
    int64_t i;
    int64_t j;
    size_t visible_lets; /* a line of [let] sees those above it */
    bool known[KERNEL_MOST_LETS];
    struct clopt_number lets[KERNEL_MOST_LETS];
};

/* Forgets what `error` says. */
struct kernel_scope kernel_scope_begin(const struct kernel_names *names,
                                       const struct clopt_problem *problem,
                                       struct clopt_error *error);

/* Goes to another repetition. */
void kernel_scope_move(struct kernel_scope *scope, int64_t i, int64_t j);

/* Evaluate number `index` of some expressions. An integer below `least` is an error. */
struct clopt_number kernel_evaluate(struct kernel_scope *scope,
                                    const struct kernel_expressions *expressions, size_t index);
int64_t kernel_evaluate_integer(struct kernel_scope *scope,
                                const struct kernel_expressions *expressions, size_t index,
                                int64_t least);

/* Evaluates the product of all of them: an element count, at least 1. */
size_t kernel_evaluate_product(struct kernel_scope *scope,
                               const struct kernel_expressions *expressions);
