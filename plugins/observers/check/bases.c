/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the buffers and arrays of a kernel, and follows pointers to them. */
#include "observers/check/bases.h"

#include <clopt/memory.h>

bool clopt_node_is_lvalue_of_memory(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return node->variable->space == CLOPT_SPACE_LOCAL && !node->variable->is_array;
    case CLOPT_NODE_SUBSCRIPT:
        return !clopt_node_is_loaded(node) &&
               (node->children[0]->is_array || node->children[0]->is_pointer);
    case CLOPT_NODE_UNARY:
        return clopt_node_is_operator(node, "*");
    case CLOPT_NODE_MEMBER:
        return clopt_node_is_operator(node, "->") ||
               clopt_node_is_lvalue_of_memory(node->children[0]);
    case CLOPT_NODE_PAREN:
        return clopt_node_is_lvalue_of_memory(node->children[0]);
    default:
        return false;
    }
}

/* The operand of an arithmetic expression that is the pointer. */
static const struct clopt_node *pointer_operand(const struct clopt_node *node)
{
    const struct clopt_node *left = node->children[0];
    return clopt_node_is_address(left) ? left : node->children[1];
}

/* The address space of an array that is a row or a member: that of the whole it is in. */
static enum clopt_space array_space(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_MEMBER) {
        node = clopt_node_bare(node->children[0]);
        bool loaded = node->kind != CLOPT_NODE_VARIABLE && node->is_pointer && !node->is_array;
        if (loaded && clopt_node_is_lvalue_of_memory(node))
            return CLOPT_SPACE_GENERIC;
    }
    return clopt_pointer_space(node);
}

enum clopt_space clopt_pointer_space(const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return node->variable->is_pointer && !node->variable->is_array ? node->variable->pointee
                                                                       : node->variable->space;
    case CLOPT_NODE_SUBSCRIPT:
    case CLOPT_NODE_MEMBER:
        return node->is_array ? array_space(node) : CLOPT_SPACE_GENERIC;
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "&")) {
            const struct clopt_node *lvalue = clopt_node_bare(node->children[0]);
            return lvalue->kind == CLOPT_NODE_VARIABLE ? lvalue->variable->space : lvalue->space;
        }
        return clopt_node_is_step(node) ? clopt_pointer_space(node->children[0])
                                        : CLOPT_SPACE_GENERIC;
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_ASSIGN:
        return clopt_pointer_space(node->children[0]);
    case CLOPT_NODE_BINARY:
        return clopt_pointer_space(pointer_operand(node));
    case CLOPT_NODE_CONDITIONAL:
        return clopt_pointer_space(node->children[1]);
    default:
        return CLOPT_SPACE_GENERIC;
    }
}

uint64_t clopt_roots_of(const struct clopt_roots *roots, const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE: {
        int base = roots->base_of[node->variable->index];
        if (node->variable->is_pointer && !node->variable->is_array)
            return roots->roots[node->variable->index];
        return base < 0 ? CLOPT_ROOT_UNKNOWN : UINT64_C(1) << base;
    }
    case CLOPT_NODE_SUBSCRIPT:
    case CLOPT_NODE_MEMBER: {
        const struct clopt_node *whole = clopt_node_bare(node->children[0]);
        bool loaded = whole->is_pointer && !whole->is_array && whole->kind != CLOPT_NODE_VARIABLE &&
                      clopt_node_is_lvalue_of_memory(whole);
        return loaded ? CLOPT_ROOT_UNKNOWN : clopt_roots_of(roots, whole);
    }
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_CAST:
        return clopt_roots_of(roots, node->children[0]);
    case CLOPT_NODE_BINARY:
        return clopt_roots_of(roots, pointer_operand(node));
    case CLOPT_NODE_CONDITIONAL:
        return clopt_roots_of(roots, node->children[1]) | clopt_roots_of(roots, node->children[2]);
    case CLOPT_NODE_ASSIGN:
        return clopt_roots_of(roots, node->children[clopt_node_is_operator(node, "=")]);
    case CLOPT_NODE_LITERAL:
        return 0; /* NULL */
    default:
        return CLOPT_ROOT_UNKNOWN;
    }
}

/* ---- bases ---- */

/* Returns the address space of a variable that is a base; CLOPT_SPACE_GENERIC: it is none, such as
 * what the file declares after the kernel, which does not know it. */
