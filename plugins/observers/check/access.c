/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites what accesses memory. */
#include "observers/check/instrument.h"

#include "analysis/bounds.h"
#include "kernel/tree.h"

static const char *const space_names[] = {"private", "local", "global", "constant"};

/* What a macro of check.cl gets to know of an access. */
struct target {
    const char *space;
    unsigned first; /* bases that it may be of */
    unsigned end;
    unsigned site;
    unsigned how; /* it is accessed */
};

/* Says which bases an access may be of: the one that is known, or all of the address space. False
 * where that cannot be said, which is counted. */
static bool find_target(struct clopt_instrumenter *instrumenter, const struct clopt_node *node,
                        const struct clopt_node *pointer, enum clopt_space space,
                        struct target *target)
{
    const struct clopt_roots *roots = &instrumenter->roots;
    uint64_t bases = clopt_roots_of(roots, pointer);
    bool one = bases && !(bases & (bases - 1)) && bases != CLOPT_ROOT_UNKNOWN;
    unsigned base = 0;
    while (one && bases >> base != 1)
        base++;
    bool known = one && instrumenter->program->bases[base].space == space;
    bool any =
        space == CLOPT_SPACE_GLOBAL || space == CLOPT_SPACE_LOCAL || space == CLOPT_SPACE_CONSTANT;
    if (space == CLOPT_SPACE_GENERIC ||
        (!known && (!any || roots->first[space] == roots->end[space]))) {
        struct clopt_check_program *program = instrumenter->program;
        if (program->skipped++ == 0)
            program->skipped_line = clopt_source_line(instrumenter->source, node);
        return false;
    }
    target->space = space_names[space];
    target->first = known ? base : roots->first[space];
    target->end = known ? base + 1 : roots->end[space];
    target->site = clopt_instrumenter_site(instrumenter, node, target->how);
    if (target->site < instrumenter->program->site_count)
        instrumenter->program->sites[target->site].base = known ? (int)base : -1;
    return true;
}

/* Notes how large an access is, and of what parts it may consist. */
static void note_size(struct clopt_instrumenter *instrumenter, unsigned site, size_t bytes,
                      size_t granule)
{
    struct clopt_check_program *program = instrumenter->program;
    if (site < program->site_count)
        program->sites[site].bytes = bytes;
    if (bytes > program->most)
        program->most = bytes;
    while (program->granule > 1 && granule % program->granule)
        program->granule /= 2;
}

/* ---- lvalues ---- */

/* Marks the nodes that an lvalue consists of, down to the pointer or variable that it begins with.
 */
static const struct clopt_node *mark(struct clopt_instrumenter *instrumenter,
                                     const struct clopt_node *node)
{
    instrumenter->plain[node->index] = true;
    if (node->kind == CLOPT_NODE_PAREN ||
        (node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, ".")) ||
        (node->kind == CLOPT_NODE_SUBSCRIPT && node->children[0]->is_array &&
         clopt_node_is_lvalue_of_memory(node->children[0])))
        return mark(instrumenter, node->children[0]);
    return node;
}

static enum clopt_space space_of(const struct clopt_node *node)
{
    const struct clopt_node *bare = clopt_node_bare(node);
    return bare->kind == CLOPT_NODE_VARIABLE ? bare->variable->space : bare->space;
}

/* Puts the type of an lvalue; NULL: it has no name here. */
static const char *print_type(const struct clopt_node *node, char type[16])
{
    if (!clopt_scalar_is_number(node->scalar) || node->is_pointer)
        return NULL;
    clopt_scalar_print(node->scalar, node->width, type, 16);
    return type;
}

/* Notes how large an lvalue is: parts of its type begin where the type may. */
static void note_lvalue(struct clopt_instrumenter *instrumenter, unsigned site,
                        const struct clopt_node *node)
{
    size_t bytes = node->bytes ? node->bytes : 1024;
    note_size(instrumenter, site, bytes, node->align_bytes ? node->align_bytes : 1);
}

/* Whether all that can be wrong with an element of an array is its index: nothing else writes a
 * constant one, and a private one that is initialized. */
