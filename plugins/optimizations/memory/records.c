/* SPDX-License-Identifier: BSD-3-Clause */
/* Records: rows of a known length that work-items have for themselves. A work-group brings all of
 * its rows into local memory together, so that neighbours read neighbours, its work-items compute
 * there, and it brings back what is written. */
#include "memory.h"

#include <clopt/coarsen.h>
#include <clopt/layout.h>
#include <clopt/loop.h>

#define LOCAL_DEFAULT 49152 /* bytes, where no device is known: what GPUs have now */
#define SHORT_ROW     32    /* bytes that memory brings at once: shorter rows come with others */
#define MOST_DEPTH    6     /* loops around an access */
#define MOST_STEPS    (1 << 17) /* iterations that are looked at */

struct moving {
    const char *names;
    size_t local[3];
    uint64_t room; /* bytes of local memory that are left */
    struct clopt_accesses accesses;
    struct clopt_nodes declared, filled, emptied;
};

/* The rows of one buffer. */
struct records {
    struct moving *all;
    struct clopt_source *source;
    struct clopt_variable *buffer;
    struct clopt_own_rows rows;
    bool read, written;
    bool *sure;  /* by column: each work-item accesses it, */
    bool *wrote; /* or writes it */
    size_t steps;
    struct clopt_variable *array;
};

static enum clopt_status refuse(const struct records *records, const struct clopt_node *node,
                                struct clopt_error *error, const char *reason)
{
    return clopt_source_refuse(records->source, node, error, "records: %s stays: %s",
                               records->buffer->name, reason);
}

/* ---- what each work-item accesses ---- */

/* The loops around an access, from the outermost one on. */
struct nest {
    const struct clopt_node *loops[MOST_DEPTH];
    size_t count;
};

/* Whether a loop may be left before its body has been executed in each iteration. */
static bool is_left(const struct clopt_node *loop, const struct clopt_node *child)
{
    return clopt_node_is_loop(loop) &&
           (child != loop->body || clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) ||
            clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE));
}

/* Finds the loops around an access; false where a condition may leave it out. */
static bool find_nest(const struct clopt_node *access, struct nest *nest)
{
    const struct clopt_node *child = access;
    nest->count = 0;
    for (const struct clopt_node *node = access->parent; node; child = node, node = node->parent) {
        if (clopt_node_chooses(node, child) || is_left(node, child))
            return false;
        if (!clopt_node_is_loop(node))
            continue;
        if (nest->count == MOST_DEPTH)
            return false;
        memmove(nest->loops + 1, nest->loops, nest->count++ * sizeof *nest->loops);
        nest->loops[0] = node;
    }
    return true;
}

struct bound {
    const struct records *records;
    const struct clopt_binding *bindings;
};

static bool value_of(const void *user, unsigned symbol, int64_t *value)
{
    const struct bound *bound = user;
    const struct clopt_node *node = bound->records->rows.symbols[symbol - 1];
    const struct clopt_binding *binding = bound->bindings;
    while (binding && (node->kind != CLOPT_NODE_VARIABLE || binding->variable != node->variable))
        binding = binding->outer;
    if (binding)
        *value = binding->value;
    return binding;
}

/* Notes the columns that an access has in all iterations of the loops from one on. */
static void cover(struct records *records, const struct clopt_own_element *element, bool writes,
                  const struct nest *nest, size_t depth, const struct clopt_binding *bindings)
{
    if (++records->steps > MOST_STEPS)
        return;
    if (depth == nest->count) {
        const struct bound bound = {records, bindings};
        int64_t column;
        if (clopt_affine_compute(&element->column, value_of, &bound, &column) && column >= 0 &&
            column < records->rows.width) {
            records->sure[column] = true;
            records->wrote[column] |= writes;
        }
        return;
    }
    struct clopt_iterations iterations;
    if (!clopt_iterations_find(nest->loops[depth], bindings, &iterations))
        return;
    for (size_t i = 0; i < iterations.count; i++) {
        const struct clopt_binding binding = {bindings, iterations.counter, true,
                                              iterations.values[i], 0};
        cover(records, element, writes, nest, depth + 1, &binding);
    }
}

