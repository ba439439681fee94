/* SPDX-License-Identifier: BSD-3-Clause */
/* Serialization: one work-item does the work of a whole work-group. What is between two barriers
 * becomes a loop over the work-items, the barriers go, and what a work-item keeps across them is an
 * element of an array (Stratton, Stone, Hwu: MCUDA, 2008; Jaaskelainen et al.: pocl, 2015).
 *
 * One dimension is serialized after the other. The innermost loop is that of the last one: what a
 * row of work-items reads is small where these were merged along it, while columns are vectors that
 * all its rows read again: these stay in the first cache. */
#include <stdio.h>

#include "coarsen.h"
#include "serial.h"

#define MOST_BYTES 262144 /* of all arrays, which are on a thread's stack */

static void refuse(struct serial *serial, const struct clopt_node *node,
                   const struct clopt_variable *variable, const char *reason)
{
    if (serial->problem)
        return;
    serial->problem = node;
    serial->name = variable ? variable->name : "";
    serial->reason = reason;
}

/* ---- runs: what is between two barriers ---- */

bool serial_is_dealing(const struct serial *serial, const struct clopt_node *node,
                       struct clopt_dealing *dealing)
{
    return serial->merging->group &&
           (node->kind == CLOPT_NODE_FOR || node->kind == CLOPT_NODE_COMPOUND) &&
           clopt_dealing_find(node, serial->merging->group, serial->merging->local, dealing);
}

bool serial_is_together(const struct clopt_node *node, const void *serial)
{
    struct clopt_dealing dealing;
    return clopt_node_is_barrier(node) || serial_is_dealing(serial, node, &dealing);
}

static bool differs(const struct clopt_node *node, const void *user)
{
    const struct serial *serial = user;
    return node->kind == CLOPT_NODE_DECLARATOR
               ? clopt_variable_diverges(serial->divergence, node->variable)
               : clopt_node_is_expression(node) && clopt_node_diverges(serial->divergence, node);
}

/* Whether a statement is executed once for all: no work-item tells it from another one, and it
 * changes private variables, or leaves a loop. */
static bool is_once(const struct serial *serial, const struct clopt_node *node)
{
    const unsigned effects = clopt_node_effects(node);
    return clopt_node_declares_local(node) ||
           ((node->kind == CLOPT_NODE_DECLARE ||
             (effects & (CLOPT_EFFECT_PRIVATE_WRITE | CLOPT_EFFECT_JUMP))) &&
            !(effects & CLOPT_EFFECT_ORDERED) && !clopt_node_search(node, differs, serial));
}

static bool leaves(const struct clopt_node *node, const void *statement)
{
    return (node->kind == CLOPT_NODE_BREAK || node->kind == CLOPT_NODE_CONTINUE) &&
           !clopt_node_contains(statement, clopt_node_target(node));
}

static void number_part(struct serial *serial, const struct clopt_node *part);

/* Numbers what is in a statement with a barrier. */
static void number_together(struct serial *serial, const struct clopt_node *node)
{
    struct clopt_dealing dealing;
    const struct clopt_node *held = serial_held_by(node);
    if (clopt_node_is_barrier(node) || serial_is_dealing(serial, node, &dealing))
        return;
    if (clopt_node_is_region(serial->divergence, node) ||
        clopt_node_is_region(serial->divergence, held))
        refuse(serial, node, NULL, "a barrier is inside a divergent region");
    else if (held->kind == CLOPT_NODE_COMPOUND || clopt_node_is_loop(held) ||
             held->kind == CLOPT_NODE_IF) {
        number_part(serial, held->kind == CLOPT_NODE_COMPOUND ? held : held->body);
        if (held->otherwise)
            number_part(serial, held->otherwise);
    } else
        refuse(serial, node, NULL,
               "a barrier is in a statement other than a loop, an if or a block");
}