static bool is_settled(const struct clopt_variable *variable)
{
    bool initialized = variable->declarator && variable->declarator->condition;
    return variable->is_array && variable->scalar && variable->bytes &&
           (variable->space == CLOPT_SPACE_CONSTANT ||
            (variable->space == CLOPT_SPACE_PRIVATE && initialized));
}

/* Proves that an index is from 0 to `last`, whatever the launch. What follows from the conditions
 * around it does not hold for work-items that are off, which barriers alone bring about. */
static bool prove_index(const struct clopt_source *source, const struct clopt_node *index,
                        int64_t last)
{
    const struct clopt_node *body = source->kernel->body;
    struct clopt_symbols symbols = {0};
    struct clopt_affine form, left = clopt_affine_constant(last);
    if (index->known)
        return index->value >= 0 && index->value <= last;
    return clopt_node_function(index) == body &&
           !clopt_node_find_effect(body, CLOPT_EFFECT_COLLECTIVE) &&
           clopt_index_read(&symbols, index, &form) && clopt_affine_add(&left, &form, -1) &&
           clopt_affine_exceeds(&symbols, index, &form, -1) &&
           clopt_affine_exceeds(&symbols, index, &left, -1);
}

/* Notes the index of a row, or of a member that is an array, that is not known to be inside: an
 * access elsewhere in the same array or structure is one outside, too. One element, as the last
 * member of a structure has, is often more. */
static void note_row(struct clopt_instrumenter *instrumenter, const struct clopt_node *subscript,
                     const struct target *target)
{
    struct clopt_check_program *program = instrumenter->program;
    const struct clopt_node *array = clopt_node_bare(subscript->children[0]);
    const struct clopt_node *index = subscript->children[1];
    if (array->kind == CLOPT_NODE_VARIABLE || array->length < 2 ||
        prove_index(instrumenter->source, index, (int64_t)array->length - 1))
        return;
    struct clopt_check_row *row = clopt_array_add(&program->rows, &program->row_count, sizeof *row);
    row->expression =
        clopt_strndup(instrumenter->source->text + array->begin, array->end - array->begin);
    row->bytes = subscript->bytes;
    instrumenter->rows[index->index] = (struct clopt_row_index){
        .length = array->length,
        .bytes = subscript->bytes,
        .base = target->end - target->first == 1 ? target->first : CLOPT_MOST_BASES,
        .row = (unsigned)program->row_count - 1,
        .site = target->site};
}

/* Notes all rows that an lvalue is in. */
static void note_rows(struct clopt_instrumenter *instrumenter, const struct clopt_node *node,
                      const struct target *target)
{
    for (; node->child_count; node = node->children[0]) {
        bool subscript = node->kind == CLOPT_NODE_SUBSCRIPT;
        if (subscript && node->children[0]->is_array)
            note_row(instrumenter, node, target);
        else if (node->kind != CLOPT_NODE_PAREN && node->kind != CLOPT_NODE_MEMBER)
            return;
        if (clopt_node_is_operator(node, "->"))
            return;
    }
}

struct clopt_node *clopt_instrument_index(struct clopt_instrumenter *instrumenter,
                                          const struct clopt_node *node)
{
    struct clopt_row_index row = instrumenter->rows[node->index];
    if (!row.length)
        return NULL;
    instrumenter->rows[node->index].length = 0;
    return clopt_build(instrumenter->source, node, "clopt_index(clopt_c, $n, $u, $u, $u, $u, $u)",
                       clopt_clone(&instrumenter->cloning, node), (unsigned)row.length,
                       (unsigned)row.bytes, row.base, row.row, row.site);
}

/* Whether an access needs no check. */
static bool is_proven(const struct clopt_source *source, const struct clopt_node *node)
{
    const struct clopt_node *array =
        node->kind == CLOPT_NODE_SUBSCRIPT ? clopt_node_bare(node->children[0]) : node;
    if (array->kind != CLOPT_NODE_VARIABLE || array == node || !is_settled(array->variable))
        return false;
    const struct clopt_variable *variable = array->variable;
    size_t bytes = clopt_scalar_bytes(variable->scalar, variable->width);
    return !node->is_array && bytes &&
           prove_index(source, node->children[1], (int64_t)(variable->bytes / bytes) - 1);
}