/* Whether only a component of an element is accessed: the others stay. */
static bool is_part(const struct clopt_node *node)
{
    const struct clopt_node *at = node->parent;
    while (at->kind == CLOPT_NODE_PAREN)
        at = at->parent;
    return at->kind == CLOPT_NODE_SWIZZLE || at->kind == CLOPT_NODE_MEMBER ||
           at->kind == CLOPT_NODE_SUBSCRIPT;
}

/* Finds out what is done to an element, and which columns each work-item comes to. */
static void note_element(struct records *records, const struct clopt_own_element *element)
{
    const struct clopt_accesses *accesses = &records->all->accesses;
    bool reads = false, writes = false;
    struct nest nest;
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].node == element->node) {
            reads |= accesses->items[i].reads;
            writes |= accesses->items[i].writes;
        }
    reads |= is_part(element->node);
    records->read |= reads || !writes;
    records->written |= writes;
    if (find_nest(element->node, &nest))
        cover(records, element, writes && !reads, &nest, 0, NULL);
}

/* ---- what cannot be moved ---- */

/* Finds an access through a pointer that may lead to any buffer. */
static const struct clopt_node *find_unknown(const struct moving *all)
{
    for (size_t i = 0; i < all->accesses.count; i++) {
        const struct clopt_access *access = &all->accesses.items[i];
        if (!access->root &&
            (access->space == CLOPT_SPACE_GLOBAL || access->space == CLOPT_SPACE_GENERIC))
            return access->node;
    }
    return NULL;
}

static enum clopt_status check(struct records *records, struct clopt_error *error)
{
    struct clopt_source *source = records->source;
    const struct clopt_variable *buffer = records->buffer;
    const struct clopt_node *body = source->kernel->body;
    const struct clopt_node *unknown = find_unknown(records->all);
    if (unknown)
        return refuse(records, unknown, error, "this pointer may lead to it");
    if (buffer->pointee_scalar == CLOPT_SCALAR_NONE || strstr(buffer->type, "volatile"))
        return refuse(records, body, error, "its elements are structures, or volatile");
    CLOPT_TRY(clopt_own_rows_find(source, records->buffer, "records", &records->rows, error));
    if (strcmp(records->all->names, "all") == 0 &&
        (uint64_t)records->rows.width * buffer->pointee_bytes < SHORT_ROW)
        return refuse(records, records->rows.elements[0].node, error,
                      "its rows are short; name it where it is meant all the same");
    uint64_t elements = records->all->local[0] * (uint64_t)records->rows.width;
    if (elements * buffer->pointee_bytes > records->all->room)
        return refuse(records, body, error, "the rows of a work-group do not fit local memory");
    records->sure = clopt_source_table(source, (size_t)records->rows.width, sizeof(bool));
    records->wrote = clopt_source_table(source, (size_t)records->rows.width, sizeof(bool));
    for (size_t i = 0; i < records->rows.count; i++)
        note_element(records, &records->rows.elements[i]);
    /* The row is in the buffer where both its ends are. */
    if (!records->sure[0] || !records->sure[records->rows.width - 1])
        return refuse(records, records->rows.elements[0].node, error,
                      "it is not known whether each work-item accesses both ends of its row");
    return CLOPT_OK;
}

/* ---- rewriting ---- */

/* Returns what copies all rows of the group, in or out. */
static struct clopt_node *copy(const struct records *records, bool in)
{
    struct clopt_source *source = records->source;
    struct clopt_node *body = source->kernel->body;
    int64_t width = records->rows.width;
    struct clopt_dealing dealing = {
        .elements = (int64_t)records->all->local[0] * width,
        .index = clopt_variable_make(source, "const int", "", "index"),
    };
    struct clopt_node *own = clopt_build(source, body, "$v[$v / $l][$v % $l]", records->array,
                                         dealing.index, width, dealing.index, width);
    struct clopt_node *element =
        clopt_build(source, body, "$v[(get_global_id(0) - get_local_id(0)) * $l + $v]",
                    records->buffer, width, dealing.index);
    dealing.statement =
        clopt_build(source, body, "$n = $n;", in ? own : element, in ? element : own);
    return clopt_dealing_build(source, body, &dealing, records->all->local);
}