static enum clopt_space base_space(const struct clopt_source *source,
                                   const struct clopt_variable *variable)
{
    bool pointer = variable->is_pointer && !variable->is_array;
    if (!variable->function && variable->begin > source->kernel->begin)
        return CLOPT_SPACE_GENERIC;
    if (variable->is_parameter)
        return pointer && variable->function == source->kernel &&
                       variable->pointee != CLOPT_SPACE_PRIVATE
                   ? variable->pointee
                   : CLOPT_SPACE_GENERIC;
    if (variable->space == CLOPT_SPACE_LOCAL ||
        (variable->space == CLOPT_SPACE_CONSTANT && variable->is_array))
        return variable->space;
    bool memory = variable->is_array || variable->is_record || (variable->uses & CLOPT_ADDRESS);
    return memory && variable->space == CLOPT_SPACE_PRIVATE && variable->declarator &&
                   !variable->is_volatile
               ? CLOPT_SPACE_PRIVATE
               : CLOPT_SPACE_GENERIC;
}

static int parameter_number(const struct clopt_source *source,
                            const struct clopt_variable *variable)
{
    for (size_t i = 0; i < source->kernel->parameter_count; i++)
        if (source->kernel->parameters[i] == variable)
            return (int)i;
    return -1;
}

static void number_bases(struct clopt_roots *roots)
{
    static const enum clopt_space spaces[] = {CLOPT_SPACE_GLOBAL, CLOPT_SPACE_CONSTANT,
                                              CLOPT_SPACE_LOCAL, CLOPT_SPACE_PRIVATE};
    const struct clopt_source *source = roots->source;
    struct clopt_check_program *program = roots->program;
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        roots->first[spaces[s]] = (unsigned)program->base_count;
        for (size_t i = 0; i < source->variable_count; i++) {
            const struct clopt_variable *variable = source->variables[i];
            if (base_space(source, variable) != spaces[s] ||
                program->base_count == CLOPT_MOST_BASES)
                continue;
            struct clopt_check_base *base = &program->bases[program->base_count];
            *base = (struct clopt_check_base){variable, clopt_strdup(variable->name),
                                              parameter_number(source, variable), spaces[s],
                                              variable->bytes};
            roots->base_of[i] = (int)program->base_count++;
            if (variable->is_parameter)
                roots->roots[i] = UINT64_C(1) << roots->base_of[i];
        }
        roots->end[spaces[s]] = (unsigned)program->base_count;
    }
}

/* ---- pointers ---- */

static bool add(struct clopt_roots *roots, const struct clopt_variable *pointer,
                const struct clopt_node *value)
{
    if (!pointer->is_pointer || pointer->is_array)
        return false;
    uint64_t before = roots->roots[pointer->index];
    roots->roots[pointer->index] |= clopt_roots_of(roots, value);
    return roots->roots[pointer->index] != before;
}

/* Follows what a node assigns to pointers; whether anything is new. */
static bool follow(struct clopt_roots *roots, const struct clopt_node *node)
{
    bool changed = false;
    if (node->kind == CLOPT_NODE_DECLARATOR && node->condition)
        changed = add(roots, node->variable, node->condition);
    if (node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=")) {
        const struct clopt_node *left = clopt_node_bare(node->children[0]);
        if (left->kind == CLOPT_NODE_VARIABLE)
            changed = add(roots, left->variable, node->children[1]);
    }
    for (size_t i = 0; node->callee && i < node->child_count && i < node->callee->parameter_count;
         i++)
        changed |= add(roots, node->callee->parameters[i], node->children[i]);
    for (size_t i = 0; i < node->child_count; i++)
        changed |= follow(roots, node->children[i]);
    return changed;
}

void clopt_roots_find(struct clopt_roots *roots, const struct clopt_source *source,
                      struct clopt_check_program *program)
{
    *roots = (struct clopt_roots){.source = source, .program = program};
    roots->base_of = clopt_source_table(source, source->variable_count + 1, sizeof *roots->base_of);
    roots->roots = clopt_source_table(source, source->variable_count + 1, sizeof *roots->roots);
    for (size_t i = 0; i < source->variable_count; i++)
        roots->base_of[i] = -1;
    number_bases(roots);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < source->function_count; i++)
            changed |= follow(roots, source->functions[i]->body);
    }
}
