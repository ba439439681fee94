/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps floats that are only read as half in memory: the host converts the buffer, the kernel reads
 * it by vload_half and computes as before. Results differ by what was rounded. */
#include "memory.h"

#define VALUE "half"

/* Buffers on their way to half. */
struct narrowing {
    const struct clopt_transform *transform;
    struct clopt_accesses accesses;
    struct clopt_ndrange_change change;
};

/* One of them, and how the kernel reads it. */
struct reads {
    struct clopt_source *source;
    const struct clopt_variable *array;
    bool *known;              /* of nodes that name the array: how they use it, by their index */
    struct clopt_nodes found; /* what reads elements, outer nodes before those that they hold */
};

/* The names after the value; NULL: it is none. */
static const char *read_names(const char *value)
{
    size_t length = strlen(VALUE);
    if (strncmp(value, VALUE, length) != 0 || (value[length] && value[length] != ':'))
        return NULL;
    const char *names = value[length] ? value + length + 1 : "all";
    return *names ? names : NULL;
}

enum clopt_status narrow_check(const char *value, struct clopt_error *error)
{
    return read_names(value)
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INFEASIBLE,
                            "narrow: %s is not " VALUE
                            "; after a colon, parameters of the kernel may follow, joined by +",
                            value);
}

/* ---- reads ---- */

