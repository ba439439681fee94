/* SPDX-License-Identifier: BSD-3-Clause */
/* Privatisation: a work-group updates elements of its own in local memory, or each work-item a
 * variable where there is one element, and unites them with the buffer at its end. The result is
 * that of the initial code, bit by bit: integers may be added in any order. So may floats that
 * are added by compare-and-swap, in an order that the initial code does not specify either. */
#include "memory.h"

#include <clopt/coarsen.h>
#include <clopt/loop.h>

#include "../shared/range.h"
#include "ticket.h"
#include "update.h"

#define LOCAL_DEFAULT 32768              /* bytes, where no device is known */
#define MOST_KNOWN    (INT64_C(1) << 24) /* elements; more than that is any number */

struct privatising {
    const struct privatisation *asked;
    uint64_t room;       /* bytes of local memory that are left */
    unsigned dimensions; /* of the NDRange */
    bool alone;          /* groups have one work-item: nobody else updates what they have */
    const struct clopt_divergence *divergence;
    struct clopt_accesses accesses;
    struct clopt_nodes declared, cleared; /* before the kernel's statements */
    struct clopt_nodes gathered, joined;  /* after them */
};

/* One buffer. */
struct part {
    struct privatising *all;
    struct clopt_source *source;
    struct clopt_variable *buffer;
    struct update *updates;
    size_t count;
    size_t names;             /* how often the kernel names it */
    enum clopt_scalar scalar; /* of an element of the part */
    int64_t elements;
    bool single; /* it is known that there is one */
    unsigned copies;
    struct clopt_variable *array;
    struct clopt_variable *sum; /* of a work-item, where there is one element; else NULL */
};

/* ---- what cannot be privatised ---- */

static enum clopt_status refuse(const struct part *part, const struct clopt_node *node,
                                struct clopt_error *error, const char *reason)
{
    return clopt_source_refuse(part->source, node, error, "%s cannot be privatised: %s",
                               part->buffer->name, reason);
}

static enum clopt_status add_update(struct part *part, const struct clopt_node *name,
                                    struct clopt_error *error)
{
    struct update *update = &part->updates[part->count];
    const struct operation *first = part->updates[0].operation;
    char reason[160];
    if (!update_find(part->source, name, update))
        return refuse(part, name, error, "it is used here other than by an atomic function");
    const char *function = update->call->name;
    if (!update->operation)
        snprintf(reason, sizeof reason, "the order of calls of %s counts", function);
    else if (!clopt_node_is_statement(update->call) && part->names > 1)
        snprintf(reason, sizeof reason, "the result of %s may be used", function);
    else if (part->count && strcmp(first->joins, update->operation->joins) != 0)
        snprintf(reason, sizeof reason, "%s is called here, and %s in line %u", function,
                 part->updates[0].call->name,
                 clopt_source_line(part->source, part->updates[0].call));
    else
        return part->count++, CLOPT_OK;
    return refuse(part, update->call, error, reason);
}

/* Whether a return is not taken by a whole group before it has updated anything. */
static bool is_late(const struct part *part, const struct clopt_node *node)
{
    const struct clopt_node *top = node;
    bool late = false;
    for (; top->parent->parent; top = top->parent)
        late |= clopt_node_is_region(part->all->divergence, top);
    late |= clopt_node_is_region(part->all->divergence, top);
    for (size_t i = 0; i < part->count; i++)
        late |= part->updates[i].call->index < clopt_node_end(top);
    return late;
}

static enum clopt_status check_program(const struct part *part, struct clopt_error *error)
{
    const struct clopt_node *body = part->source->kernel->body;
    for (size_t i = 0; i < part->all->accesses.count; i++) {
        const struct clopt_access *access = &part->all->accesses.items[i];
        if (!access->root &&
            (access->space == CLOPT_SPACE_GLOBAL || access->space == CLOPT_SPACE_GENERIC))
            return refuse(part, access->node, error, "this may access it");
    }
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (node->kind == CLOPT_NODE_RETURN && is_late(part, node))
            return refuse(part, node, error, "work-items return here, but all have to unite it");
    return CLOPT_OK;
}

/* The type of a buffer's elements, which may be atomic_uint and the like. */
static enum clopt_scalar scalar_of(const struct clopt_variable *buffer)
{
    static const char atomic[] = "atomic_";
    const char *name = strstr(buffer->type, atomic);
    unsigned width;
    if (buffer->pointee_scalar != CLOPT_SCALAR_NONE || !name)
        return buffer->pointee_width == 1 ? buffer->pointee_scalar : CLOPT_SCALAR_NONE;
    name += strlen(atomic);
    return clopt_scalar_named(name, strcspn(name, " *"), &width);
}