struct clopt_node *clopt_instrument_access(struct clopt_instrumenter *instrumenter,
                                           const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    char type[16];
    if (!clopt_node_is_lvalue_of_memory(node))
        return NULL;
    mark(instrumenter, node);
    unsigned how =
        instrumenter->how[node->index] ? instrumenter->how[node->index] : CLOPT_ACCESS_READS;
    struct target target = {.how = how};
    if (is_proven(source, node)) {
        instrumenter->program->proven++;
        return NULL;
    }
    if (node->is_array || !find_target(instrumenter, node, node, space_of(node), &target))
        return NULL; /* a row, which is no access */
    const char *named = print_type(node, type);
    note_lvalue(instrumenter, target.site, node);
    note_rows(instrumenter, node, &target);
    struct clopt_node *lvalue = clopt_clone(&instrumenter->cloning, node);
    if (named)
        return clopt_build(source, node, "CLOPT_AT($s, $s, $n, $u, $u, $u, $u)", target.space,
                           named, lvalue, target.first, target.end, target.site, how);
    return clopt_build(source, node, "CLOPT_ANY($s, $n, $u, $u, $u, $u)", target.space, lvalue,
                       target.first, target.end, target.site, how);
}

/* Makes sure that there is a function that stores values of a type in an address space. */
static void need_store(struct clopt_instrumenter *instrumenter, const struct clopt_node *left,
                       const char *space, const char *type)
{
    CLOPT_OWNED(clopt_text) line = {0};
    if (left->scalar == CLOPT_SCALAR_HALF)
        clopt_text_append(&line, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    clopt_text_printf(&line, "CLOPT_STORE(%s, %s, %u)\n", space, type,
                      clopt_scalar_bits(left->scalar) / 8 * left->width);
    if (!strstr(clopt_text_string(&instrumenter->stores), clopt_text_string(&line)))
        clopt_text_append(&instrumenter->stores, clopt_text_string(&line));
}

/* Rewrites an assignment of a whole scalar or vector, whose value is compared with what others
 * write. */
static struct clopt_node *make_store(struct clopt_instrumenter *instrumenter,
                                     const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_ASSIGN || !clopt_node_is_operator(node, "="))
        return NULL;
    const struct clopt_node *left = clopt_node_bare(node->children[0]);
    struct target target = {.how = CLOPT_ACCESS_WRITES};
    char type[16];
    if (!clopt_node_is_lvalue_of_memory(left) || left->is_array || !print_type(left, type) ||
        is_proven(instrumenter->source, left) ||
        !find_target(instrumenter, left, left, space_of(left), &target))
        return NULL;
    mark(instrumenter, left);
    need_store(instrumenter, left, target.space, type);
    note_lvalue(instrumenter, target.site, left);
    note_rows(instrumenter, left, &target);
    return clopt_build(instrumenter->source, node, "CLOPT_SET($s, $s, $n, $n, $u, $u, $u)",
                       target.space, type, clopt_clone(&instrumenter->cloning, left),
                       clopt_clone(&instrumenter->cloning, node->children[1]), target.first,
                       target.end, target.site);
}

/* Notes what an assignment, ++ or -- does with the memory that it writes. */
static void note_written(struct clopt_instrumenter *instrumenter, const struct clopt_node *node)
{
    const struct clopt_node *left = clopt_node_written(node);
    while (left && (left->kind == CLOPT_NODE_SWIZZLE || left->kind == CLOPT_NODE_PAREN))
        left = left->children[0];
    if (left && left->index < instrumenter->node_count)
        instrumenter->how[left->index] = clopt_node_is_operator(node, "=")
                                             ? CLOPT_ACCESS_WRITES
                                             : CLOPT_ACCESS_READS | CLOPT_ACCESS_WRITES;
}

/* ---- functions ---- */

/* Rewrites vloadN and vstoreN, and those of halves: N elements at a pointer plus N times an index.
 */
