/* SPDX-License-Identifier: BSD-3-Clause */
/* Reuses what loops with the same iterations read one after the other, such as a row: the first of
 * them stores it in private memory, an element an iteration.
 *
 *     for (int j = part; j < 1024; j += 64)     for (int i = 0; i < 16; i++) {
 *         most = max(most, in[r + j]);      ->      int j = part + 64 * i;
 *     for (int j = part; j < 1024; j += 64)         most = max(most, in_row[i] = in[r + j]);
 *         sum += exp(in[r + j] - most);         }
 *                                               for (...) sum += exp(in_row[i] - most);
 *
 * An element that the first loop reads under conditions is there under these in the others. */
#include "../shared/range.h"
#include "loops.h"

#define MOST_ITERATIONS 64 /* of a work-item: registers hold the elements */
#define MOST_CONDITIONS 8
#define MOST_BITS       32 /* of a variable */

struct row_loop {
    struct clopt_node *node;
    struct clopt_trip trip;
    const struct clopt_node *home; /* the outermost block that it is in no other loop of */
    int64_t count;                 /* of iterations that a work-item has at most, */
    bool whole;                    /* or each one has */
    struct clopt_variable *number; /* of an iteration, where it is needed */
};

/* A read, and what has to hold for it to be executed, as iterations of all loops have it. */
struct read {
    struct reuse *reuse;
    struct clopt_node *node, *form;
    const char *buffer;
    struct row_loop *loop;
    struct clopt_node *conditions[MOST_CONDITIONS];
    bool holds[MOST_CONDITIONS];
    size_t condition_count;
    bool inside;                  /* a part of its statement alone is executed under them */
    bool partial;                 /* there are other conditions */
    bool valued;                  /* it is asked for more than whether it is 0 */
    struct read *first;           /* that stores what this one needs, or NULL */
    struct clopt_variable *array; /* or bits, where it does so for others; NULL: it does not */
};

struct reuse {
    struct clopt_source *source;
    struct clopt_variable *counter; /* in forms, that of the loop */
    struct clopt_accesses accesses;
    struct row_loop *loops;
    struct read *reads;
    size_t loop_count, read_count;
    bool distinct; /* what is read is not written, unless a buffer is two arguments */
};

/* ---- what stays the same ---- */

bool loops_read_is_constant(const struct clopt_accesses *accesses, const struct clopt_access *read,
                            bool *distinct)
{
    bool apart = false;
    if (!read->root || !read->root->is_parameter || !read->root->is_pointer || read->writes)
        return false;
    for (size_t i = 0; i < accesses->count; i++) {
        const struct clopt_access *other = &accesses->items[i];
        bool same = other->root == read->root;
        if (!other->writes || (!same && !clopt_accesses_alias(other, read)))
            continue;
        if (same || !other->root || !other->root->is_parameter)
            return false;
        apart = true;
    }
    *distinct |= apart;
    return true;
}

/* Whether an expression has one value in an iteration, which its number alone decides. */
static bool is_stable(struct reuse *reuse, const struct row_loop *loop,
                      const struct clopt_node *top)
{
    if (clopt_node_effects(top) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ)
        return false;
    for (size_t i = 0; i < reuse->accesses.count; i++)
        if (clopt_node_contains(top, reuse->accesses.items[i].node) &&
            !loops_read_is_constant(&reuse->accesses, &reuse->accesses.items[i], &reuse->distinct))
            return false;
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top)) {
        const struct clopt_variable *variable = node->variable;
        if (node->callee || (node->kind == CLOPT_NODE_CALL && strncmp(node->name, "read_", 5) == 0))
            return false;
        if (node->kind != CLOPT_NODE_VARIABLE || variable == loop->trip.counter)
            continue;
        const struct clopt_node *value = clopt_variable_value(variable);
        bool inside = clopt_node_declares(loop->node->body, variable);
        bool whole = value && value->scalar == variable->scalar && value->width == variable->width;
        if (variable->changed || (inside && !(whole && is_stable(reuse, loop, value))))
            return false;
    }
    return true;
}

