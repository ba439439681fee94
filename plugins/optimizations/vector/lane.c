/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets replicas be the lanes of vectors: what each variable becomes, what a lane reads of it, and
 * how rows of memory are loaded and stored. */
#include "code.h"

/* ---- the policy ---- */

/* What becomes selections is executed by all lanes, but with masks. */
static bool is_region(void *user, const struct clopt_node *statement)
{
    const struct code *code = user;
    return (code->side && statement->kind == CLOPT_NODE_IF) ||
           (statement->parent && clopt_node_is_region(code->plan->divergence, statement));
}

static bool is_several(void *user, const struct clopt_variable *variable)
{
    const struct code *code = user;
    return code->plan->forms[variable->index] == FORM_SCALARS;
}

bool code_is_outer(const struct code *code, const struct clopt_variable *variable)
{
    return code->plan->forms[variable->index] == FORM_VECTOR &&
           !clopt_node_declares(code->plan->scope, variable);
}

/* Makes a vector with the name base_number, or base_number_2 where that is taken. */
static struct clopt_variable *make_vector(struct code *code, const char *qualifier,
                                          enum clopt_scalar type, const char *base, unsigned number)
{
    char words[32];
    snprintf(words, sizeof words, "%s%s%u", qualifier, scalar_name(type), code->width);
    return clopt_variable_make(code->source, words, "", "%s_%u", base, number);
}

void code_init(struct code *code, const struct clopt_merging *merging, bool share)
{
    static const struct clopt_coarsening_policy policy = {
        .is_region = is_region,
        .is_several = is_several,
        .region = code_region,
        .declare = code_add_declarations,
        .expression = code_add_expressions,
        .node = code_node_of_lane,
    };
    code->coarsening = (struct clopt_coarsening){.source = code->source,
                                                 .policy = &policy,
                                                 .user = code,
                                                 .factor = code->width,
                                                 .merging = merging};
    clopt_coarsening_init(&code->coarsening);
    if (share)
        code->shared =
            clopt_source_table(code->source, code->source->node_count, sizeof *code->shared);
    for (size_t i = 0; i < code->source->variable_count; i++) {
        const struct clopt_variable *variable = code->source->variables[i];
        if (code_is_outer(code, variable))
            code->coarsening.variables[variable->index * code->coarsening.factor] =
                make_vector(code, "", variable->scalar, variable->name, code->width);
    }
}

void code_note(struct code *code, const struct clopt_node *node, const char *reason)
{
    if (code->obstacle)
        return;
    code->obstacle = node;
    code->reason = reason;
}

/* ---- vectors ---- */

struct clopt_variable *code_make_next(struct code *code, enum clopt_scalar type, unsigned width,
                                      const char *base)
{
    char words[32];
    snprintf(words, sizeof words, width > 1 ? "const %s%u" : "const %s", scalar_name(type), width);
    return clopt_variable_make(code->source, words, "", "%s_%u", base, ++code->numbered);
}

struct clopt_variable *code_numbers(struct code *code, enum clopt_scalar type)
{
    struct clopt_variable **numbers = &code->numbers[type];
    code->gains.numbers[type] = true;
    if (!*numbers)
        *numbers = make_vector(code, "const ", type, "lanes", clopt_scalar_bits(type));
    return *numbers;
}

void code_add_numbers(struct code *code, struct clopt_nodes *list)
{
    struct clopt_nodes lanes = {0};
    for (unsigned lane = 0; lane < code->width; lane++)
        code_put(code, &lanes, NULL, "$u", lane);
    for (unsigned type = 0; type < CLOPT_SCALARS; type++)
        if (code->gains.numbers[type])
            code_put(code, list, NULL, "$V = ($s$u)($N);", code->numbers[type],
                     scalar_name((enum clopt_scalar)type), code->width, &lanes);
}

const char *code_component(unsigned lane)
{
    static const char *const names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                        "s8", "s9", "sa", "sb", "sc", "sd", "se", "sf"};
    return names[lane];
}

/* ---- what one lane reads ---- */

bool code_is_vector_lvalue(const struct code *code, const struct clopt_node *node)
{
    const struct clopt_access access = clopt_access_of(node);
    for (unsigned i = 0; i < access.index_count; i++)
        if (code_diverges(code, access.indices[i]))
            return false;
    return access.base && code->plan->forms[access.base->index] == FORM_VECTOR;
}

struct clopt_node *code_vector_lvalue(struct code *code, const struct clopt_node *node)
{
    struct clopt_coarsening *coarsening = &code->coarsening;
    const struct clopt_access access = clopt_access_of(node);
    struct clopt_node *made =
        code_build(code, node, "$v", clopt_coarsening_variable(coarsening, access.base, 0));
    for (unsigned i = 0; i < access.index_count; i++)
        made = code_build(code, node, "$n[$n]", made,
                          clopt_clone(&coarsening->cloning, access.indices[i]));
    return made;
}

