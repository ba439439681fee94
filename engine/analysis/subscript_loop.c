/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through loops: what each iteration adds to a variable becomes a multiple of their number.
 */
#include <clopt/memory.h>

#include "analysis/walker.h"

/* What a loop does to a variable that it writes. */
struct change {
    size_t variable;
    const struct clopt_variable *array; /* that it leads into before the loop */
    struct clopt_affine step;           /* what each iteration adds */
    bool irregular;                     /* written otherwise */
    bool elsewhere;   /* a pointer that may be into another array at the end of an iteration */
    unsigned depends; /* what it then may depend on at the beginning of an iteration */
};

struct loop {
    struct clopt_walker *walker;
    const struct clopt_node *node;
    struct change *changes; /* by variable, in rising order */
    size_t change_count;
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

static int compare_variables(const void *a, const void *b)
{
    const struct change *one = a, *other = b;
    return one->variable < other->variable ? -1 : one->variable > other->variable;
}

/* Whether an expression, but for those of the initialization, writes a variable of its loop. */
static bool is_write(const struct clopt_node *loop, const struct clopt_node *node)
{
    return (clopt_node_use(node, loop) & (CLOPT_WRITE | CLOPT_ADDRESS)) &&
           !(loop->init && clopt_node_contains(loop->init, node));
}

/* Finds the variables that a loop writes. */
static void find_changes(struct loop *loop)
{
    size_t left = 0;
    for (const struct clopt_node *at = loop->node; at; at = clopt_node_next(at, loop->node))
        if (is_write(loop->node, at)) {
            struct change *change =
                clopt_array_add(&loop->changes, &loop->change_count, sizeof *change);
            *change = (struct change){
                .variable = at->variable->index,
                .array = loop->walker->values[at->variable->index].array,
            };
        }
    if (loop->change_count)
        qsort(loop->changes, loop->change_count, sizeof *loop->changes, compare_variables);
    for (size_t i = 0; i < loop->change_count; i++)
        if (i == 0 || loop->changes[i].variable != loop->changes[left - 1].variable)
            loop->changes[left++] = loop->changes[i];
    loop->change_count = left;
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
    const struct change key = {.variable = node->variable->index};
    struct change *change =
        bsearch(&key, loop->changes, loop->change_count, sizeof key, compare_variables);
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
    for (size_t i = 0; i < loop->change_count; i++) {
        struct change *change = &loop->changes[i];
        struct clopt_content value = walker->values[change->variable];
        struct clopt_affine added = change->step;
        if (change->elsewhere)
            value.array = NULL;
        change->irregular |= !loop->bit || !clopt_affine_multiply(&added, &iterations) ||
                             !clopt_affine_add(&value.affine, &added, 1);
        change->depends |= clopt_content_depends(walker, &value);
        if (change->irregular) {
            change->depends |= loop->bit ? loop->bit : CLOPT_DEPENDS_ITEMS;
            value.affine = clopt_content_computed(walker, loop->node,
                                                  (unsigned)change->variable + 1, change->depends)
                               .affine;
        }
        clopt_walker_set(walker, change->variable, &value);
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

/* Notes what may be left in a variable at the end of an iteration; whether that is news. */
static bool hand_on(const struct loop *loop, struct change *change, unsigned everything,
                    unsigned iteration)
{
    const struct clopt_content *value = &loop->walker->values[change->variable];
    bool skipped = loop->skips && change->irregular;
    unsigned depends =
        skipped ? everything : everything & clopt_content_depends(loop->walker, value);
    bool elsewhere = skipped || value->array != change->array;
    bool news = elsewhere && !change->elsewhere;
    change->elsewhere |= elsewhere;
    if (!change->irregular || !(depends & ~change->depends))
        return news;
    change->depends |= iteration < 3 ? depends : everything;
    return true;
}

/* Finds out what an iteration hands on to the next one: what may be left in a variable at the end
 * of one may be in it at the beginning. Three iterations are enough to pass through three
 * variables; more of them in a row are taken to depend on everything. */
static void find_depends(struct loop *loop)
{
    struct clopt_walker *walker = loop->walker;
    const unsigned everything = CLOPT_DEPENDS_ITEMS | walker->loops | loop->bit;
    unsigned loops_inside = walker->loop_count;
    size_t mark = clopt_walker_mark(walker);
    bool changed = true;
    for (unsigned iteration = 0; changed && !walker->full; iteration++) {
        changed = false;
        begin_iteration(loop);
        walk_iteration(walker, loop->node);
        for (size_t i = 0; i < loop->change_count; i++)
            changed |= hand_on(loop, &loop->changes[i], everything, iteration);
        clopt_walker_go_back(walker, mark);
        walker->loop_count = loops_inside;
    }
    clopt_walker_end(walker);
}

/* Forgets what the loop has left in the variables, but for what it may depend on. */
static void end_loop(struct loop *loop, unsigned iterations)
{
    struct clopt_walker *walker = loop->walker;
    const struct clopt_node *body = loop->node->body;
    bool left = clopt_node_find(body, CLOPT_NODE_BREAK) || clopt_node_find(body, CLOPT_NODE_RETURN);
    if (left)
        iterations |= CLOPT_DEPENDS_ITEMS | walker->loops;
    for (size_t i = 0; i < loop->change_count; i++) {
        const struct change *change = &loop->changes[i];
        const struct clopt_content *value = &walker->values[change->variable];
        unsigned depends = clopt_content_depends(walker, value) | change->depends | iterations;
        struct clopt_content computed = clopt_content_computed(
            walker, loop->node, (unsigned)(walker->value_count + change->variable) + 1,
            depends & ~loop->bit);
        bool lost = change->elsewhere || (left && change->irregular);
        computed.array = lost ? NULL : value->array;
        clopt_walker_set(walker, change->variable, &computed);
    }
}

void clopt_walker_loop(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct loop loop = {.walker = walker, .node = node};
    bool silent = walker->silent;
    if (node->init)
        clopt_walker_walk(walker, node->init);
    walker->silent = true;
    loop.skips = clopt_loop_find_jump(node, CLOPT_NODE_CONTINUE) ||
                 clopt_node_find(node->body, CLOPT_NODE_GOTO);
    find_changes(&loop);
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node))
        if (is_write(node, at))
            note_step(&loop, at, clopt_node_use(at, node));
    loop.number = walker->loop_count++;
    loop.bit = loop.number < CLOPT_MOST_LOOPS ? CLOPT_DEPENDS_LOOP(loop.number) : 0;
    walker->loops |= loop.bit;
    find_depends(&loop);
    walker->silent = silent;
    begin_iteration(&loop);
    unsigned iterations = walk_iteration(walker, node);
    walker->loops &= ~loop.bit;
    end_loop(&loop, iterations);
    free(loop.changes);
}