/* ---- loops ---- */

/* Whether a loop may have rows. */
static bool judge(struct reuse *reuse, struct row_loop *loop)
{
    const struct clopt_trip *trip = &loop->trip;
    if (loop->node->kind != CLOPT_NODE_FOR || !clopt_trip_find(loop->node, NULL, &loop->trip) ||
        !trip->first || !trip->bound->known || trip->unequal || trip->step < 0 ||
        !(trip->declared || clopt_loop_ends_variable(loop->node, trip->counter)) ||
        (clopt_node_effects(loop->node->body) & CLOPT_EFFECT_JUMP) ||
        (clopt_node_effects(reuse->source->kernel->body) & CLOPT_EFFECT_GOTO))
        return false;
    struct range first = range_of(trip->first);
    int64_t end = trip->bound->value + trip->inclusive, step = trip->step;
    loop->count = (end - first.least + step - 1) / step;
    loop->whole = first.most < end && (end - first.most + step - 1) / step == loop->count;
    for (loop->home = loop->node; loop->home->parent; loop->home = loop->home->parent)
        if (clopt_node_is_loop(loop->home->parent) || loop->home->parent->kind == CLOPT_NODE_SWITCH)
            break;
    return first.least < end && first.most <= INT32_MAX - step * loop->count &&
           (!loop->home->parent || clopt_node_is_loop(loop->home->parent)) &&
           loop->count <= MOST_ITERATIONS && is_stable(reuse, loop, trip->first);
}

/* Whether two loops have the same iterations, where both are executed. */
static bool are_alike(const struct row_loop *a, const struct row_loop *b)
{
    return a != b && a->home == b->home && a->trip.bound->value == b->trip.bound->value &&
           a->trip.inclusive == b->trip.inclusive && a->trip.step == b->trip.step &&
           a->trip.counter->scalar == b->trip.counter->scalar &&
           clopt_nodes_equal(a->trip.first, b->trip.first);
}

/* ---- reads ---- */

static struct clopt_node *form(struct read *read, const struct clopt_node *node);

static struct clopt_node *form_part(void *user, const struct clopt_node *node)
{
    struct read *read = user;
    if (node->kind == CLOPT_NODE_PAREN)
        return form(read, node->children[0]);
    if (node->kind != CLOPT_NODE_VARIABLE)
        return NULL;
    if (node->variable == read->loop->trip.counter)
        return clopt_build(read->reuse->source, NULL, "$v", read->reuse->counter);
    return clopt_node_declares(read->loop->node->body, node->variable)
               ? form(read, clopt_variable_value(node->variable))
               : NULL;
}

/* Returns a stable expression as iterations of all loops have it. */
static struct clopt_node *form(struct read *read, const struct clopt_node *node)
{
    const struct clopt_cloning cloning = {
        .source = read->reuse->source, .user = read, .node = form_part, .plain = true};
    return clopt_clone(&cloning, node);
}

static bool note_condition(void *user, const struct clopt_node *node, bool holds)
{
    struct read *read = user;
    if (read->condition_count == MOST_CONDITIONS || !is_stable(read->reuse, read->loop, node)) {
        read->partial = true;
        return true;
    }
    read->holds[read->condition_count] = holds;
    read->conditions[read->condition_count++] = form(read, node);
    return true;
}

/* Notes under what a part of a node is executed. */
static void add_conditions(struct read *read, const struct clopt_node *part)
{
    const struct clopt_node *node = part->parent;
    bool chooses = node->kind == CLOPT_NODE_IF || node->kind == CLOPT_NODE_CONDITIONAL;
    read->partial |= node->kind == CLOPT_NODE_SWITCH || node->kind == CLOPT_NODE_SIZEOF;
    if ((!chooses && !clopt_node_is_logical(node)) || part == node->children[0])
        return;
    read->inside |= node->kind != CLOPT_NODE_IF;
    clopt_condition_parts(node->children[0], chooses ? part == node->children[1] : *node->op == '&',
                          note_condition, read);
}

