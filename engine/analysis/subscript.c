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

/* ---- what variables hold ---- */

void clopt_walker_set(struct clopt_walker *walker, size_t variable,
                      const struct clopt_content *content)
{
    if (walker->branches) {
        struct clopt_change *change =
            clopt_array_add(&walker->changes, &walker->change_count, sizeof *change);
        *change = (struct clopt_change){variable, walker->values[variable]};
    }
    walker->values[variable] = *content;
}

size_t clopt_walker_mark(struct clopt_walker *walker)
{
    walker->branches++;
    return walker->change_count;
}

void clopt_walker_go_back(struct clopt_walker *walker, size_t mark)
{
    while (walker->change_count > mark) {
        const struct clopt_change *change = &walker->changes[--walker->change_count];
        walker->values[change->variable] = change->before;
    }
}

void clopt_walker_end(struct clopt_walker *walker)
{
    if (--walker->branches == 0)
        walker->change_count = 0;
}

/* Orders changes by their variables, those of one as they came. */
static int compare_changes(const void *a, const void *b)
{
    const struct clopt_change *one = *(const struct clopt_change *const *)a;
    const struct clopt_change *other = *(const struct clopt_change *const *)b;
    if (one->variable != other->variable)
        return one->variable < other->variable ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* Some variables, in rising order, and what each of them held at some time. */
struct contents {
    struct clopt_change *items;
    size_t count;
};

static void contents_fini(struct contents *contents)
{
    free(contents->items);
}

/* Returns the variables that were changed since a mark, with what they held then. */
static struct contents changed_since(const struct clopt_walker *walker, size_t mark)
{
    size_t count = walker->change_count - mark;
    CLOPT_FREED const struct clopt_change **order = clopt_calloc(count + 1, sizeof *order);
    struct contents changed = {clopt_calloc(count + 1, sizeof *changed.items), 0};
    for (size_t i = 0; i < count; i++)
        order[i] = &walker->changes[mark + i];
    qsort(order, count, sizeof *order, compare_changes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || order[i]->variable != order[i - 1]->variable)
            changed.items[changed.count++] = *order[i];
    return changed;
}

/* The same, with what they hold now. */
static struct contents left_since(const struct clopt_walker *walker, size_t mark)
{
    struct contents left = changed_since(walker, mark);
    for (size_t i = 0; i < left.count; i++)
        left.items[i].before = walker->values[left.items[i].variable];
    return left;
}

/* ---- statements ---- */

/* Joins what one variable holds with what it holds after another branch. */
static void join_one(struct clopt_walker *walker, const struct clopt_node *node,
                     const struct clopt_change *other, unsigned depends)
{
    const struct clopt_content *value = &walker->values[other->variable];
    bool same_array = value->array == other->before.array;
    if (same_array && clopt_affine_equals(&value->affine, &other->before.affine))
        return;
    depends |= clopt_content_depends(walker, value) | clopt_content_depends(walker, &other->before);
    struct clopt_content joined =
        clopt_content_computed(walker, node, (unsigned)other->variable + 1, depends);
    joined.array = same_array ? value->array : NULL;
    clopt_walker_set(walker, other->variable, &joined);
}

/* Joins what the branch that began at a mark has left with what another one has. */
static void join(struct clopt_walker *walker, const struct clopt_node *node, size_t mark,
                 const struct contents *other, unsigned depends)
{
    CLOPT_OWNED(contents) own = changed_since(walker, mark);
    for (size_t i = 0, k = 0; i < own.count || k < other->count;) {
        bool is_others = k < other->count &&
                         (i == own.count || other->items[k].variable <= own.items[i].variable);
        i += i < own.count && is_others && own.items[i].variable == other->items[k].variable;
        join_one(walker, node, is_others ? &other->items[k++] : &own.items[i++], depends);
    }
}

static void walk_if(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct clopt_content condition = clopt_walker_evaluate(walker, node->condition);
    size_t mark = clopt_walker_mark(walker);
    clopt_walker_walk(walker, node->body);
    CLOPT_OWNED(contents) after = left_since(walker, mark);
    clopt_walker_go_back(walker, mark);
    if (node->otherwise)
        clopt_walker_walk(walker, node->otherwise);
    if (node->otherwise && clopt_node_leaves(node->otherwise)) {
        clopt_walker_go_back(walker, mark);
        for (size_t i = 0; i < after.count; i++)
            clopt_walker_set(walker, after.items[i].variable, &after.items[i].before);
    } else if (!clopt_node_leaves(node->body)) {
        join(walker, node, mark, &after, clopt_content_depends(walker, &condition));
    }
    clopt_walker_end(walker);
}

void clopt_walker_forget(struct clopt_walker *walker, const struct clopt_node *at,
                         const struct clopt_node *part)
{
    for (const struct clopt_node *node = part; node; node = clopt_node_next(node, part))
        if (clopt_node_use(node, part) & (CLOPT_WRITE | CLOPT_ADDRESS)) {
            size_t index = node->variable->index;
            const struct clopt_content unknown =
                clopt_content_unknown(walker, at, (unsigned)index + 1);
            clopt_walker_set(walker, index, &unknown);
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

static void walk_declarator(struct clopt_walker *walker, const struct clopt_node *node)
{
    const struct clopt_content value = node->condition
                                           ? clopt_walker_evaluate(walker, node->condition)
                                           : clopt_content_unknown(walker, node, 0);
    clopt_walker_set(walker, node->variable->index, &value);
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
        walk_declarator(walker, node);
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
    free(walker.changes);
    if (walker.full)
        clopt_subscripts_fini(subscripts);
}

void clopt_subscripts_fini(struct clopt_subscripts *subscripts)
{
    free(subscripts->symbols);
    free(subscripts->accesses);
    *subscripts = (struct clopt_subscripts){0};
}
