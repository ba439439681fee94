/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through loops: what each iteration adds to a variable becomes a multiple of their number.
 */
#include <clopt/memory.h>

#include "analysis/walker.h"

/* What a loop does to a variable. */
struct change {
    struct clopt_affine step; /* what each iteration adds */
    bool written;
    bool irregular;   /* written otherwise */
    bool elsewhere;   /* a pointer that may be into another array at the end of an iteration */
    unsigned depends; /* what it then may depend on at the beginning of an iteration */
};

struct loop {
    struct clopt_walker *walker;
    const struct clopt_node *node;
    struct change *changes; /* one a variable */
    unsigned number;
    unsigned bit; /* CLOPT_DEPENDS_LOOP(number); 0: there is none left */
    bool skips;   /* part of its body, in some iterations */
};

/* Whether a statement or expression of a loop is executed exactly once in each iteration. */
static bool is_met_each_iteration(const struct loop *loop, const struct clopt_node *node)
{
    const struct clopt_node *below = node;
    for (node = node->parent; node && node != loop->node; node = node->parent) {
        if (node->kind != CLOPT_NODE_COMPOUND && node->kind != CLOPT_NODE_PAREN &&
            !(node->kind == CLOPT_NODE_BINARY && strcmp(node->op, ",") == 0))
            return false;
        below = node;
    }
    return node && ((below == node->body && !loop->skips) || below == node->step);
}

/* Whether an expression is the same in all iterations of a loop, and reads no memory. */
static bool is_invariant(const struct loop *loop, const struct clopt_node *node)
{
    return clopt_loop_is_invariant(loop->node, node) &&
           !(clopt_node_effects(node) & (CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_ORDERED));
}

/* Adds up what each iteration adds to a variable. */
static void note_step(struct loop *loop, const struct clopt_node *node, unsigned access)
{
    const struct clopt_node *update = node->parent;
    struct clopt_affine step = clopt_affine_constant(1);
    int64_t factor = 1;
    bool regular = update && !(access & CLOPT_ADDRESS) && node->kind == CLOPT_NODE_VARIABLE &&
                   is_met_each_iteration(loop, update);
    if (regular && update->kind == CLOPT_NODE_ASSIGN) {
        factor = *update->op == '-' ? -1 : 1;
        regular = update->children[0] == node && strcspn(update->op, "+-") == 0 &&
                  is_invariant(loop, update->children[1]);
        if (regular)
            step = clopt_walker_evaluate(loop->walker, update->children[1]).affine;
    } else if (regular) {
        regular = update->kind == CLOPT_NODE_POSTFIX || update->kind == CLOPT_NODE_UNARY;
        factor = *update->op == '-' ? -1 : 1;
    }
    struct change *change = &loop->changes[node->variable->index];
    change->written = true;
    if (!regular || !clopt_affine_add(&change->step, &step, factor))
        change->irregular = true;
}

/* Gives each variable that the loop writes what it holds at the beginning of an iteration. */
static void begin_iteration(struct loop *loop)
{
    struct clopt_walker *walker = loop->walker;
    struct clopt_affine iterations = clopt_affine_constant(0);
    if (loop->bit)
        iterations = clopt_affine_symbol(clopt_walker_symbol(
            walker, CLOPT_SYMBOL_LOOP, loop->number, loop->node, NULL, loop->bit));
    for (size_t i = 0; i < walker->value_count; i++) {
        struct clopt_content *value = &walker->values[i];
        struct change *change = &loop->changes[i];
        struct clopt_affine added = change->step;
        if (!change->written)
            continue;
        if (change->elsewhere)
            value->array = NULL;
        change->irregular |= !loop->bit || !clopt_affine_multiply(&added, &iterations) ||
                             !clopt_affine_add(&value->affine, &added, 1);
        change->depends |= clopt_content_depends(walker, value);
        if (!change->irregular)
            continue;
        change->depends |= loop->bit ? loop->bit : CLOPT_DEPENDS_ITEMS;
        value->affine =
            clopt_content_computed(walker, loop->node, (unsigned)i + 1, change->depends).affine;
    }
}

/* Walks through one iteration; returns what may decide whether there is another one. */
static unsigned walk_iteration(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct clopt_content condition = {.array = NULL};
    if (node->condition && node->kind != CLOPT_NODE_DO)
        condition = clopt_walker_evaluate(walker, node->condition);
    clopt_walker_walk(walker, node->body);
    if (node->step)
        clopt_walker_evaluate(walker, node->step);
    if (node->condition && node->kind == CLOPT_NODE_DO)
        condition = clopt_walker_evaluate(walker, node->condition);
    return clopt_content_depends(walker, &condition);
}