static enum clopt_status find_updates(struct part *part, struct clopt_error *error)
{
    const struct clopt_node *body = part->source->kernel->body;
    const struct clopt_variable *buffer = part->buffer;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        part->names += clopt_node_names(node, buffer);
    part->updates = clopt_source_table(part->source, part->names + 1, sizeof *part->updates);
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (clopt_node_names(node, buffer))
            CLOPT_TRY(add_update(part, node, error));
    if (!part->count)
        return refuse(part, body, error, "the kernel does not use it");
    part->scalar = scalar_of(buffer);
    if (!part->updates[0].operation->swaps &&
        (part->scalar < CLOPT_SCALAR_INT || part->scalar > CLOPT_SCALAR_ULONG))
        return refuse(part, part->updates[0].call, error,
                      "its elements are no integers of 32 or 64 bits");
    return check_program(part, error);
}

/* ---- how many elements there are ---- */

static struct range range_of_update(const struct update *update)
{
    return update->index ? range_of(update->index) : (struct range){0, 0};
}

static bool is_within(const struct part *part, const struct update *update)
{
    struct range range = range_of_update(update);
    return range.least >= 0 && range.most < part->elements;
}

static enum clopt_status choose_elements(struct part *part, struct clopt_error *error)
{
    const struct privatisation *asked = part->all->asked;
    const uint64_t room = part->all->room / part->buffer->pointee_bytes;
    int64_t known = 0;
    part->single = true;
    for (size_t i = 0; i < part->count; i++) {
        struct range range = range_of_update(&part->updates[i]);
        known = range.most >= known ? range.most + 1 : known;
        part->single &= range.least == 0 && range.most == 0;
    }
    part->copies = part->single || part->all->alone ? 1 : asked->copies;
    bool fits = known <= MOST_KNOWN && (uint64_t)known * part->copies <= room;
    part->elements = fits ? known : asked->window;
    char reason[200];
    if (!part->elements && known > MOST_KNOWN)
        return refuse(part, part->updates[0].call, error,
                      "it is not known how many elements are updated; set window");
    if (part->elements && (uint64_t)part->elements * part->copies <= room)
        return CLOPT_OK;
    snprintf(reason, sizeof reason,
             "%" PRId64 " elements, %u times, take more than the %" PRIu64
             " bytes of local memory%s",
             part->elements ? part->elements : known, part->copies, part->all->room,
             part->elements ? "" : "; set window");
    return refuse(part, part->updates[0].call, error, reason);
}

/* ---- rewriting ---- */

/* Returns the number of a work-item in its group. */
static struct clopt_node *item_number(const struct part *part)
{
    unsigned d = part->all->dimensions - 1;
    struct clopt_node *number = clopt_build(part->source, NULL, "get_local_id($u)", d);
    while (d-- > 0)
        number = clopt_build(part->source, NULL, "$n * get_local_size($u) + get_local_id($u)",
                             number, d, d);
    return number;
}

/* Returns how many work-items a group has. */
static struct clopt_node *item_count(const struct part *part)
{
    struct clopt_node *count = clopt_build(part->source, NULL, "get_local_size(0)");
    for (unsigned d = 1; d < part->all->dimensions; d++)
        count = clopt_build(part->source, NULL, "$n * get_local_size($u)", count, d);
    return count;
}

/* Returns the loop by which the work-items of a group do something for each element. */
static struct clopt_node *for_each(const struct part *part, int64_t elements,
                                   struct clopt_variable *element, struct clopt_node *statement)
{
    struct clopt_node *item = item_number(part);
    if (elements == 1)
        return clopt_build(part->source, NULL, "if ($n == 0) $n", item, statement);
    return clopt_build(part->source, NULL, "for ($V = $n; $v < $l; $v += $n) $n", element, item,
                       element, elements, element, item_count(part), statement);
}

/* Returns the number of an element in what is done for each. */
static struct clopt_node *number_of(const struct part *part, int64_t elements,
                                    const struct clopt_variable *element)
{
    return elements == 1 ? clopt_build(part->source, NULL, "0")
                         : clopt_build(part->source, NULL, "$v", element);
}

/* Returns an element of a copy: its own of a work-item where `own` is NULL. */
static struct clopt_node *element_of(const struct part *part, const struct clopt_node *index,
                                     const unsigned *own)
{
    struct clopt_source *source = part->source;
    struct clopt_node *element =
        part->copies == 1 ? clopt_build(source, NULL, "$v[$n]", part->array, index)
        : own
            ? clopt_build(source, NULL, "$v[$n * $u + $u]", part->array, index, part->copies, *own)
            : clopt_build(source, NULL, "$v[$n * $u + get_local_id(0) % $u]", part->array, index,
                          part->copies, part->copies);
    element->bits = clopt_scalar_bits(part->scalar);
    return element;
}

