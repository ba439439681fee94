/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds subscripts: walks through a kernel once, in the order of execution, and notes for each
 * variable what it holds as a form. Loops are walked once: what each iteration adds to a
 * variable becomes a multiple of the number of iterations. */
#include "analysis/subscript.h"

#include <clopt/memory.h>

#include "analysis/walker.h"

/* ---- symbols ---- */

unsigned clopt_walker_symbol(struct clopt_walker *walker, enum clopt_symbol_kind kind,
                             unsigned number, const void *key, const char *name, unsigned depends)
{
    struct clopt_subscripts *found = walker->found;
    unsigned *bucket =
        &walker->buckets[((uintptr_t)key / 16 + 31 * number + kind) % CLOPT_SYMBOL_BUCKETS];
    for (unsigned i = *bucket; i; i = found->symbols[i - 1].next) {
        struct clopt_symbol *symbol = &found->symbols[i - 1];
        if (symbol->kind == kind && symbol->number == number && symbol->key == key) {
            symbol->depends |= depends;
            return i;
        }
    }
    walker->full |= found->symbol_count == UINT16_MAX - 1;
    if (walker->full)
        return 1;
    struct clopt_symbol *added =
        clopt_array_add(&found->symbols, &found->symbol_count, sizeof *added);
    *added = (struct clopt_symbol){kind, number, depends, key, name, NULL, *bucket};
    return *bucket = (unsigned)found->symbol_count;
}

static struct clopt_content content_of_symbol(unsigned symbol)
{
    return (struct clopt_content){.affine = clopt_affine_symbol(symbol)};
}

void clopt_walker_set_node(struct clopt_walker *walker, const struct clopt_affine *symbol,
                           const struct clopt_node *node)
{
    if (symbol->terms[0].symbols[0])
        walker->found->symbols[symbol->terms[0].symbols[0] - 1].node = node;
}

struct clopt_content clopt_content_computed(struct clopt_walker *walker, const void *key,
                                            unsigned number, unsigned depends)
{
    return content_of_symbol(
        clopt_walker_symbol(walker, depends ? CLOPT_SYMBOL_COMPUTED : CLOPT_SYMBOL_UNIFORM, number,
                            key, NULL, depends));
}

struct clopt_content clopt_content_unknown(struct clopt_walker *walker, const void *key,
                                           unsigned number)
{
    return clopt_content_computed(walker, key, number, CLOPT_DEPENDS_ITEMS | walker->loops);
}

unsigned clopt_affine_depends(const struct clopt_subscripts *subscripts,
                              const struct clopt_affine *form)
{
    unsigned depends = 0;
    for (unsigned i = 0; i < form->count; i++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && form->terms[i].symbols[k]; k++)
            depends |= subscripts->symbols[form->terms[i].symbols[k] - 1].depends;
    return depends;
}

unsigned clopt_content_depends(const struct clopt_walker *walker, const struct clopt_content *value)
{
    return clopt_affine_depends(walker->found, &value->affine);
}

/* ---- statements ---- */

/* Joins what two branches have left, in walker->values and `other`. */
static void join(struct clopt_walker *walker, const struct clopt_node *node,
                 const struct clopt_content *other, unsigned depends)
{
    for (size_t i = 0; i < walker->value_count; i++) {
        struct clopt_content *value = &walker->values[i];
        if (value->array == other[i].array && clopt_affine_equals(&value->affine, &other[i].affine))
            continue;
        const struct clopt_variable *array = value->array == other[i].array ? value->array : NULL;
        *value = clopt_content_computed(walker, node, (unsigned)i + 1,
                                        depends | clopt_content_depends(walker, value) |
                                            clopt_content_depends(walker, &other[i]));
        value->array = array;
    }
}

/* Returns what variables hold now, for the caller to free. */
static struct clopt_content *save(const struct clopt_walker *walker)
{
    size_t bytes = (walker->value_count + 1) * sizeof *walker->values;
    return memcpy(clopt_calloc(1, bytes), walker->values, bytes);
}

static void restore(struct clopt_walker *walker, const struct clopt_content *saved)
{
    memcpy(walker->values, saved, walker->value_count * sizeof *saved);
}