/* Numbers the statements of a list, or of the one that a loop or an if holds. */
static void number_part(struct serial *serial, const struct clopt_node *part)
{
    bool list = part->kind == CLOPT_NODE_COMPOUND;
    bool open = false;
    for (size_t i = 0; i < (list ? part->child_count : 1); i++) {
        const struct clopt_node *node = list ? part->children[i] : part;
        if (clopt_node_search(node, serial_is_together, serial)) {
            number_together(serial, node);
            open = false;
        } else if (is_once(serial, node)) {
            open = false;
        } else {
            serial->run_count += !open;
            open = true;
            serial->runs[node->index] = serial->run_count;
            if (clopt_node_search(node, leaves, node))
                refuse(serial, node, NULL,
                       "work-items do more here than leave a loop with a barrier");
        }
    }
}

/* ---- what is kept across barriers ---- */

static void note_uses(struct serial *serial, const struct clopt_node *top);

/* What a variable that is computed again is computed from is used where the variable is. */
static void note_values(struct serial *serial, const struct clopt_variable *variable)
{
    struct held *held = &serial->held[variable->index];
    if (!held->repeated || held->run == serial->run || held->brought == serial->run)
        return;
    held->brought = serial->run;
    const struct clopt_node *declare = variable->declarator->parent;
    for (size_t i = 0; i < declare->child_count; i++)
        note_uses(serial, declare->children[i]->condition);
}

static void note_uses(struct serial *serial, const struct clopt_node *top)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top)) {
        unsigned use = clopt_node_use(node, top);
        struct held *held = use ? &serial->held[node->variable->index] : NULL;
        if (held && serial->run == OUTSIDE) {
            held->outside = true;
        } else if (held) {
            held->crosses |= held->run && held->run != serial->run;
            held->run = held->run ? held->run : serial->run;
            held->changes |= (use & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
            note_values(serial, node->variable);
        }
    }
}

/* Whether an array can hold what each work-item has of a variable. */
static bool fits_array(const struct clopt_variable *variable)
{
    return variable->scalar != CLOPT_SCALAR_NONE && !variable->is_pointer && !variable->is_record;
}

/* Whether an expression reads memory, or a variable that is changed, or one that a run declares and
 * that is neither computed again nor kept. */
static bool changes(const struct clopt_node *node, const void *user)
{
    const struct serial *serial = user;
    if (node->kind != CLOPT_NODE_VARIABLE || node->variable->is_array)
        return clopt_node_is_memory(node, NULL);
    const struct clopt_variable *variable = node->variable;
    bool here = variable->declarator && serial->runs[variable->declarator->parent->index];
    return clopt_node_is_memory(node, NULL) || variable->changed ||
           (here && !serial->held[variable->index].repeated && !fits_array(variable));
}

/* Whether a declaration gives all its variables values that can be computed anywhere. */
static bool is_repeated(const struct serial *serial, const struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++) {
        const struct clopt_node *value = declare->children[i]->condition;
        const struct clopt_variable *variable = declare->children[i]->variable;
        if (!value || variable->is_array || variable->changed || clopt_node_effects(value) ||
            clopt_node_search(value, changes, serial))
            return false;
    }
    return true;
}

/* Looks at the uses of variables, in the order of the text. */
static void find_uses(struct serial *serial, const struct clopt_node *node)
{
    size_t outer = serial->run;
    if (serial->runs[node->index])
        serial->run = serial->runs[node->index];
    bool whole = clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE;
    if (whole)
        note_uses(serial, node);
    for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++) {
        struct held *held = &serial->held[node->children[i]->variable->index];
        held->run = serial->run;
        held->outside |= serial->run == OUTSIDE && node->children[i]->condition;
        held->crosses |= serial->run == OUTSIDE;
        held->changes |= serial->run != OUTSIDE;
        held->repeated = serial->runs[node->index] && is_repeated(serial, node);
    }
    for (size_t i = 0; !whole && i < node->child_count; i++)
        find_uses(serial, node->children[i]);
    serial->run = outer;
}

