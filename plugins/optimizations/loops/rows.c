/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps rows that a loop reads again in each of its iterations, by a short loop inside it, in
 * private arrays, which are filled in front of it if it has an iteration:
 *
 *     for (int j = 0; j < n; j++)               float q_row[64];
 *         for (int d = 0; d < 64; d++)          if (0 < n)
 *             s += q[r + d] * k[64 * j + d];        for (int d = 0; d < 64; d++)
 *                                           ->          q_row[d] = q[r + d];
 *                                               for (int j = 0; j < n; j++)
 *                                                   for (int d = 0; d < 64; d++)
 *                                                       s += q_row[d] * k[64 * j + d];
 */
#include "loops.h"

#define MOST_ROW 64 /* elements of a row: registers hold them */

/* A row that loops inside the one at hand read. */
struct row {
    struct clopt_node *form; /* of an element, whose number is rows.number */
    int64_t count;
    struct clopt_variable *array;
};

struct rows {
    struct clopt_source *source;
    const struct clopt_node *loop; /* at hand */
    struct clopt_trip trip;
    struct clopt_accesses accesses; /* of the kernel as it was */
    struct clopt_variable *number;  /* of an element, of this type */
    enum clopt_scalar scalar;
    struct row *items;
    size_t count;
    bool distinct; /* what is read is not written, unless a buffer is two arguments */
};

/* ---- what is read ---- */

/* Whether a node is executed, and as often, whenever what is around it is. */
static bool is_sure(const struct clopt_node *node, const struct clopt_node *around)
{
    for (const struct clopt_node *parent = node->parent; parent != around;
         node = parent, parent = node->parent) {
        bool chooses = parent->kind == CLOPT_NODE_IF || parent->kind == CLOPT_NODE_CONDITIONAL ||
                       clopt_node_is_logical(parent);
        if (clopt_node_is_loop(parent) || parent->kind == CLOPT_NODE_SWITCH ||
            parent->kind == CLOPT_NODE_SIZEOF || (chooses && node != parent->children[0]))
            return false;
    }
    return true;
}

/* Whether an element has one value in all iterations of the loop at hand, but for a counter. */
static bool is_invariant(struct rows *rows, const struct clopt_node *top,
                         const struct clopt_variable *counter)
{
    if (clopt_node_effects(top) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ)
        return false;
    for (size_t i = 0; i < rows->accesses.count; i++)
        if (clopt_node_contains(top, rows->accesses.items[i].node) &&
            !loops_read_is_constant(&rows->accesses, &rows->accesses.items[i], &rows->distinct))
            return false;
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top))
        if (node->callee ||
            (node->kind == CLOPT_NODE_CALL && strncmp(node->name, "get_", 4) != 0) ||
            (node->kind == CLOPT_NODE_VARIABLE && node->variable != counter &&
             (node->variable->changed || clopt_node_declares(rows->loop, node->variable))))
            return false;
    return true;
}

/* Finds the short loop inside the one at hand whose iterations each read an element of a row. */
static bool find_short(struct rows *rows, const struct clopt_access *access,
                       struct clopt_trip *trip)
{
    const struct clopt_node *node = access->node, *loop = node;
    if (!clopt_node_contains(rows->loop->body, node))
        return false;
    while (!clopt_node_is_loop(loop))
        loop = loop->parent;
    bool counts = loop->kind == CLOPT_NODE_FOR && clopt_trip_find(loop, NULL, trip) &&
                  trip->declared && trip->first_known && trip->first_value == 0 &&
                  trip->step == 1 && trip->count_known && trip->count > 1 &&
                  trip->count <= MOST_ROW;
    return loop != rows->loop && counts && clopt_node_contains(loop->body, node) &&
           (!rows->number || trip->counter->scalar == rows->scalar) &&
           clopt_node_uses(node, trip->counter) && is_sure(node, loop) &&
           is_sure(loop, rows->loop) && clopt_node_is_memory(node, NULL) &&
           access->space == CLOPT_SPACE_GLOBAL && node->scalar >= CLOPT_SCALAR_CHAR &&
           node->scalar != CLOPT_SCALAR_HALF && !clopt_node_is_loaded(node) &&
           is_invariant(rows, node, trip->counter);
}

/* ---- edits ---- */

struct replacement {
    const struct clopt_variable *variable;
    struct clopt_node *value;
};

static struct clopt_node *replace(void *user, const struct clopt_node *node)
{
    const struct replacement *replacement = user;
    return node->kind == CLOPT_NODE_VARIABLE && node->variable == replacement->variable
               ? replacement->value
               : NULL;
}

/* Returns an expression with something else in place of a variable. */
static struct clopt_node *with(struct rows *rows, const struct clopt_node *node,
                               const struct clopt_variable *variable, struct clopt_node *value)
{
    struct replacement replacement = {variable, value};
    const struct clopt_cloning cloning = {
        .source = rows->source, .user = &replacement, .node = replace, .plain = true};
    return clopt_clone(&cloning, node);
}