static struct clopt_node *make_vector(struct clopt_instrumenter *instrumenter,
                                      const struct clopt_node *call)
{
    struct clopt_source *source = instrumenter->source;
    bool stores = strncmp(call->name, "vstore", 6) == 0;
    const char *kind = call->name + (stores ? 6 : 5);
    bool aligned = *kind == 'a' && strncmp(kind, "a_half", 6) == 0;
    bool half = aligned || strncmp(kind, "_half", 5) == 0;
    unsigned count = (unsigned)strtoul(kind + (aligned ? 6 : half ? 5 : 0), NULL, 10);
    bool element = clopt_node_is_loaded(call);
    const struct clopt_node *index = call->children[element ? 1 : stores];
    const struct clopt_node *pointer = call->children[element ? 0 : stores + 1];
    struct target target = {.how = stores ? CLOPT_ACCESS_WRITES : CLOPT_ACCESS_READS};
    count = count ? count : 1;
    const struct clopt_node *value = stores ? call->children[0] : call;
    unsigned bytes = half ? 2 : clopt_scalar_bits(value->scalar) / 8;
    if (!bytes || !find_target(instrumenter, call, pointer, clopt_pointer_space(pointer), &target))
        return NULL;
    note_size(instrumenter, target.site, (size_t)bytes * count, bytes);
    struct clopt_node *lvalue =
        clopt_build(source, call, "CLOPT_ROW($s, $s, $u, $u, $u, $n, $n, $u, $u, $u, $u)",
                    target.space, half ? "half" : clopt_scalar_name(value->scalar), bytes, count,
                    aligned && count == 3 ? 4 : count, clopt_clone(&instrumenter->cloning, index),
                    clopt_clone(&instrumenter->cloning, pointer), target.first, target.end,
                    target.site, target.how);
    return stores ? clopt_build(source, call, "$s($n, 0, $n)", call->name,
                                clopt_clone(&instrumenter->cloning, value), lvalue)
                  : clopt_build(source, call, "$s(0, $n)", call->name, lvalue);
}

/* Makes sure that there is a function for a compare-and-swap of a type in an address space. */
static void need_exchange(struct clopt_instrumenter *instrumenter, const struct clopt_node *call,
                          const char *space)
{
    CLOPT_OWNED(clopt_text) line = {0};
    if (clopt_scalar_bits(call->scalar) == 64)
        clopt_text_append(&line, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
    clopt_text_printf(&line, "CLOPT_EXCHANGE(%s, %s, %s)\n", space, clopt_scalar_name(call->scalar),
                      call->name);
    if (!strstr(clopt_text_string(&instrumenter->stores), clopt_text_string(&line)))
        clopt_text_append(&instrumenter->stores, clopt_text_string(&line));
}

/* Rewrites a compare-and-swap: what is outside finds what it compares with. */
static struct clopt_node *make_exchange(struct clopt_instrumenter *instrumenter,
                                        const struct clopt_node *call, const struct target *target)
{
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    need_exchange(instrumenter, call, target->space);
    return clopt_build(
        instrumenter->source, call, "clopt_$s_$s_$s(clopt_c, $n, $n, $n, $u, $u, $u)", call->name,
        target->space, clopt_scalar_name(call->scalar), clopt_clone(cloning, call->children[0]),
        clopt_clone(cloning, call->children[1]), clopt_clone(cloning, call->children[2]),
        target->first, target->end, target->site);
}

/* Whether an atomic function writes, whatever was there. */
static bool overwrites(const struct clopt_node *call)
{
    static const char *const names[] = {"atomic_init", "atomic_store", "atomic_store_explicit",
                                        "atomic_flag_clear", "atomic_flag_clear_explicit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (clopt_node_calls(call, names[i]))
            return true;
    return false;
}

static struct clopt_node *make_atomic(struct clopt_instrumenter *instrumenter,
                                      const struct clopt_node *call)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_node *pointer = call->children[0], *bare = clopt_node_bare(pointer);
    struct clopt_nodes arguments = {0};
    bool fresh = overwrites(call);
    struct target target = {.how = (fresh ? 0 : CLOPT_ACCESS_READS) | CLOPT_ACCESS_WRITES};
    if (!find_target(instrumenter, call, pointer, clopt_pointer_space(pointer), &target))
        return NULL;
    note_size(instrumenter, target.site, pointer->element_bytes, 4);
    if (clopt_node_is_operator(bare, "&") && bare->kind == CLOPT_NODE_UNARY)
        note_rows(instrumenter, clopt_node_bare(bare->children[0]), &target);
    if (clopt_node_calls(call, "atomic_cmpxchg") || clopt_node_calls(call, "atom_cmpxchg"))
        return make_exchange(instrumenter, call, &target);
    clopt_nodes_put(source, &arguments, call, "CLOPT_ATOMIC_AT($s, $n, $u, $u, $u, $s)",
                    target.space, clopt_clone(&instrumenter->cloning, pointer), target.first,
                    target.end, target.site, fresh ? "CLOPT_FRESH" : "0");
    for (size_t i = 1; i < call->child_count; i++)
        clopt_nodes_add(source, &arguments, clopt_clone(&instrumenter->cloning, call->children[i]));
    return clopt_build(source, call, "$s($N)", call->name, &arguments);
}

/* Makes the number of elements that a copy may read or write; `count` is how many it should. */
static struct clopt_node *make_copied(struct clopt_instrumenter *instrumenter, const char *way,
                                      const struct clopt_node *pointer,
                                      const struct clopt_node *stride, struct clopt_node *count,
                                      const struct target *target)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    note_size(instrumenter, target->site, pointer->element_bytes,
              pointer->element_bytes ? pointer->element_bytes : 1);
    return clopt_build(source, pointer, "CLOPT_COPIED($s, $n, $n, $n, $u, $u, $u)", way,
                       clopt_clone(cloning, pointer),
                       stride ? clopt_clone(cloning, stride) : clopt_build(source, pointer, "1"),
                       count, target->first, target->end, target->site);
}