static bool is_read(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_SUBSCRIPT ||
           (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"));
}

/* Which child of a node, which is no call, is an address. */
static size_t address_number(const struct clopt_node *node)
{
    return node->child_count == 2 && !clopt_node_is_address(node->children[0]);
}

/* The address at which an element, or a vector of them, is read; NULL: the node does not read. */
static struct clopt_node *address_read(const struct clopt_node *node)
{
    bool loads = node->kind == CLOPT_NODE_CALL && !node->callee && node->child_count == 2 &&
                 strncmp(node->name, "vload", strlen("vload")) == 0;
    return loads ? node->children[1] : is_read(node) ? node->children[address_number(node)] : NULL;
}

/* The name that an address is computed from: a of a + i and &a[i]; NULL: there is no such one. */
static const struct clopt_node *name_in(const struct clopt_node *address)
{
    for (;;) {
        const struct clopt_node *bare = clopt_node_bare(address);
        bool sum = bare->kind == CLOPT_NODE_BINARY && strchr("+-", *bare->op) && !bare->op[1];
        bool taken = bare->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(bare, "&");
        if (taken)
            bare = clopt_node_bare(bare->children[0]);
        if (taken != is_read(bare))
            return NULL; /* it leads to another array, or to the pointer */
        if (!sum && !is_read(bare))
            return bare->kind == CLOPT_NODE_VARIABLE ? bare : NULL;
        address = bare->children[address_number(bare)];
    }
}

static bool is_addressed(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    while (parent->kind == CLOPT_NODE_PAREN)
        parent = parent->parent;
    return parent->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(parent, "&");
}

static void collect(struct reads *reads, struct clopt_node *node)
{
    struct clopt_node *address = address_read(node);
    const struct clopt_node *name = address ? name_in(address) : NULL;
    bool plain = name && (reads->array->pointee_width == 1 || clopt_node_bare(address) == name);
    if (node->kind == CLOPT_NODE_SIZEOF)
        return;
    if (plain && name->variable == reads->array && !node->is_volatile && !is_addressed(node)) {
        reads->known[name->index] = true;
        clopt_nodes_add(reads->source, &reads->found, node);
    }
    for (size_t i = 0; i < node->child_count; i++)
        collect(reads, node->children[i]);
}

static bool is_unknown(const struct clopt_node *node, const void *user)
{
    const struct reads *reads = user;
    return clopt_node_names(node, reads->array) && !reads->known[node->index];
}

static void rewrite(struct reads *reads, struct clopt_node *node)
{
    struct clopt_node *address = address_read(node);
    char width[12] = "";
    if (reads->array->pointee_width > 1)
        snprintf(width, sizeof width, "%u", reads->array->pointee_width);
    if (node->kind == CLOPT_NODE_CALL)
        clopt_replace_by(reads->source, node, "vload_half$s($n, $n)", node->name + strlen("vload"),
                         node->children[0], address);
    else if (node->kind == CLOPT_NODE_SUBSCRIPT)
        clopt_replace_by(reads->source, node, "vload_half$s($n, $n)", width,
                         node->children[!address_number(node)], address);
    else
        clopt_replace_by(reads->source, node, "vload_half$s(0, $n)", width, address);
}

/* ---- the whole ---- */

static bool holds_floats(void *user, const struct clopt_source *source,
                         const struct clopt_variable *parameter)
{
    unsigned width = parameter->pointee_width;
    (void)user;
    (void)source;
    return parameter->pointee_scalar == CLOPT_SCALAR_FLOAT && width != 3 &&
           parameter->pointee_bytes == 4 * (size_t)width;
}

static enum clopt_status change(void *user, struct clopt_source *source, unsigned number,
                                struct clopt_error *error)
{
    struct narrowing *narrowing = user;
    struct clopt_variable *array = source->kernel->parameters[number];
    struct clopt_node *body = source->kernel->body;
    struct reads reads = {.source = source, .array = array};
    if (!holds_floats(NULL, source, array))
        return clopt_source_refuse(source, body, error,
                                   "narrow: the elements of %s are no floats, and no vectors of 2, "
                                   "4, 8 or 16 of them",
                                   array->name);
    CLOPT_TRY(layout_check_own(narrowing->transform, source, number, "narrow", error));
    if (narrowing->change.layout_count == CLOPT_MOST_LAYOUTS)
        return clopt_source_refuse(source, body, error, "narrow: more than %d buffers",
                                   CLOPT_MOST_LAYOUTS);
    const struct clopt_node *write = buffers_find_write(&narrowing->accesses, array);
    if (write)
        return clopt_source_refuse(source, write, error, "narrow: %s may be written here",
                                   array->name);
    reads.known = clopt_source_table(source, source->node_count, sizeof *reads.known);
    collect(&reads, body);
    const struct clopt_node *other = clopt_node_search(body, is_unknown, &reads);
    if (other)
        return clopt_source_refuse(source, other, error,
                                   "narrow: %s is used here other than to read its elements",
                                   array->name);
    if (!reads.found.count)
        return clopt_source_refuse(source, body, error, "narrow: %s is not read", array->name);
    if (!clopt_parameter_set_pointee(source, array, CLOPT_SCALAR_HALF))
        return clopt_source_refuse(source, body, error,
                                   "narrow: how %s is declared is not understood", array->name);
    while (reads.found.count)
        rewrite(&reads, reads.found.items[--reads.found.count]);
    narrowing->change.layouts[narrowing->change.layout_count++] = (struct clopt_layout){
        .argument = number, .element_bytes = 4, .narrow = true, .row = clopt_affine_constant(1)};
    narrowing->change.distinct_buffers = true;
    return CLOPT_OK;
}

struct edit {
    struct narrowing *narrowing;
    const char *names;
};

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct edit *own = user;
    const struct buffers buffers = {.step = "narrow",
                                    .names = own->names,
                                    .constant = true,
                                    .user = own->narrowing,
                                    .is_candidate = holds_floats,
                                    .none = "has no buffer of floats",
                                    .change = change};
    clopt_accesses_add(&own->narrowing->accesses, source->kernel->body);
    enum clopt_status status = buffers_change(&buffers, source, error);
    clopt_accesses_fini(&own->narrowing->accesses);
    return status;
}

enum clopt_status narrow_apply(struct clopt_transform *transform, const char *value,
                               struct clopt_error *error)
{
    struct narrowing narrowing = {.transform = transform};
    CLOPT_TRY(narrow_check(value, error));
    struct edit own = {&narrowing, read_names(value)};
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_LOOPS, edit, &own, error));
    return clopt_transform_change_ndrange(transform, &narrowing.change, error);
}
