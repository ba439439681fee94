/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-groups that share the iterations of a loop (split-K): each accumulates some of them, and the
 * one that comes last adds what all have, always in the same order, and does what follows.
 *
 *     atomic_xchg(&partials[slot], sum);
 *     stored = atomic_or(&partials[slot], 0);
 *     if (stored != sum)                           never
 *         atomic_xchg(&partials[slot], sum);
 *     if (get_local_id(0) == 0) {
 *         arrived = atomic_inc(&partials[first]);
 *         if (arrived == 15)
 *             partials[first] = 0;                 for the next launch
 *     }
 *     barrier(CLK_LOCAL_MEM_FENCE);
 *     if (arrived == 15) {
 *         sum = 0;
 *         for (uint other = 0; other < 16; other++)
 *             sum += partials[...];
 *     }
 *     ...                                          parts of the group unite what they added
 *     if (arrived != 15)
 *         return;
 *
 * This is the scheme of "threadFenceReduction" among CUDA's samples. A work-group has one counter
 * and then its results in the buffer, so that launches of other sizes find counters where counters
 * were. Before OpenCL C 2.0 no function orders what the whole device sees: mem_fence() orders the
 * work-group alone where NVIDIA's compiler makes membar.cta of it. So each work-item reads its
 * result back before it says that it came, and has to wait for that, since it decides on it. */
#include "divide.h"

#define MOST_PARTIALS (UINT64_C(256) << 20) /* bytes: few results are what this is for */

#define FENCE   "mem_fence(CLK_GLOBAL_MEM_FENCE);"
#define BARRIER "barrier(CLK_LOCAL_MEM_FENCE);"

/* ---- what cannot be shared ---- */

/* The words of 32 bits that a result has in the buffer; 0: it cannot be there. */
static unsigned words_of(const struct clopt_variable *variable)
{
    unsigned words = clopt_scalar_bits(variable->scalar) / 32 * variable->width;
    bool whole = variable->width == 3 ? words == 3 : (words & (words - 1)) == 0;
    return whole && words <= 16 ? words : 0;
}

static enum clopt_status check_result(struct dividing *dividing, const struct clopt_node *loop,
                                      const struct clopt_variable *variable,
                                      struct clopt_error *error)
{
    if (!words_of(variable))
        return clopt_source_refuse(dividing->source, loop, error,
                                   "%s has not 32 or 64 bits, so work-groups cannot share the loop",
                                   variable->name);
    dividing->words += words_of(variable);
    return CLOPT_OK;
}

static enum clopt_status check_results(struct dividing *dividing, size_t index,
                                       struct clopt_error *error)
{
    const struct clopt_node *loop = dividing->loops.items[index];
    const struct extrema *extrema = &dividing->extrema[index];
    dividing->words = 0;
    for (size_t i = 0; i < dividing->variables; i++)
        if (dividing->operators[index * dividing->variables + i])
            CLOPT_TRY(check_result(dividing, loop, dividing->source->variables[i], error));
    for (size_t i = 0; i < extrema->count; i++) {
        CLOPT_TRY(check_result(dividing, loop, extrema->items[i].best, error));
        if (extrema->items[i].index)
            CLOPT_TRY(check_result(dividing, loop, extrema->items[i].index, error));
    }
    return CLOPT_OK;
}

/* The work-items of a group, of which each has results of its own. */
static size_t item_count(const struct dividing *dividing)
{
    return dividing->local[0] / dividing->parts * dividing->local[1] * dividing->local[2];
}

size_t divided_bytes(const struct dividing *dividing)
{
    return dividing->shared ? (1 + dividing->words * item_count(dividing)) * 4 : 0;
}

static enum clopt_status check_size(const struct dividing *dividing, const struct clopt_node *loop,
                                    const struct clopt_ndrange *ndrange, struct clopt_error *error)
{
    uint64_t groups = dividing->groups * (uint64_t)dividing->parts;
    uint64_t bytes = (1 + dividing->words * item_count(dividing)) * UINT64_C(4);
    for (unsigned d = 0; d < ndrange->dimensions; d++)
        groups *= clopt_divide_up(ndrange->global[d], dividing->local[d]);
    return groups <= MOST_PARTIALS / bytes
               ? CLOPT_OK
               : clopt_source_refuse(dividing->source, loop, error,
                                     "the %" PRIu64 " work-groups have more than %" PRIu64
                                     " MiB of partial results; sharing is for few results",
                                     groups, MOST_PARTIALS >> 20);
}