/* Rewrites async_work_group_copy and async_work_group_strided_copy, whose stride is of the global
 * side: what is outside is not copied. */
static struct clopt_node *make_copy(struct clopt_instrumenter *instrumenter,
                                    const struct clopt_node *call)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    struct target to = {.how = CLOPT_ACCESS_WRITES}, from = {.how = CLOPT_ACCESS_READS};
    const struct clopt_node *destination = call->children[0], *origin = call->children[1];
    if (!find_target(instrumenter, call, destination, clopt_pointer_space(destination), &to) ||
        !find_target(instrumenter, call, origin, clopt_pointer_space(origin), &from))
        return NULL;
    const struct clopt_node *stride = call->child_count == 5 ? call->children[3] : NULL;
    bool gathers = to.space == space_names[CLOPT_SPACE_LOCAL];
    struct clopt_node *count = make_copied(instrumenter, "from", origin, gathers ? stride : NULL,
                                           clopt_clone(cloning, call->children[2]), &from);
    count = make_copied(instrumenter, "to", destination, gathers ? NULL : stride, count, &to);
    struct clopt_nodes arguments = {0};
    clopt_nodes_add(source, &arguments, clopt_clone(cloning, destination));
    clopt_nodes_add(source, &arguments, clopt_clone(cloning, origin));
    clopt_nodes_add(source, &arguments, count);
    for (size_t i = 3; i < call->child_count; i++)
        clopt_nodes_add(source, &arguments, clopt_clone(cloning, call->children[i]));
    return clopt_build(source, call, "(clopt_meet(clopt_c), $s($N))", call->name, &arguments);
}

static struct clopt_node *make_user_call(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *call)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_nodes arguments = {0};
    for (size_t i = 0; i < call->child_count; i++)
        clopt_nodes_add(source, &arguments, clopt_clone(&instrumenter->cloning, call->children[i]));
    clopt_nodes_put(source, &arguments, call, "clopt_c");
    return clopt_build(source, call, "$s($N)", instrumenter->copies[call->callee->index],
                       &arguments);
}

