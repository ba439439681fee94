/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses what inputs and tolerances a kernel's precision asks for. */
#include "draft.h"

static bool is_in_loop(const struct clopt_node *node)
{
    const struct clopt_node *at = node->parent;
    while (at && !clopt_node_repeats(at))
        at = at->parent;
    return at;
}

/* Whether a node adds to a half in a loop: s += x, s = s + x, s = fma(a, b, s). */
static bool adds_halves(const struct clopt_node *node, const void *user)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    (void)user;
    if (!lvalue || node->kind != CLOPT_NODE_ASSIGN || lvalue->scalar != CLOPT_SCALAR_HALF ||
        !is_in_loop(node))
        return false;
    return *node->op != '=' ||
           (lvalue->kind == CLOPT_NODE_VARIABLE &&
            (clopt_node_uses(node->children[1], lvalue->variable) & CLOPT_READ));
}

/* Whether a node computes what a negative number, or a small one, may give no number for. */
static bool may_be_nan(const struct clopt_node *node, const void *user)
{
    static const char *const safe[] = {"fma", "mad", "fmin", "fmax", "fabs",
                                       "dot", "min", "max",  "vload"};
    (void)user;
    bool real = clopt_scalar_is_real(node->scalar);
    if (real && (clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "/=")))
        return true;
    bool calls = real && node->kind == CLOPT_NODE_CALL && !node->callee;
    for (size_t i = 0; i < sizeof safe / sizeof *safe && calls; i++)
        calls = strncmp(node->name, safe[i], strlen(safe[i])) != 0;
    return calls;
}

static bool has(const struct kernel_guess *guess, clopt_node_test test)
{
    bool found = false;
    for (size_t i = 0; i < guess->source->function_count && !found; i++)
        found = clopt_node_search(guess->source->functions[i]->body, test, NULL);
    return found;
}

bool kernel_guess_sums_halves(const struct kernel_guess *guess)
{
    return has(guess, adds_halves);
}

bool kernel_guess_may_center(const struct kernel_guess *guess)
{
    return has(guess, adds_halves) && !has(guess, may_be_nan);
}