struct clopt_node *code_node_of_lane(void *user, const struct clopt_node *node, unsigned lane)
{
    struct code *code = user;
    struct clopt_node *dealing = clopt_dealing_merge(&code->coarsening, node);
    if (dealing)
        return dealing;
    if (node == code->condition)
        return code_build(code, node, "$v.$s", code->mask, code_component(lane));
    if (code->parts && node->index < code->source->node_count && code->parts[node->index])
        return code_build(code, node, "$v.$s", code->parts[node->index], code_component(lane));
    const struct clopt_access access = clopt_access_of(node);
    const struct clopt_variable *variable = access.base;
    if (!variable || node->is_array || variable->is_array != (access.index_count > 0) ||
        clopt_coarsening_is_inside(&code->coarsening, variable))
        return NULL;
    enum form form = code->plan->forms[variable->index];
    if (form == FORM_VECTOR)
        return code_build(code, node, "$n.$s", code_vector_lvalue(code, node),
                          code_component(lane));
    if (form != FORM_AFFINE || lane == 0)
        return NULL;
    return code_build(code, node, "$v + $l", variable,
                      (int64_t)lane * code->plan->strides[variable->index].value);
}

/* ---- rows ---- */

bool code_has_stride(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    return clopt_node_is_lvalue(node, NULL) && code_has_vectors(node) && !node->is_volatile &&
           node->scalar != CLOPT_SCALAR_BOOL && !clopt_space_may_be_private(node->space) &&
           plan_address_stride(code->plan, node, stride);
}

bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    return code_has_stride(code, node, stride) && (*stride == 1 || *stride == -1);
}

/* Returns the address of the first of the elements in memory. */
static struct clopt_node *address_of(struct code *code, const struct clopt_node *node,
                                     int64_t stride)
{
    struct clopt_node *address = node->kind == CLOPT_NODE_UNARY
                                     ? code_lane(code, node->children[0], 0)
                                     : code_build(code, node, "&$n", code_lane(code, node, 0));
    return stride < 0 ? code_build(code, node, "$n - $u", address, code->width - 1) : address;
}

/* Returns the vector at an address that is aligned like it, in what a node is an element of. */
static struct clopt_node *vector_at(struct code *code, const struct clopt_node *node,
                                    unsigned width, struct clopt_node *address)
{
    const struct clopt_variable *base = clopt_access_of(node).base;
    const char *qualifiers = base->is_array                          ? "__local "
                             : base->pointee == CLOPT_SPACE_CONSTANT ? "__constant "
                             : base->points_to_const                 ? "__global const "
                                                                     : "__global ";
    return code_build(code, node, "*($s$s$u *)$n", qualifiers, scalar_name(node->scalar), width,
                      address);
}

struct clopt_node *code_load_at(struct code *code, const struct clopt_node *node, unsigned width,
                                struct clopt_node *address, bool aligned)
{
    char number[12] = "";
    if (width > 1)
        snprintf(number, sizeof number, "%u", width);
    else if (clopt_node_is_operator(address, "&"))
        return code_build(code, node, "$n", address->children[0]);
    if (clopt_node_is_loaded(node))
        return code_build(code, node, "$s$s(0, $n)",
                          aligned && width > 1 ? "vloada_half" : "vload_half", number, address);
    if (width == 1)
        return code_build(code, node, "*($n)", address);
    return aligned ? vector_at(code, node, width, address)
                   : code_build(code, node, "vload$u(0, $n)", width, address);
}

static bool is_aligned(const struct code *code, const struct clopt_node *node, int64_t stride)
{
    return stride == 1 && alignment_holds(&code->alignment, node);
}

/* Returns a vector with its components in the order of memory, or back. */
static struct clopt_node *in_order(struct code *code, struct clopt_node *vector, int64_t stride)
{
    char components[CODE_MOST_LANES + 2] = "s";
    for (unsigned lane = 0; lane < code->width; lane++)
        components[code->width - lane] = code_component(lane)[1];
    return stride < 0 ? code_build(code, vector, "$n.$s", vector, components) : vector;
}

struct clopt_node *code_load(struct code *code, const struct clopt_node *node, int64_t stride)
{
    code->gains.operations++;
    return in_order(code,
                    code_load_at(code, node, code->width, address_of(code, node, stride),
                                 is_aligned(code, node, stride)),
                    stride);
}

struct clopt_node *code_store(struct code *code, const struct clopt_node *node, int64_t stride,
                              struct clopt_node *value)
{
    struct clopt_node *address = address_of(code, node, stride);
    code->gains.operations++;
    if (is_aligned(code, node, stride))
        return code_build(code, node, "$n = $n", vector_at(code, node, code->width, address),
                          value);
    return code_build(code, node, "vstore$u($n, 0, $n)", code->width, in_order(code, value, stride),
                      address);
}

struct clopt_node *code_store_wide(struct code *code, const struct clopt_node *node,
                                   const struct clopt_nodes *lanes)
{
    unsigned width = code->width * node->width;
    code->gains.operations++;
    return code_build(code, node, "$n = ($s$u)($N)",
                      vector_at(code, node, width, address_of(code, node, 1)),
                      scalar_name(node->scalar), width, lanes);
}