struct clopt_node *clopt_instrument_call(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *node)
{
    if (clopt_node_is_loaded(node))
        return make_vector(instrumenter, node);
    if (node->kind != CLOPT_NODE_CALL)
        return NULL;
    if (node->callee)
        return instrumenter->copies[node->callee->index] ? make_user_call(instrumenter, node)
                                                         : NULL;
    if (clopt_node_calls(node, "barrier") || clopt_node_calls(node, "work_group_barrier"))
        return clopt_build(instrumenter->source, node,
                           "(clopt_meet(clopt_c), $n, clopt_pass(clopt_c, $n))",
                           clopt_clone(&instrumenter->cloning, node),
                           clopt_clone(&instrumenter->cloning, node->children[0]));
    if (strncmp(node->name, "vload", 5) == 0 || strncmp(node->name, "vstore", 6) == 0)
        return make_vector(instrumenter, node);
    if (strncmp(node->name, "async_work_group_", 17) == 0 && node->child_count >= 4)
        return make_copy(instrumenter, node);
    if (clopt_node_calls(node, "wait_group_events"))
        return clopt_build(instrumenter->source, node,
                           "(clopt_meet(clopt_c), $n, clopt_wait(clopt_c))",
                           clopt_clone(&instrumenter->cloning, node));
    if (strncmp(node->name, "atomic_", 7) == 0 || strncmp(node->name, "atom_", 5) == 0)
        return node->child_count && clopt_node_is_address(node->children[0])
                   ? make_atomic(instrumenter, node)
                   : NULL; /* a fence */
    return NULL;
}

/* ---- arithmetic ---- */

/* Whether an operator's second operand has to be looked at: a divisor that may be 0, a distance of
 * a shift. */
static const char *operand_check(const struct clopt_node *node)
{
    const struct clopt_node *left = node->children[0], *right = node->children[1];
    if (!clopt_scalar_is_integer(left->scalar) || left->width != 1 || right->width != 1 ||
        left->is_pointer || !clopt_scalar_is_integer(right->scalar))
        return NULL;
    if (*node->op == '/' || *node->op == '%')
        return right->known && right->value ? NULL : "divisor";
    bool shifts = strncmp(node->op, "<<", 2) == 0 || strncmp(node->op, ">>", 2) == 0;
    int64_t bits = left->bits < 32 ? 32 : left->bits;
    return shifts && !(right->known && right->value >= 0 && right->value < bits) ? "distance"
                                                                                 : NULL;
}

struct clopt_node *clopt_instrument_arithmetic(struct clopt_instrumenter *instrumenter,
                                               const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    bool operates = node->kind == CLOPT_NODE_BINARY || node->kind == CLOPT_NODE_ASSIGN;
    if (node->kind == CLOPT_NODE_ASSIGN || clopt_node_is_step(node))
        note_written(instrumenter, node);
    struct clopt_node *store = make_store(instrumenter, node);
    const char *check = operates && !store ? operand_check(node) : NULL;
    if (!check)
        return store;
    const struct clopt_node *left = node->children[0], *right = node->children[1];
    unsigned bits = right->bits < 64 ? 32 : 64;
    const char *type = clopt_scalar_name(right->is_signed || right->bits < 32
                                             ? bits == 64 ? CLOPT_SCALAR_LONG : CLOPT_SCALAR_INT
                                         : bits == 64 ? CLOPT_SCALAR_ULONG
                                                      : CLOPT_SCALAR_UINT);
    unsigned site = clopt_instrumenter_site(instrumenter, node, 0);
    struct clopt_node *a = clopt_clone(&instrumenter->cloning, left);
    struct clopt_node *b = clopt_clone(&instrumenter->cloning, right);
    b = *check == 'd' && check[1] == 'i' && check[2] == 'v'
            ? clopt_build(source, node, "clopt_divisor_$s(clopt_c, $n, $u)", type, b, site)
            : clopt_build(source, node, "clopt_distance_$s(clopt_c, $n, $u, $u)", type, b,
                          left->bits == 64 ? 64u : 32u, site);
    return clopt_build(source, node, "$n $s $n", a, node->op, b);
}