/* Returns an update of an element of the part in place of one. */
static struct clopt_node *update_part(const struct part *part, const struct update *update,
                                      const struct clopt_node *index)
{
    struct clopt_node *element = element_of(part, index, NULL);
    return part->all->alone ? update_private(part->source, update, element, part->scalar)
                            : update_local(part->source, update, element);
}

static void replace_update(const struct part *part, const struct update *update)
{
    struct clopt_source *source = part->source;
    struct clopt_node *call = update->call;
    const struct clopt_node *index = update->index ? update->index : clopt_build(source, call, "0");
    if (part->sum) {
        struct clopt_node *sum = clopt_build(source, call, "$v", part->sum);
        clopt_replace(source, call, update_private(source, update, sum, part->scalar));
    } else if (is_within(part, update)) {
        clopt_replace(source, call, update_part(part, update, index));
    } else {
        struct clopt_variable *at = clopt_variable_make(source, "const ulong", "", "index");
        struct clopt_node *here = update_part(part, update, clopt_build(source, call, "$v", at));
        struct clopt_nodes there = {0};
        clopt_nodes_put(source, &there, call, "&$v[$v]", part->buffer, at);
        for (size_t i = 1; i < call->child_count; i++)
            clopt_nodes_put(source, &there, call, "$n", call->children[i]);
        clopt_replace_by(source, call, "{ $V = $n; if ($v < $l) $n else $s($N); }", at, index, at,
                         part->elements, here, call->name, &there);
    }
}

/* Declares what is updated instead, and clears it. */
static void begin(struct part *part)
{
    struct clopt_source *source = part->source;
    struct privatising *all = part->all;
    const char *start = update_start(part->updates[0].operation, part->scalar);
    const char *name = clopt_scalar_name(part->scalar), *buffer = part->buffer->name;
    int64_t elements = part->elements * part->copies;
    char type[32], dimensions[32];
    snprintf(type, sizeof type, "__local %s", name);
    snprintf(dimensions, sizeof dimensions, "[%" PRId64 "]", elements);
    part->array = clopt_variable_make(source, type, dimensions, "%s_part", buffer);
    clopt_nodes_put(source, &all->declared, NULL, "$V;", part->array);
    struct clopt_variable *element = clopt_variable_make(source, "uint", "", "element");
    struct clopt_node *clear = clopt_build(source, NULL, "$v[$n] = $s;", part->array,
                                           number_of(part, elements, element), start);
    clopt_nodes_add(source, &all->cleared, for_each(part, elements, element, clear));
    if (!part->single)
        return;
    part->sum = clopt_variable_make(source, name, "", "%s_sum", buffer);
    clopt_nodes_put(source, &all->declared, NULL, "$V = $s;", part->sum, start);
    struct clopt_node *only = element_of(part, clopt_build(source, NULL, "0"), NULL);
    clopt_nodes_add(source, &all->gathered,
                    update_gather(source, &part->updates[0], only, part->sum));
}

/* Unites the copies of elements with the buffer. */
static void end(const struct part *part)
{
    struct clopt_source *source = part->source;
    const struct update *first = &part->updates[0];
    const struct operation *operation = first->operation;
    struct clopt_variable *element = clopt_variable_make(source, "uint", "", "element");
    struct clopt_variable *value =
        clopt_variable_make(source, clopt_scalar_name(part->scalar), "", "value");
    const struct clopt_node *index = number_of(part, part->elements, element);
    struct clopt_node *sum = NULL;
    for (unsigned c = 0; c < part->copies; c++) {
        struct clopt_node *one = element_of(part, index, &c);
        sum = !sum ? one
              : *operation->op
                  ? clopt_build(source, NULL, "$n $s $n", sum, operation->op, one)
                  : clopt_build(source, NULL, "$s($n, $n)", operation->joins, sum, one);
    }
    struct clopt_node *join =
        update_join(source, first, clopt_build(source, NULL, "$v[$n]", part->buffer, index), value);
    clopt_nodes_add(source, &part->all->joined,
                    for_each(part, part->elements, element,
                             clopt_build(source, NULL, "{ $V = $n; if ($v != $s) $n }", value, sum,
                                         value, update_start(operation, part->scalar), join)));
}