/* Finds out whether what an access reads in a loop may be stored, or have been. */
static bool find_read(struct reuse *reuse, const struct clopt_access *access, struct read *read)
{
    struct clopt_node *node = (struct clopt_node *)access->node;
    const struct clopt_node *around = node;
    while (around && !clopt_node_is_loop(around))
        around = around->parent;
    *read = (struct read){reuse, .node = node, .buffer = access->root ? access->root->name : ""};
    for (size_t i = 0; i < reuse->loop_count; i++)
        if (reuse->loops[i].node == around && clopt_node_contains(around->body, node))
            read->loop = &reuse->loops[i];
    if (!read->loop || !clopt_node_is_memory(node, NULL) || access->space != CLOPT_SPACE_GLOBAL ||
        node->scalar < CLOPT_SCALAR_CHAR || node->scalar == CLOPT_SCALAR_HALF ||
        clopt_node_is_loaded(node) || !is_stable(reuse, read->loop, node))
        return false;
    for (const struct clopt_node *part = node; part != read->loop->home; part = part->parent)
        add_conditions(read, part);
    read->form = form(read, node);
    while (node->parent->kind == CLOPT_NODE_PAREN)
        node = node->parent;
    around = node->parent;
    bool tests = around->kind == CLOPT_NODE_IF || around->kind == CLOPT_NODE_CONDITIONAL;
    tests = tests ? around->children[0] == node
                  : clopt_node_is_logical(around) || clopt_node_is_operator(around, "!");
    read->valued = !tests || node->width > 1 || read->inside || read->loop->count > MOST_BITS;
    return true;
}

/* Whether a read has been executed by another loop wherever this one is. */
static bool is_covered(const struct read *read, const struct read *first)
{
    bool covered = !first->first && !first->partial && are_alike(first->loop, read->loop) &&
                   clopt_nodes_equal(first->form, read->form);
    for (size_t i = 0; covered && i < first->condition_count; i++) {
        covered = false;
        for (size_t k = 0; k < read->condition_count; k++)
            covered |= first->holds[i] == read->holds[k] &&
                       clopt_nodes_equal(first->conditions[i], read->conditions[k]);
    }
    return covered;
}

/* Finds which reads are to store what others read again; returns whether there is one. */
static bool find_reads(struct reuse *reuse)
{
    bool any = false;
    reuse->reads =
        clopt_source_table(reuse->source, reuse->accesses.count + 1, sizeof *reuse->reads);
    for (size_t i = 0; i < reuse->accesses.count; i++) {
        struct read *read = &reuse->reads[reuse->read_count];
        if (!find_read(reuse, &reuse->accesses.items[i], read))
            continue;
        for (size_t k = 0; k < reuse->read_count && !read->first; k++)
            if (is_covered(read, &reuse->reads[k]))
                read->first = &reuse->reads[k];
        any |= read->first != NULL;
        (read->first ? read->first : read)->valued |= read->valued;
        reuse->read_count++;
    }
    return any;
}

/* ---- edits ---- */

/* Returns the element, or bit, of an iteration; its array is made when it is first asked for. */
static struct clopt_node *element(struct reuse *reuse, struct read *first, struct row_loop *loop)
{
    char type[32], dimensions[24], width[12] = "";
    struct clopt_source *source = reuse->source;
    if (first->node->width > 1)
        snprintf(width, sizeof width, "%u", first->node->width);
    snprintf(type, sizeof type, "%s%s",
             first->valued ? clopt_scalar_name(first->node->scalar) : "uint", width);
    snprintf(dimensions, sizeof dimensions, "[%" PRId64 "]", loop->count);
    if (!first->array) {
        first->array = clopt_variable_make(source, type, first->valued ? dimensions : "", "%s_row",
                                           first->buffer);
        clopt_prepend(source, source->kernel->body, clopt_build(source, NULL, "$V;", first->array));
    }
    if (!loop->number)
        loop->number = clopt_variable_make(source, "int", "", "iteration");
    return clopt_build(source, NULL, first->valued ? "$v[$v]" : "$v >> $v & 1", first->array,
                       loop->number);
}