static void walk_if(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct clopt_content condition = clopt_walker_evaluate(walker, node->condition);
    CLOPT_FREED struct clopt_content *before = save(walker);
    clopt_walker_walk(walker, node->body);
    CLOPT_FREED struct clopt_content *after = save(walker);
    restore(walker, before);
    if (node->otherwise)
        clopt_walker_walk(walker, node->otherwise);
    if (node->otherwise && clopt_node_leaves(node->otherwise))
        restore(walker, after);
    else if (!clopt_node_leaves(node->body))
        join(walker, node, after, clopt_content_depends(walker, &condition));
}

void clopt_walker_forget(struct clopt_walker *walker, const struct clopt_node *at,
                         const struct clopt_node *part)
{
    for (const struct clopt_node *node = part; node; node = clopt_node_next(node, part))
        if (clopt_node_use(node, part) & (CLOPT_WRITE | CLOPT_ADDRESS)) {
            size_t index = node->variable->index;
            walker->values[index] = clopt_content_unknown(walker, at, (unsigned)index + 1);
        }
}

/* The statement that may jump to a case, or to a label. */
static const struct clopt_node *jumper_to(const struct clopt_node *node)
{
    bool label = node->kind == CLOPT_NODE_LABEL;
    while (node->parent && (label || node->kind != CLOPT_NODE_SWITCH))
        node = node->parent;
    return node;
}

static void walk_return(struct clopt_walker *walker, const struct clopt_node *node)
{
    if (!node->condition)
        return;
    const struct clopt_content value = clopt_walker_evaluate(walker, node->condition);
    walker->returned |= clopt_content_depends(walker, &value);
}

static void walk_children(struct clopt_walker *walker, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        clopt_walker_walk(walker, node->children[i]);
}

void clopt_walker_walk(struct clopt_walker *walker, const struct clopt_node *node)
{
    if (walker->full)
        return;
    if (clopt_node_is_loop(node)) {
        clopt_walker_loop(walker, node);
        return;
    }
    if (clopt_node_is_expression(node)) {
        clopt_walker_evaluate(walker, node);
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_DECLARATOR:
        walker->values[node->variable->index] = node->condition
                                                    ? clopt_walker_evaluate(walker, node->condition)
                                                    : clopt_content_unknown(walker, node, 0);
        break;
    case CLOPT_NODE_IF:
        walk_if(walker, node);
        break;
    case CLOPT_NODE_RETURN:
        walk_return(walker, node);
        break;
    case CLOPT_NODE_CASE:
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
        clopt_walker_forget(walker, node, jumper_to(node));
        walk_children(walker, node);
        break;
    default:
        walk_children(walker, node);
        if (node->kind == CLOPT_NODE_SWITCH)
            clopt_walker_forget(walker, node, node);
        break;
    }
}

/* ---- the whole ---- */

/* What variables hold before the kernel begins: parameters are the same for all, but for what those
 * lead to that point to local memory. */
static void set_parameters(struct clopt_walker *walker)
{
    const struct clopt_function *kernel = walker->source->kernel;
    for (size_t i = 0; i < walker->value_count; i++) {
        const struct clopt_variable *variable = walker->source->variables[i];
        bool parameter = variable->is_parameter && variable->function == kernel;
        bool local = variable->is_pointer && variable->pointee == CLOPT_SPACE_LOCAL;
        bool same = parameter && !local;
        if (same && variable->is_pointer)
            walker->values[i].array = variable;
        else
            walker->values[i] = content_of_symbol(
                clopt_walker_symbol(walker, same ? CLOPT_SYMBOL_UNIFORM : CLOPT_SYMBOL_COMPUTED, 0,
                                    variable, variable->name, same ? 0 : CLOPT_DEPENDS_ITEMS));
    }
}

void clopt_subscripts_find(const struct clopt_source *source, const size_t *local,
                           struct clopt_subscripts *subscripts)
{
    CLOPT_FREED struct clopt_content *values =
        clopt_calloc(source->variable_count + 1, sizeof *values);
    struct clopt_walker walker = {.source = source,
                                  .found = subscripts,
                                  .local = local,
                                  .values = values,
                                  .value_count = source->variable_count};
    *subscripts = (struct clopt_subscripts){0};
    set_parameters(&walker);
    clopt_walker_walk(&walker, source->kernel->body);
    if (walker.full)
        clopt_subscripts_fini(subscripts);
}

void clopt_subscripts_fini(struct clopt_subscripts *subscripts)
{
    free(subscripts->symbols);
    free(subscripts->accesses);
    *subscripts = (struct clopt_subscripts){0};
}