static enum clopt_status change(void *user, struct clopt_source *source, unsigned number,
                                struct clopt_error *error)
{
    struct part part = {
        .all = user, .source = source, .buffer = source->kernel->parameters[number]};
    CLOPT_TRY(find_updates(&part, error));
    if (!clopt_node_is_statement(part.updates[0].call)) {
        struct privatising *all = part.all;
        const struct ticket ticket = {part.buffer, part.updates[0], part.scalar,
                                      item_number(&part)};
        const char *reason = ticket_draw(part.source, &ticket, &all->declared, &all->cleared);
        return reason ? refuse(&part, part.updates[0].call, error, reason) : CLOPT_OK;
    }
    CLOPT_TRY(choose_elements(&part, error));
    /* Sums wrap around, which signed numbers must not. */
    if (*part.updates[0].operation->op && clopt_scalar_is_integer(part.scalar) &&
        clopt_scalar_is_signed(part.scalar))
        part.scalar = part.scalar == CLOPT_SCALAR_INT ? CLOPT_SCALAR_UINT : CLOPT_SCALAR_ULONG;
    part.all->room -= (uint64_t)part.elements * part.copies * part.buffer->pointee_bytes;
    begin(&part);
    for (size_t i = 0; i < part.count; i++)
        replace_update(&part, &part.updates[i]);
    end(&part);
    return CLOPT_OK;
}

/* ---- the whole ---- */

/* Whether an atomic function is given an element of a buffer anywhere. */
static bool is_candidate(void *user, const struct clopt_source *source,
                         const struct clopt_variable *parameter)
{
    const struct clopt_node *body = source->kernel->body;
    struct update update;
    (void)user;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (clopt_node_names(node, parameter) && update_find(NULL, node, &update))
            return true;
    return false;
}

static enum clopt_status edit(struct privatising *all, struct clopt_source *source,
                              struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    const struct clopt_identity identity = {
        .dimension = CLOPT_ANY_DIMENSION, .local_id = true, .inside = true};
    const struct buffers buffers = {
        .step = "privatise",
        .names = all->asked->names,
        .user = all,
        .is_candidate = is_candidate,
        .none = "updates no buffer in global memory by atomic functions",
        .change = change,
    };
    static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";
    all->divergence = clopt_divergence_create(source, identity);
    clopt_accesses_add(&all->accesses, body);
    CLOPT_TRY(buffers_change(&buffers, source, error));
    clopt_nodes_put(source, &all->cleared, body, barrier);
    if (all->joined.count)
        clopt_nodes_put(source, &all->gathered, body, barrier);
    const struct clopt_nodes *const before[] = {&all->cleared, &all->declared};
    const struct clopt_nodes *const after[] = {&all->gathered, &all->joined};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = before[i]->count; k-- > 0;)
            clopt_prepend(source, body, before[i]->items[k]);
        for (size_t k = 0; k < after[i]->count; k++)
            clopt_append(source, body, after[i]->items[k]);
    }
    return CLOPT_OK;
}

/* Reads the kernel with functions that hold loops inlined, but for those that add floats. */
static enum clopt_status read_source(const struct clopt_transform *transform,
                                     struct clopt_source **source, struct clopt_error *error)
{
    CLOPT_TRY(clopt_transform_parse(transform, source, error));
    for (size_t i = 1; i < (*source)->function_count; i++)
        if (swap_adds((*source)->functions[i]))
            return CLOPT_OK;
    clopt_source_destroy(*source);
    *source = NULL;
    return clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, source, error);
}

static enum clopt_status run(struct privatising *all, struct clopt_transform *transform,
                             struct clopt_error *error)
{
    const struct clopt_identity identity = {
        .dimension = CLOPT_ANY_DIMENSION, .local_id = true, .group_id = true, .inside = true};
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(read_source(transform, &source, error));
    CLOPT_TRY(clopt_returns_join(transform, &source, identity, error));
    CLOPT_TRY(edit(all, source, error));
    return clopt_transform_set_tree(transform, source, error);
}

enum clopt_status privatise_apply(struct clopt_transform *transform,
                                  const struct privatisation *asked, struct clopt_error *error)
{
    const struct clopt_device_info *device = transform->device;
    const struct clopt_ndrange *ndrange = transform->ndrange;
    struct privatising all = {
        .asked = asked,
        .room = device ? device->local_memory_bytes : LOCAL_DEFAULT,
        .dimensions = ndrange ? ndrange->dimensions : 3,
        .alone = ndrange,
    };
    /* What is read or written through another pointer is another buffer: launches are checked. */
    struct clopt_ndrange_change change = {.distinct_buffers = true};
    for (unsigned d = 0; ndrange && d < ndrange->dimensions; d++)
        all.alone &= ndrange->local[d] == 1;
    for (unsigned d = 0; all.alone && d < ndrange->dimensions; d++) {
        change.local_only[d] = true;
        change.local_multiple[d] = 1;
    }
    enum clopt_status status = run(&all, transform, error);
    clopt_accesses_fini(&all.accesses);
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}