/* Finds out what an iteration hands on to the next one: what may be left in a variable at the end
 * of one may be in it at the beginning. Three iterations are enough to pass through three
 * variables; more of them in a row are taken to depend on everything. */
static void find_depends(struct loop *loop, const struct clopt_content *before)
{
    struct clopt_walker *walker = loop->walker;
    const unsigned everything = CLOPT_DEPENDS_ITEMS | walker->loops | loop->bit;
    unsigned loops_inside = walker->loop_count;
    bool changed = true;
    for (unsigned iteration = 0; changed && !walker->full; iteration++) {
        changed = false;
        memcpy(walker->values, before, walker->value_count * sizeof *before);
        begin_iteration(loop);
        walker->loop_count = loops_inside;
        walk_iteration(walker, loop->node);
        for (size_t i = 0; i < walker->value_count; i++) {
            struct change *change = &loop->changes[i];
            bool skipped = loop->skips && change->irregular;
            unsigned depends = skipped
                                   ? everything
                                   : everything & clopt_content_depends(walker, &walker->values[i]);
            bool elsewhere = skipped || walker->values[i].array != before[i].array;
            changed |= elsewhere && !change->elsewhere;
            change->elsewhere |= elsewhere;
            if (!change->irregular || !(depends & ~change->depends))
                continue;
            changed = true;
            change->depends |= iteration < 3 ? depends : everything;
        }
    }
    memcpy(walker->values, before, walker->value_count * sizeof *before);
    walker->loop_count = loops_inside;
}

/* Forgets what the loop has left in the variables, but for what it may depend on. */
static void end_loop(struct loop *loop, unsigned iterations)
{
    struct clopt_walker *walker = loop->walker;
    const struct clopt_node *body = loop->node->body;
    bool left = clopt_node_find(body, CLOPT_NODE_BREAK) || clopt_node_find(body, CLOPT_NODE_RETURN);
    if (left)
        iterations |= CLOPT_DEPENDS_ITEMS | walker->loops;
    for (size_t i = 0; i < walker->value_count; i++) {
        struct clopt_content *value = &walker->values[i];
        unsigned depends =
            clopt_content_depends(walker, value) | loop->changes[i].depends | iterations;
        if (loop->changes[i].elsewhere || (left && loop->changes[i].irregular))
            value->array = NULL;
        if (loop->changes[i].written)
            value->affine =
                clopt_content_computed(walker, loop->node, (unsigned)(walker->value_count + i) + 1,
                                       depends & ~loop->bit)
                    .affine;
    }
}

/* Walks through a loop whose variables before it are `before`. */
static void walk_iterations(struct loop *loop, const struct clopt_content *before)
{
    struct clopt_walker *walker = loop->walker;
    bool silent = walker->silent;
    walker->silent = true;
    loop->skips = clopt_loop_find_jump(loop->node, CLOPT_NODE_CONTINUE) ||
                  clopt_node_find(loop->node->body, CLOPT_NODE_GOTO);
    for (const struct clopt_node *at = loop->node; at; at = clopt_node_next(at, loop->node)) {
        unsigned access = clopt_node_use(at, loop->node);
        bool init = loop->node->init && clopt_node_contains(loop->node->init, at);
        if ((access & (CLOPT_WRITE | CLOPT_ADDRESS)) && !init)
            note_step(loop, at, access);
    }
    loop->number = walker->loop_count++;
    loop->bit = loop->number < CLOPT_MOST_LOOPS ? CLOPT_DEPENDS_LOOP(loop->number) : 0;
    walker->loops |= loop->bit;
    find_depends(loop, before);
    walker->silent = silent;
    begin_iteration(loop);
    unsigned iterations = walk_iteration(walker, loop->node);
    walker->loops &= ~loop->bit;
    end_loop(loop, iterations);
}

void clopt_walker_loop(struct clopt_walker *walker, const struct clopt_node *node)
{
    size_t count = walker->value_count;
    CLOPT_FREED struct change *changes = clopt_calloc(count + 1, sizeof *changes);
    CLOPT_FREED struct clopt_content *before = clopt_calloc(count + 1, sizeof *before);
    struct loop loop = {.walker = walker, .node = node, .changes = changes};
    if (node->init)
        clopt_walker_walk(walker, node->init);
    memcpy(before, walker->values, count * sizeof *before);
    walk_iterations(&loop, before);
}