static bool is_kept(const struct serial *serial, const struct clopt_variable *variable)
{
    const struct held *held = &serial->held[variable->index];
    bool together = held->outside && clopt_variable_diverges(serial->divergence, variable);
    bool lives = held->crosses || held->outside || !variable->declarator; /* arguments do, too */
    return held->changes && lives && variable->space == CLOPT_SPACE_PRIVATE &&
           (!held->repeated || together);
}

static void check_kept(struct serial *serial, const struct clopt_variable *variable)
{
    const struct clopt_node *at = variable->declarator;
    if (!at)
        refuse(serial, serial->source->kernel->body, variable,
               ", an argument, is changed by work-items");
    else if (serial->held[variable->index].outside)
        refuse(serial, at, variable, " is changed by each work-item, and read by all together");
    else if (!fits_array(variable))
        refuse(serial, at, variable,
               " is kept across a barrier, and is neither a number nor a vector");
    else if ((variable->uses & CLOPT_ADDRESS) || (variable->is_array && at->condition))
        refuse(serial, at, variable, " is kept across a barrier, and its address is taken");
}

/* Whether a variable is kept in one array with another one. */
static bool joins(const struct serial *serial, const struct clopt_variable *variable,
                  const struct clopt_variable *other)
{
    return other == variable ||
           (!variable->is_array && !other->is_array && other->scalar == variable->scalar &&
            other->width == variable->width && is_kept(serial, other));
}

/* Makes the array that holds what each work-item keeps of a variable and of others of its type, one
 * after the other: in arrays of their own, of 2^n bytes, they would evict each other from caches.
 */
static void make_array(struct serial *serial, const struct clopt_variable *variable)
{
    size_t items = serial->merging->merge.factor, elements = items, extent;
    char dimensions[128], type[32];
    size_t length = (size_t)snprintf(dimensions, sizeof dimensions, "[%zu]", items);
    unsigned count = 0;
    for (size_t i = variable->index; i < serial->source->variable_count; i++)
        if (joins(serial, variable, serial->source->variables[i]))
            serial->held[i].number = count++;
    bool joined = count > 1;
    for (size_t d = 0; (extent = joined ? count * !d : clopt_variable_extent(variable, d)) &&
                       length < sizeof dimensions;
         d++) {
        elements *= extent;
        length +=
            (size_t)snprintf(dimensions + length, sizeof dimensions - length, "[%zu]", extent);
    }
    serial->bytes += elements * clopt_scalar_bytes(variable->scalar, variable->width);
    if (serial->bytes > MOST_BYTES)
        refuse(serial, variable->declarator, variable,
               " and what else is kept across barriers is too much for private memory");
    clopt_scalar_print(variable->scalar, variable->width, type, sizeof type);
    struct clopt_variable *array = clopt_variable_make(
        serial->source, type, dimensions, variable->is_array || joined ? "%s" : "%s_items",
        joined ? "kept" : variable->name);
    for (size_t i = variable->index; i < serial->source->variable_count; i++)
        if (joins(serial, variable, serial->source->variables[i])) {
            serial->held[i].array = array;
            serial->held[i].joined = joined;
        }
    clopt_nodes_put(serial->source, &serial->arrays, variable->declarator, "$V;", array);
}

static void choose_arrays(struct serial *serial)
{
    for (size_t i = serial->source->variable_count; i-- > 0;) {
        const struct held *held = &serial->held[i];
        if (held->repeated && held->outside)
            note_uses(serial, serial->source->variables[i]->declarator->condition);
    }
    for (size_t i = 0; i < serial->source->variable_count; i++)
        if (is_kept(serial, serial->source->variables[i]))
            check_kept(serial, serial->source->variables[i]);
    for (size_t i = 0; i < serial->source->variable_count && !serial->problem; i++)
        if (is_kept(serial, serial->source->variables[i]) && !serial->held[i].array)
            make_array(serial, serial->source->variables[i]);
}

/* ---- the kernel ---- */