/* Whether each work-item writes all of its row, and reads none of it. */
static bool is_only_written(const struct records *records)
{
    bool all = !records->read;
    for (int64_t i = 0; i < records->rows.width; i++)
        all &= records->wrote[i];
    return all;
}

static enum clopt_status change(void *user, struct clopt_source *source, unsigned number,
                                struct clopt_error *error)
{
    struct moving *all = user;
    struct records records = {
        .all = all, .source = source, .buffer = source->kernel->parameters[number]};
    char scalar[32], type[64], dimensions[64];
    CLOPT_TRY(check(&records, error));
    const struct clopt_variable *buffer = records.buffer;
    clopt_scalar_print(buffer->pointee_scalar, buffer->pointee_width, scalar, sizeof scalar);
    snprintf(type, sizeof type, "__local %s", scalar);
    snprintf(dimensions, sizeof dimensions, "[%zu][%" PRId64 "]", all->local[0],
             records.rows.width);
    records.array = clopt_variable_make(source, type, dimensions, "%s_rows", buffer->name);
    all->room -= all->local[0] * (uint64_t)records.rows.width * buffer->pointee_bytes;
    clopt_nodes_put(source, &all->declared, NULL, "$V;", records.array);
    if (!is_only_written(&records))
        clopt_nodes_add(source, &all->filled, copy(&records, true));
    if (records.written)
        clopt_nodes_add(source, &all->emptied, copy(&records, false));
    for (size_t i = 0; i < records.rows.count; i++) {
        struct clopt_own_element *element = &records.rows.elements[i];
        clopt_replace_by(source, element->node, "$v[get_local_id(0)][$n]", records.array,
                         element->index);
    }
    return CLOPT_OK;
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct moving *all = user;
    struct clopt_node *body = source->kernel->body;
    static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";
    const struct clopt_node *leaves = clopt_node_find(body, CLOPT_NODE_RETURN);
    const struct buffers buffers = {
        .step = "records", .names = all->names, .user = all, .change = change};
    if (!leaves)
        leaves = clopt_node_find_effect(body, CLOPT_EFFECT_GOTO);
    if (leaves)
        return clopt_source_refuse(source, leaves, error,
                                   "records: work-items may leave here before their group does");
    clopt_accesses_add(&all->accesses, body);
    CLOPT_TRY(buffers_change(&buffers, source, error));
    if (all->filled.count)
        clopt_nodes_put(source, &all->filled, body, barrier);
    if (all->emptied.count)
        clopt_append(source, body, clopt_build(source, body, barrier));
    for (size_t i = 0; i < all->emptied.count; i++)
        clopt_append(source, body, all->emptied.items[i]);
    for (size_t i = all->filled.count; i-- > 0;)
        clopt_prepend(source, body, all->filled.items[i]);
    for (size_t i = all->declared.count; i-- > 0;)
        clopt_prepend(source, body, all->declared.items[i]);
    return CLOPT_OK;
}

enum clopt_status records_apply(struct clopt_transform *transform, const char *names,
                                struct clopt_error *error)
{
    const struct clopt_device_info *device = transform->device;
    const struct clopt_ndrange *ndrange = transform->ndrange;
    struct moving all = {.names = names,
                         .local = {1, 1, 1},
                         .room = device ? device->local_memory_bytes : LOCAL_DEFAULT};
    struct clopt_ndrange_change result = {.distinct_buffers = true};
    if (!ndrange || ndrange->dimensions != 1 || !ndrange->local[0])
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "records: the local size of %s is not known, or has several dimensions",
                          transform->kernel);
    all.local[0] = ndrange->local[0];
    result.local_only[0] = true;
    result.local_multiple[0] = all.local[0];
    enum clopt_status status =
        clopt_transform_edit(transform, CLOPT_INLINE_LOOPS, edit, &all, error);
    clopt_accesses_fini(&all.accesses);
    return status ? status : clopt_transform_change_ndrange(transform, &result, error);
}