enum clopt_status divided_check_share(struct dividing *dividing, size_t index,
                                      const struct clopt_ndrange *ndrange,
                                      struct clopt_error *error)
{
    const struct clopt_source *source = dividing->source;
    const struct clopt_node *body = source->kernel->body;
    const struct clopt_node *loop = dividing->loops.items[index], *place = dividing->places[index];
    const struct clopt_node *outer = place->parent;
    while (outer->kind == CLOPT_NODE_COMPOUND || outer->kind == CLOPT_NODE_ATTRIBUTED) {
        if (!outer->parent)
            break;
        outer = outer->parent;
    }
    if (!divided_has_results(dividing, index) || dividing->scans[index].count)
        return clopt_source_refuse(source, loop, error,
                                   "work-groups can share a loop that does nothing but accumulate");
    if (outer != body)
        return clopt_source_refuse(
            source, loop, error,
            "work-groups cannot share this loop, whose result the %s in line %u needs or which not "
            "all of them come to",
            clopt_node_is_loop(outer) ? "loop" : "branch", clopt_source_line(source, outer));
    for (const struct clopt_node *node = body; node && node->index < clopt_node_end(place);
         node = clopt_node_next(node, body))
        if (clopt_node_is_expression(node) &&
            (clopt_node_effects(node) & CLOPT_EFFECT_MEMORY_WRITE))
            return clopt_source_refuse(source, node, error,
                                       "all work-groups that share a loop would write here");
    CLOPT_TRY(check_results(dividing, index, error));
    return check_size(dividing, loop, ndrange, error);
}

/* ---- the kernel's head ---- */

/* Returns the number of a work-item in dimension 0 of its group, before parts divided it. */
static struct clopt_node *item_in_row(const struct dividing *dividing)
{
    struct clopt_source *source = dividing->source;
    if (dividing->parts == dividing->local[0])
        return clopt_build(source, NULL, "0");
    return dividing->unit > 1 ? clopt_build(source, NULL, "get_local_id(0) % $u", dividing->unit)
                              : clopt_build(source, NULL, "get_local_id(0) / $u", dividing->parts);
}

/* Finds what asks for the global identity, or for that divided by a part of a group; 0: neither. */
static unsigned find_divisor(const struct clopt_node *node, size_t row)
{
    bool divides = node->kind == CLOPT_NODE_BINARY &&
                   (clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "%"));
    const struct clopt_node *call = divides ? clopt_node_bare(node->children[0]) : node;
    if (!divided_asks(call, NULL) || !clopt_node_calls(call, "get_global_id"))
        return 0;
    const struct clopt_node *divisor = divides ? node->children[1] : NULL;
    if (!divides)
        return 1;
    return divisor->known && divisor->value > 0 && divisor->value <= (int64_t)row &&
                   (int64_t)row % divisor->value == 0
               ? (unsigned)divisor->value
               : 0;
}

bool divided_share_identity(const struct dividing *dividing, struct clopt_node *node)
{
    struct clopt_source *source = dividing->source;
    unsigned row = (unsigned)dividing->local[0] / dividing->parts;
    unsigned divisor = find_divisor(node, row);
    struct clopt_node *item = item_in_row(dividing);
    if (!divisor)
        return false;
    if (node->kind != CLOPT_NODE_BINARY)
        clopt_replace_by(source, node, "get_group_id(0) / $u * $u + $n", dividing->groups, row,
                         item);
    else if (clopt_node_is_operator(node, "%"))
        clopt_replace_by(source, node, divisor == row ? "$n" : "$n % $u", item, divisor);
    else if (divisor == row)
        clopt_replace_by(source, node, "get_group_id(0) / $u", dividing->groups);
    else
        clopt_replace_by(source, node, "get_group_id(0) / $u * $u + $n / $u", dividing->groups,
                         row / divisor, item, divisor);
    return true;
}

void divided_declare_share(struct dividing *dividing)
{
    struct clopt_source *source = dividing->source;
    if (!dividing->shared)
        return;
    dividing->share = clopt_variable_make(source, "const int", "", "share");
    dividing->partials = clopt_variable_make(source, "__global uint *restrict", "", "partials");
    clopt_function_add_parameter(source, source->kernel, dividing->partials);
}

/* ---- what comes after the loop ---- */

/* Returns the number of a work-item among those of its group that have results; `size` NULL: the
 * number of its group. */
static struct clopt_node *linear(const struct dividing *dividing, bool group)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *number = NULL;
    for (unsigned d = 3; d-- > 0;) {
        unsigned items = (unsigned)dividing->local[d];
        struct clopt_node *own;
        if (d >= dividing->dimensions || (!group && d && items == 1))
            continue;
        if (group)
            own = clopt_build(source, NULL, "get_group_id($u)", d);
        else
            own = d ? clopt_build(source, NULL, "get_local_id($u)", d) : item_in_row(dividing);
        if (!d)
            items /= dividing->parts;
        number = !number ? own
                 : group ? clopt_build(source, NULL, "$n * get_num_groups($u) + $n", number, d, own)
                         : clopt_build(source, NULL, "$n * $u + $n", number, items, own);
    }
    return number;
}