/* Only the last run may be left by a return, which ends the work of one work-item there. */
static void check_returns(struct serial *serial, const struct clopt_node *node, size_t run)
{
    run = serial->runs[node->index] ? serial->runs[node->index] : run;
    const struct clopt_node *target = node;
    while (node->kind == CLOPT_NODE_RETURN && target->parent && !clopt_node_is_loop(target))
        target = target->parent;
    if (node->kind == CLOPT_NODE_RETURN && run && (run != serial->run_count || target->parent))
        refuse(serial, node, NULL,
               "only some work-items return here; try branches with guards=yes");
    for (size_t i = 0; i < node->child_count; i++)
        check_returns(serial, node->children[i], run);
}

static bool is_other(const struct clopt_node *node, const void *user)
{
    (void)user;
    return clopt_node_is_expression(node) && !clopt_node_is_barrier(node) &&
           clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node;
}

static enum clopt_status rewrite(struct serial *serial, struct clopt_error *error)
{
    struct clopt_source *source = serial->source;
    struct clopt_node *body = source->kernel->body;
    serial->runs = clopt_source_table(source, source->node_count, sizeof *serial->runs);
    serial->held = clopt_source_table(source, source->variable_count, sizeof *serial->held);
    const struct clopt_node *other = clopt_node_search(body, is_other, NULL);
    if (other)
        return clopt_source_refuse(source, other, error, "serial: %s is for a whole work-group",
                                   other->name);
    number_part(serial, body);
    find_uses(serial, body);
    choose_arrays(serial);
    check_returns(serial, body, OUTSIDE);
    if (serial->problem)
        return clopt_source_refuse(source, serial->problem, error, "serial: %s%s", serial->name,
                                   serial->reason);
    serial->item =
        clopt_variable_make(source, "size_t", "", "item_%u", serial->merging->merge.dimension);
    clopt_replace(source, body, serial_build_part(serial, body));
    return clopt_merging_finish(serial->merging, error);
}

/* Serializes one dimension; the source is another one then. */
static enum clopt_status serialize(const struct clopt_transform *transform, unsigned dimension,
                                   const size_t local[3], struct clopt_source **source,
                                   struct clopt_error *error)
{
    struct clopt_merging merging = {0};
    struct clopt_divergence *divergence = NULL;
    const struct clopt_merge merge = {
        .factor = (unsigned)local[dimension], .dimension = dimension, .stride = 1, .whole = true};
    CLOPT_TRY(clopt_merging_prepare(transform, source, merge, false, &merging, &divergence, error));
    for (unsigned d = 0; d < 3; d++)
        merging.local[d] = local[d];
    struct serial serial = {.source = *source,
                            .merging = &merging,
                            .divergence = divergence,
                            .last = clopt_items_of(local) == merge.factor};
    CLOPT_TRY(rewrite(&serial, error));
    return clopt_source_reread(transform, source, error);
}

enum clopt_status serial_apply(struct clopt_transform *transform, const struct clopt_merge *request,
                               struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    struct clopt_ndrange_change change = {0};
    CLOPT_HELD(clopt_source) source = NULL;
    size_t local[3];
    if (request->factor > 1)
        CLOPT_TRY(coarsen_apply(transform, request, error));
    for (unsigned d = 0; d < 3; d++) {
        local[d] = ndrange && d < ndrange->dimensions ? ndrange->local[d] : 1;
        change.local_only[d] = ndrange && d < ndrange->dimensions;
        change.local_multiple[d] = change.merged_items[d] = change.local_only[d] ? local[d] : 0;
    }
    if (!ndrange || clopt_items_of(local) < 2)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "serial: the local size of %s is not known, or 1; set local_size",
                          transform->kernel);
    CLOPT_TRY(clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, &source, error));
    for (unsigned d = 0; d < 3; d++)
        if ((int64_t)local[d] == clopt_items_of(local) && serial_replace_scans(source, d, local[d]))
            CLOPT_TRY(clopt_source_reread(transform, &source, error));
    for (unsigned d = 3; d-- > 0;) {
        if (local[d] > 1)
            CLOPT_TRY(serialize(transform, d, local, &source, error));
        local[d] = 1;
    }
    CLOPT_TRY(clopt_transform_set_tree(transform, source, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