/* Returns the row that an access reads, which is a new one where none is the same. */
static struct row *get_row(struct rows *rows, const struct clopt_access *access,
                           const struct clopt_trip *trip)
{
    struct clopt_source *source = rows->source;
    const struct clopt_node *node = access->node;
    char type[32], dimensions[24], width[12] = "";
    if (!rows->number) {
        rows->scalar = trip->counter->scalar;
        rows->number = clopt_variable_make(source, clopt_scalar_name(rows->scalar), "", "%s",
                                           trip->counter->name);
    }
    struct clopt_node *form =
        with(rows, node, trip->counter, clopt_build(source, NULL, "$v", rows->number));
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].count == trip->count && clopt_nodes_equal(rows->items[i].form, form))
            return &rows->items[i];
    if (node->width > 1)
        snprintf(width, sizeof width, "%u", node->width);
    snprintf(type, sizeof type, "%s%s", clopt_scalar_name(node->scalar), width);
    snprintf(dimensions, sizeof dimensions, "[%" PRId64 "]", trip->count);
    struct row *row = &rows->items[rows->count++];
    *row = (struct row){form, trip->count,
                        clopt_variable_make(source, type, dimensions, "%s_row",
                                            access->root ? access->root->name : "own")};
    return row;
}

/* Fills a row in front of the loop, where that has an iteration. */
static void fill(struct rows *rows, const struct row *row)
{
    struct clopt_source *source = rows->source;
    const struct clopt_trip *trip = &rows->trip;
    struct clopt_node *target = (struct clopt_node *)rows->loop, *number;
    number = clopt_build(source, NULL, "$v", rows->number);
    struct clopt_node *filling =
        clopt_build(source, target, "for ($V = 0; $v < $l; $v++) $v[$n] = $n;", rows->number,
                    rows->number, row->count, rows->number, row->array, number, row->form);
    if (!trip->count_known || trip->count < 1) {
        const struct clopt_cloning plain = {.source = source, .plain = true};
        struct clopt_node *first = clopt_clone(&plain, trip->first);
        if (trip->first->scalar != trip->counter->scalar)
            first = clopt_build(source, NULL, "($t)($n)", clopt_scalar_name(trip->counter->scalar),
                                first);
        filling = clopt_build(source, target, "if ($n) $n",
                              with(rows, rows->loop->condition, trip->counter, first), filling);
    }
    if (target->parent->kind == CLOPT_NODE_ATTRIBUTED)
        target = target->parent;
    clopt_insert_before(source, target, clopt_build(source, NULL, "$V;", row->array));
    clopt_insert_before(source, target, filling);
}

/* ---- the kernel ---- */

/* Whether it is known in front of a loop that it has an iteration, and all of it is executed. */
static bool is_whole(struct rows *rows)
{
    const struct clopt_node *loop = rows->loop;
    const unsigned reads = CLOPT_EFFECT_MEMORY_READ;
    return loop->kind == CLOPT_NODE_FOR && clopt_trip_find(loop, NULL, &rows->trip) &&
           rows->trip.first && !(clopt_node_effects(loop->body) & CLOPT_EFFECT_JUMP) &&
           !(clopt_node_effects(rows->source->kernel->body) & CLOPT_EFFECT_GOTO) &&
           !(clopt_node_effects(loop->condition) & ~reads) &&
           !(clopt_node_effects(rows->trip.first) & ~reads);
}

static enum clopt_status keep(void *user, struct clopt_rewriting *rewriting,
                              struct clopt_node *loop, struct clopt_error *error)
{
    struct rows *rows = user;
    struct clopt_source *source = rows->source = rewriting->source;
    if (!rows->accesses.items)
        clopt_accesses_add(&rows->accesses, source->kernel->body);
    rows->loop = loop;
    rows->number = NULL;
    rows->count = 0;
    rows->items = clopt_source_table(source, rows->accesses.count, sizeof *rows->items);
    bool whole = is_whole(rows);
    for (size_t i = 0; whole && i < rows->accesses.count; i++) {
        const struct clopt_access *access = &rows->accesses.items[i];
        struct clopt_trip trip;
        if (find_short(rows, access, &trip))
            clopt_replace_by(source, (struct clopt_node *)access->node, "$v[$v]",
                             get_row(rows, access, &trip)->array, trip.counter);
    }
    for (size_t i = 0; i < rows->count; i++)
        fill(rows, &rows->items[i]);
    if (!rows->count)
        return clopt_source_refuse(source, loop, error,
                                   "registers: no row of at most %d elements is read again in each "
                                   "iteration",
                                   MOST_ROW);
    for (size_t i = 0; i < rewriting->chosen.count; i++)
        if (clopt_node_contains(loop, rewriting->chosen.items[i])) /* what is inside has changed */
            rewriting->factors[rewriting->chosen.items[i]->index] = -1;
    return CLOPT_OK;
}

enum clopt_status rows_apply(struct clopt_transform *transform, const char *loops, unsigned factor,
                             struct clopt_error *error)
{
    struct rows rows = {.source = NULL};
    enum clopt_status status = clopt_loops_rewrite(transform, loops, factor, keep, &rows, error);
    clopt_accesses_fini(&rows.accesses);
    const struct clopt_ndrange_change change = {.distinct_buffers = rows.distinct};
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}