/* Returns what is true for one work-item of a group. */
static struct clopt_node *is_first_item(const struct dividing *dividing)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *sum = clopt_build(source, NULL, "get_local_id(0)");
    for (unsigned d = 1; d < 3; d++)
        if (dividing->local[d] > 1)
            sum = clopt_build(source, NULL, "$n + get_local_id($u)", sum, d);
    return clopt_build(source, NULL, "$n == 0", sum);
}

/* Stores a result of a group, and returns what reads that of another one. */
static struct clopt_node *exchange(struct dividing *dividing, const struct clopt_node *loop,
                                   const struct clopt_variable *variable, struct sharing *sharing)
{
    struct clopt_source *source = dividing->source;
    const char *type = clopt_scalar_name(variable->scalar);
    unsigned words = words_of(variable), items = (unsigned)item_count(dividing);
    struct clopt_nodes list = {0};
    char width[16] = "", as[16] = "";
    if (variable->width > 1)
        snprintf(width, sizeof width, "%u", variable->width);
    if (words > 1)
        snprintf(as, sizeof as, "%u", words);
    for (unsigned w = 0; w < words; w++) {
        unsigned at = sharing->word++ * items;
        char member[16] = "";
        if (words > 1)
            snprintf(member, sizeof member, "s%x", w);
        struct clopt_node *bits[3];
        for (size_t i = 0; i < 3; i++)
            bits[i] = words > 1
                          ? clopt_build(source, loop, "as_uint$s($v).$s", as, variable, member)
                          : clopt_build(source, loop, "as_uint($v)", variable);
        clopt_nodes_put(source, &sharing->stores, loop, "atomic_xchg(&$v[$v + $u], $n);",
                        dividing->partials, sharing->slot, at, bits[0]);
        clopt_nodes_put(source, &sharing->stores, loop, "$v = atomic_or(&$v[$v + $u], 0u);",
                        sharing->stored, dividing->partials, sharing->slot, at);
        clopt_nodes_put(source, &sharing->stores, loop,
                        "if ($v != $n) atomic_xchg(&$v[$v + $u], $n);", sharing->stored, bits[1],
                        dividing->partials, sharing->slot, at, bits[2]);
        clopt_nodes_put(source, &list, loop, "atomic_or(&$v[$v + $u], 0u)", dividing->partials,
                        sharing->from, at);
    }
    return words > 1 ? clopt_build(source, loop, "as_$s$s((uint$s)($N))", type, width, as, &list)
                     : clopt_build(source, loop, "as_$s($N)", type, &list);
}

static void add_extremum(struct dividing *dividing, const struct clopt_node *loop,
                         const struct extremum *extremum, struct sharing *sharing)
{
    struct clopt_source *source = dividing->source;
    struct clopt_variable *const own[] = {extremum->best, extremum->index};
    struct clopt_variable *other[2];
    struct clopt_nodes taken = {0};
    for (size_t i = 0; i < (extremum->index ? 2 : 1); i++) {
        other[i] = clopt_variable_make(source, clopt_scalar_name(own[i]->scalar), "", "%s_other",
                                       own[i]->name);
        clopt_nodes_put(source, &sharing->reads, loop, "$V = $n;", other[i],
                        exchange(dividing, loop, own[i], sharing));
        clopt_nodes_put(source, &taken, loop, "$v = $v;", own[i], other[i]);
    }
    if (extremum->index)
        clopt_nodes_put(source, &sharing->reads, loop,
                        "if ($v $s $v || ($v == $v && $v $s $v)) { $N }", other[0],
                        extremum->better, own[0], other[0], own[0], other[1], extremum->earlier,
                        own[1], &taken);
    else
        clopt_nodes_put(source, &sharing->reads, loop, "if ($v $s $v) { $N }", other[0],
                        extremum->better, own[0], &taken);
}

/* Adds what a result of another group does to one's own. */
static void add_sum(struct dividing *dividing, const struct clopt_node *loop,
                    struct clopt_variable *variable, const char *op, struct sharing *sharing)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *other = exchange(dividing, loop, variable, sharing);
    if (clopt_operator_is_call(op)) {
        clopt_nodes_put(source, &sharing->reads, loop, "$v = $s($v, $n);", variable, op, variable,
                        other);
    } else {
        clopt_nodes_put(source, &sharing->starts, loop, "$v = $d;", variable,
                        clopt_operator_start(op));
        clopt_nodes_put(source, &sharing->reads, loop, "$v $s= $n;", variable, op, other);
    }
}