/* Stores what a read finds: before its statement, where that is executed if the read is. */
static void store(struct reuse *reuse, struct read *read)
{
    struct clopt_source *source = reuse->source;
    struct clopt_node *statement = read->node, *own = element(reuse, read, read->loop);
    struct clopt_node *stored = read->valued
                                    ? clopt_build(source, read->node, "$n = $n", own, read->node)
                                    : clopt_build(source, read->node, "$v |= (uint)($n != 0) << $v",
                                                  read->array, read->node, read->loop->number);
    while (!clopt_node_is_statement(statement))
        statement = statement->parent;
    if (!read->valued)
        clopt_insert_before(source, read->loop->node,
                            clopt_build(source, NULL, "$v = 0;", read->array));
    clopt_replace_by(source, read->node, "($n)", read->inside ? stored : own);
    if (!read->inside)
        clopt_insert_before(source, statement, clopt_build(source, NULL, "$n;", stored));
}

/* Has a loop count its iterations from 0, and be unrolled: registers hold what it stores. */
static void number(struct clopt_source *source, const struct row_loop *loop)
{
    struct clopt_node *node = loop->node;
    struct clopt_nodes list = {0};
    struct clopt_node *at = clopt_build(source, node, "$l * $v", loop->trip.step, loop->number);
    if (!loop->trip.first_known || loop->trip.first_value)
        at = clopt_build(source, node, "$n + $n", loop->trip.first, at);
    clopt_nodes_put(source, &list, node, loop->trip.declared ? "$V = $n;" : "$v = $n;",
                    loop->trip.counter, at);
    if (loop->whole)
        clopt_nodes_put(source, &list, node, "$n", node->body);
    else
        clopt_nodes_put(source, &list, node, "if ($n) $n", node->condition, node->body);
    clopt_replace_by(source, node->body, "{ $N }", &list);
    clopt_replace_by(source, node->init, "$V = 0;", loop->number);
    clopt_replace_by(source, node->condition, "$v < $l", loop->number, loop->count);
    clopt_replace_by(source, node->step, "$v++", loop->number);
    if (node->parent->kind == CLOPT_NODE_ATTRIBUTED)
        return;
    struct clopt_node *pragma = clopt_build(source, node, "#pragma unroll\n;");
    clopt_replace(source, node, pragma);
    clopt_replace(source, pragma->body, node);
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct reuse *reuse = user;
    struct clopt_node *body = source->kernel->body;
    reuse->source = source;
    reuse->counter = clopt_variable_make(source, "int", "", "counter");
    reuse->loops = clopt_source_table(source, source->node_count, sizeof *reuse->loops);
    clopt_accesses_add(&reuse->accesses, body);
    for (struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        struct row_loop *loop = &reuse->loops[reuse->loop_count];
        *loop = (struct row_loop){.node = node};
        reuse->loop_count += judge(reuse, loop);
    }
    if (!find_reads(reuse))
        return clopt_source_refuse(source, body, error,
                                   "reuse: no loop reads what another one with the same iterations "
                                   "has read, of which 64 at most are known (see specialise, "
                                   "divide)");
    for (size_t i = reuse->read_count; i-- > 0;) {
        struct read *read = &reuse->reads[i];
        if (read->first)
            clopt_replace(source, read->node, element(reuse, read->first, read->loop));
        else if (read->array) /* those that follow are done */
            store(reuse, read);
    }
    for (size_t i = reuse->loop_count; i-- > 0;)
        if (reuse->loops[i].number)
            number(source, &reuse->loops[i]);
    return CLOPT_OK;
}

enum clopt_status reuse_apply(struct clopt_transform *transform, const char *loops, unsigned factor,
                              struct clopt_error *error)
{
    struct reuse reuse = {0};
    (void)loops, (void)factor;
    enum clopt_status status =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, &reuse, error);
    clopt_accesses_fini(&reuse.accesses);
    const struct clopt_ndrange_change change = {.distinct_buffers = reuse.distinct};
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}