/* Has a group say that it came, after all of its results are in the buffer. */
static void add_meeting(struct dividing *dividing, const struct clopt_node *loop,
                        const struct sharing *sharing, struct clopt_nodes *list)
{
    struct clopt_source *source = dividing->source;
    struct clopt_variable *arrived = clopt_variable_make(source, "__local uint", "", "arrived");
    dividing->arrived = arrived;
    clopt_nodes_put(source, &dividing->declarations, NULL, "$V;", arrived);
    clopt_nodes_put(source, list, loop, FENCE);
    clopt_nodes_put(source, list, loop, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    clopt_nodes_put(source, list, loop,
                    "if ($n) { $v = atomic_inc(&$v[$v]); if ($v == $u) atomic_xchg(&$v[$v], 0u); }",
                    is_first_item(dividing), arrived, dividing->partials, sharing->first, arrived,
                    dividing->groups - 1, dividing->partials, sharing->first);
    clopt_nodes_put(source, list, loop, BARRIER);
}

/* The others go on to all barriers that follow: where some groups do not come to one, PoCL 3.1 and
 * 6.0 have the first work-item decide for all at branches before it, or before the kernel's end. */
void divided_leave(struct dividing *dividing, const struct clopt_node *loop,
                   struct clopt_nodes *list)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *leave =
        clopt_build(source, loop, "if ($v != $u) return;", dividing->arrived, dividing->groups - 1);
    clopt_nodes_add(source, list, leave);
    clopt_nodes_add(source, &dividing->returns, leave);
}

void divided_share(struct dividing *dividing, size_t index, struct clopt_nodes *list)
{
    struct clopt_source *source = dividing->source;
    const struct clopt_node *loop = dividing->loops.items[index];
    const unsigned groups = dividing->groups, parts = dividing->parts;
    unsigned words = (unsigned)(divided_bytes(dividing) / 4);
    struct sharing sharing = {
        .first = clopt_variable_make(source, "const size_t", "", "first"),
        .item = clopt_variable_make(source, "const size_t", "", "item"),
        .slot = clopt_variable_make(source, "const size_t", "", "slot"),
        .from = clopt_variable_make(source, "const size_t", "", "from"),
        .stored = clopt_variable_make(source, "uint", "", "stored"),
    };
    struct clopt_variable *other = clopt_variable_make(source, "int", "", "other");
    for (size_t i = 0; i < dividing->variables; i++) {
        const char *op = dividing->operators[index * dividing->variables + i];
        if (op)
            add_sum(dividing, loop, source->variables[i], op, &sharing);
    }
    for (size_t i = 0; i < dividing->extrema[index].count; i++)
        add_extremum(dividing, loop, &dividing->extrema[index].items[i], &sharing);
    clopt_nodes_put(source, &dividing->declarations, NULL, "$V;", sharing.stored);
    clopt_nodes_put(source, &dividing->declarations, NULL, "$V = get_group_id(0) % $u;",
                    dividing->share, groups);
    clopt_nodes_put(source, list, loop, "$V = ($n - $v) * $u;", sharing.first,
                    linear(dividing, true), dividing->share, words);
    clopt_nodes_put(source, list, loop, "$V = $v + 1 + $n;", sharing.item, sharing.first,
                    linear(dividing, false));
    clopt_nodes_put(source, list, loop, "$V = $v + $v * $u;", sharing.slot, sharing.item,
                    dividing->share, words);
    if (parts > 1)
        clopt_nodes_put(source, list, loop, "if (!$v) { $N }", dividing->part, &sharing.stores);
    for (size_t i = 0; parts == 1 && i < sharing.stores.count; i++)
        clopt_nodes_add(source, list, sharing.stores.items[i]);
    add_meeting(dividing, loop, &sharing, list);
    struct clopt_node *begin = parts > 1 ? clopt_build(source, loop, "$v", dividing->part)
                                         : clopt_build(source, loop, "0");
    struct clopt_nodes reads = {0};
    clopt_nodes_put(source, &reads, loop, FENCE);
    for (size_t i = 0; i < sharing.starts.count; i++)
        clopt_nodes_add(source, &reads, sharing.starts.items[i]);
    clopt_nodes_put(source, &reads, loop,
                    "for ($V = $n; $v < $u; $v += $u) { $V = $v + $v * $u; $N }", other, begin,
                    other, groups, other, parts, sharing.from, sharing.item, other, words,
                    &sharing.reads);
    clopt_nodes_put(source, list, loop, "if ($v == $u) { $N }", dividing->arrived, groups - 1,
                    &reads);
    if (parts == 1) /* else, what unites them has one; PoCL 6.0 loses some of what follows */
        clopt_nodes_put(source, list, loop, BARRIER);
}
