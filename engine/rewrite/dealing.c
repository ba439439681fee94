/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that the work-items of a group deal out among them, such as those of a tile. */
#include <clopt/coarsen.h>

#include "analysis/affine.h"
#include "kernel/tree.h"

/* ---- building ---- */

/* Returns the number of a work-item in its group. */
static struct clopt_node *item_number(struct clopt_source *source, const size_t local[3])
{
    struct clopt_node *sum = clopt_build(source, NULL, "0");
    int64_t before = 1;
    for (unsigned d = 0; d < 3; d++) {
        if (local[d] > 1)
            sum = clopt_build(source, NULL, "$n + $l * (int)get_local_id($u)", sum, before, d);
        before *= (int64_t)local[d];
    }
    return sum;
}

#define BLOCK 4 /* rows and columns that are turned at once, as vectors */

/* What one work-item does alone: rows, with a loop over the elements of each. */
struct rows {
    struct clopt_source *source;
    const struct clopt_dealing *dealing;
    int64_t length;
    struct clopt_variable *row, *column;
    bool unguarded;                  /* all rows are copied: each may have an address of its own */
    struct clopt_nodes declarations; /* of these, or of parts of rows */
    const struct clopt_node *turned; /* what is copied to the element's place in a column; NULL */
    int64_t down, along;             /* in a block of rows and columns that is turned */
    struct clopt_variable *parts[BLOCK];
};

static bool is_index_of(const struct clopt_dealing *dealing, const struct clopt_node *node,
                        const char *op)
{
    return clopt_node_is_operator(node, op) && node->children[0]->variable == dealing->index &&
           node->children[1]->known;
}

static bool finds_column(const struct clopt_node *node, const void *dealing)
{
    return is_index_of(dealing, node, "%");
}

/* Whether a condition holds for all elements. */
static bool is_within(const struct clopt_dealing *dealing, const struct clopt_node *condition)
{
    condition = clopt_node_bare(condition);
    return is_index_of(dealing, condition, "<") &&
           condition->children[1]->value >= dealing->elements;
}

/* Whether an expression differs between the columns of a row. */
static bool differs(const struct rows *rows, const struct clopt_node *node)
{
    if (is_index_of(rows->dealing, node, "/") && node->children[1]->value % rows->length == 0)
        return false;
    bool found = clopt_node_names(node, rows->dealing->index);
    for (size_t i = 0; !found && i < node->child_count; i++)
        found = differs(rows, node->children[i]);
    return found;
}

/* Whether an element of a buffer follows that of the column before; Intel's compiler only makes
 * vectors of such a loop where the row has an address of its own. */
static bool is_row(const struct clopt_node *node, const void *user)
{
    const struct rows *rows = user;
    const struct clopt_variable *base =
        node->kind == CLOPT_NODE_SUBSCRIPT && !node->name ? node->children[0]->variable : NULL;
    const struct clopt_node *index = base ? node->children[1] : NULL;
    return rows->unguarded && base && base->is_pointer && !base->is_volatile &&
           base->pointee_scalar != CLOPT_SCALAR_NONE && base->pointee == CLOPT_SPACE_GLOBAL &&
           clopt_node_is_operator(index, "+") &&
           is_index_of(rows->dealing, index->children[1], "%") &&
           index->children[1]->children[1]->value == rows->length &&
           !differs(rows, index->children[0]) && !clopt_node_may_fault(index->children[0]);
}

/* Returns an element by the address of its row, or by a part of the row: compilers turn a block of
 * parts by shuffles. Declares either. */
static struct clopt_node *row_element(struct rows *rows, const struct clopt_node *node,
                                      const struct clopt_cloning *cloning)
{
    static const char *const components[BLOCK] = {"x", "y", "z", "w"};
    struct clopt_source *source = rows->source;
    struct clopt_variable *base = node->children[0]->variable, *row = rows->parts[rows->down];
    const char *qualifier = base->points_to_const ? "const " : "";
    char type[32], pointer[64];
    if (row)
        return clopt_build(source, node, "$v.$s", row, components[rows->along]);
    struct clopt_node *first = clopt_clone(cloning, node->children[1]->children[0]);
    clopt_scalar_print(base->pointee_scalar, rows->turned ? BLOCK : base->pointee_width, type,
                       sizeof type);
    snprintf(pointer, sizeof pointer, "__global %s%s *", qualifier, type);
    row = clopt_variable_make(source, rows->turned ? type : pointer, "", "%s_row", base->name);
    if (!rows->turned) {
        clopt_nodes_put(source, &rows->declarations, node, "$V = &$v[$n];", row, base, first);
        return clopt_build(source, node, "$v[$v]", row, rows->column);
    }
    clopt_nodes_put(source, &rows->declarations, node, "$V = vload$u(0, &$v[$n + $v]);", row, BLOCK,
                    base, first, rows->column);
    rows->parts[rows->down] = row;
    return clopt_build(source, node, "$v.$s", row, components[rows->along]);
}

static struct clopt_node *row_node(void *user, const struct clopt_node *node)
{
    struct rows *rows = user;
    const struct clopt_dealing *dealing = rows->dealing;
    const struct clopt_cloning cloning = {rows->source, user, row_node, NULL, true};
    if (node->kind == CLOPT_NODE_IF && is_within(dealing, node->condition))
        return clopt_clone(&cloning, node->body);
    if (clopt_node_is_operator(node, "&&") && is_within(dealing, node->children[0]))
        return clopt_clone(&cloning, node->children[1]);
    if (!rows->row)
        return NULL;
    if (rows->turned ? node == rows->turned : is_row(node, rows))
        return row_element(rows, node, &cloning);
    if (is_index_of(dealing, node, "%") && node->children[1]->value == rows->length)
        return clopt_build(rows->source, node, "$v + $l", rows->column, rows->along);
    if (is_index_of(dealing, node, "/") && node->children[1]->value == rows->length)
        return clopt_build(rows->source, node, "$v + $l", rows->row, rows->down);
    if (is_index_of(dealing, node, "/") && node->children[1]->value % rows->length == 0)
        return clopt_build(rows->source, node, "($v + $l) / $l", rows->row, rows->down,
                           node->children[1]->value / rows->length);
    return clopt_node_names(node, dealing->index)
               ? clopt_build(rows->source, node, "($v + $l) * $l + $v + $l", rows->row, rows->down,
                             rows->length, rows->column, rows->along)
               : NULL;
}

/* Finds an element of a row that is copied to its place in a column, if blocks of such are. */
static const struct clopt_node *find_turned(const struct rows *rows)
{
    const struct clopt_node *copy = rows->dealing->statement;
    copy = copy->kind == CLOPT_NODE_IF ? copy->body : copy;
    if (!rows->unguarded || copy->kind != CLOPT_NODE_ASSIGN || rows->length % BLOCK ||
        rows->dealing->elements / rows->length % BLOCK)
        return NULL;
    const struct clopt_node *lvalue = copy->children[0];
    const struct clopt_node *read = clopt_node_search(copy->children[1], is_row, rows);
    return read && read->children[0]->variable->pointee_width == 1 &&
                   lvalue->kind == CLOPT_NODE_SUBSCRIPT &&
                   is_index_of(rows->dealing, lvalue->children[1], "/") &&
                   lvalue->children[1]->children[1]->value == rows->length
               ? read
               : NULL;
}

static struct clopt_node *as_one(struct clopt_source *source, const struct clopt_node *at,
                                 const struct clopt_nodes *nodes)
{
    return nodes->count == 1 ? nodes->items[0] : clopt_build(source, at, "{ $N }", nodes);
}

/* Compilers make vectors of a loop whose elements follow each other, and none of divisions. */
static struct clopt_node *build_alone(struct clopt_source *source, const struct clopt_node *at,
                                      const struct clopt_dealing *dealing)
{
    struct rows rows = {.source = source, .dealing = dealing};
    const struct clopt_cloning cloning = {source, &rows, row_node, NULL, true};
    const struct clopt_node *found = clopt_node_search(dealing->statement, finds_column, dealing);
    if (!found || dealing->elements % found->children[1]->value) {
        struct clopt_variable *index = clopt_variable_like(source, dealing->index, "int", "");
        return clopt_build(source, at, "for ($V = 0; $v < $l; $v++) $n", index, index,
                           dealing->elements, index, clopt_clone(&cloning, dealing->statement));
    }
    rows.length = found->children[1]->value;
    rows.row = clopt_variable_make(source, "int", "", "row");
    rows.column = clopt_variable_make(source, "int", "", "column");
    rows.unguarded = dealing->statement->kind == CLOPT_NODE_ASSIGN ||
                     (dealing->statement->kind == CLOPT_NODE_IF &&
                      is_within(dealing, dealing->statement->condition));
    rows.turned = find_turned(&rows);
    struct clopt_nodes copies = {0}, *const outer = &rows.declarations;
    for (int i = 0; i < (rows.turned ? BLOCK * BLOCK : 1); i++) {
        rows.along = i / BLOCK;
        rows.down = i % BLOCK;
        clopt_nodes_add(source, &copies, clopt_clone(&cloning, dealing->statement));
    }
    const char *loop =
        rows.turned ? "for ($V = 0; $v < $l; $v += 4) $n" : "for ($V = 0; $v < $l; $v++) $n";
    if (rows.turned) {
        for (size_t i = 0; i < copies.count; i++)
            clopt_nodes_add(source, outer, copies.items[i]);
        copies = *outer;
        *outer = (struct clopt_nodes){0};
    }
    clopt_nodes_put(source, outer, at, loop, rows.column, rows.column, rows.length, rows.column,
                    as_one(source, at, &copies));
    return clopt_build(source, at, loop, rows.row, rows.row, dealing->elements / rows.length,
                       rows.row, as_one(source, at, outer));
}

struct clopt_node *clopt_dealing_build(struct clopt_source *source, const struct clopt_node *at,
                                       const struct clopt_dealing *dealing, const size_t local[3])
{
    int64_t items = clopt_items_of(local);
    if (items == 1 && dealing->elements > 1)
        return build_alone(source, at, dealing);
    struct clopt_node *item = item_number(source, local);
    if (dealing->elements <= items)
        return clopt_build(source, at, "{ $V = $n; $n }", dealing->index, item, dealing->statement);
    struct clopt_variable *first = clopt_variable_make(source, "int", "", "first");
    return clopt_build(source, at, "for ($V = 0; $v < $l; $v += $l) { $V = $v + $n; $n }", first,
                       first, dealing->elements, first, items, dealing->index, first, item,
                       dealing->statement);
}

/* ---- finding ---- */

#define FIRST 4 /* the symbol of the loop's counter; those of local identities are 1 to 3 */

static bool read_part(void *counter, const struct clopt_node *node, struct clopt_affine *affine)
{
    while (node->kind == CLOPT_NODE_PAREN || (node->kind == CLOPT_NODE_CAST && node->bits >= 32))
        node = node->children[0];
    unsigned dimension = clopt_node_dimension(node, "get_local_id");
    bool counts = clopt_node_names(node, counter);
    *affine = clopt_affine_symbol(counts ? FIRST : dimension + 1);
    return counts || dimension < 3;
}

/* Whether an index is that of a work-item in its group, after what a loop has dealt out before. */
static bool is_index(const struct clopt_node *value, const struct clopt_variable *counter,
                     const size_t local[3])
{
    const struct clopt_affine_reader reader = {read_part, NULL, (void *)counter};
    struct clopt_affine affine, expected = {.count = 0};
    int64_t before = 1;
    if (!clopt_affine_evaluate(&reader, value, &affine) || affine.wraps)
        return false;
    for (unsigned d = 0; d < 3; d++) {
        struct clopt_affine symbol = clopt_affine_symbol(d + 1);
        clopt_affine_add(&expected, &symbol, local[d] > 1 ? before : 0);
        before *= (int64_t)local[d];
    }
    struct clopt_affine symbol = clopt_affine_symbol(FIRST);
    clopt_affine_add(&expected, &symbol, counter != NULL);
    return clopt_affine_equals(&affine, &expected);
}

/* Whether a part of the statement depends on the work-item by more than the index. */
static bool depends(const struct clopt_divergence *divergence, const struct clopt_node *node,
                    const struct clopt_variable *index)
{
    if (node->kind == CLOPT_NODE_VARIABLE)
        return node->variable != index && clopt_variable_diverges(divergence, node->variable);
    if (node->kind == CLOPT_NODE_CALL || clopt_node_group_begin(node) < 3)
        return clopt_node_diverges(divergence, node);
    for (size_t i = 0; i < node->child_count; i++)
        if (depends(divergence, node->children[i], index))
            return true;
    return false;
}

/* The local array of which a statement writes an element, and no other memory; NULL: it does
 * something else. */
static const struct clopt_variable *array_of(const struct clopt_node *statement)
{
    if (statement->kind == CLOPT_NODE_IF && !statement->otherwise &&
        !clopt_node_effects(statement->condition))
        return array_of(statement->body);
    if (statement->kind == CLOPT_NODE_COMPOUND && statement->child_count == 1)
        return array_of(statement->children[0]);
    if (statement->kind != CLOPT_NODE_ASSIGN || !clopt_node_is_operator(statement, "="))
        return NULL;
    const struct clopt_variable *array = clopt_access_of(statement->children[0]).base;
    const struct clopt_node *value = statement->children[1];
    bool copies = array && array->is_array && array->space == CLOPT_SPACE_LOCAL &&
                  !(clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ) &&
                  !clopt_node_uses(value, array);
    return copies ? array : NULL;
}

/* ---- between the barriers ---- */

/* Whether a node may use the array, or write what is not an array in local memory. */
static bool disturbs(const struct clopt_node *node, const void *array)
{
    const unsigned memory = CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE;
    const struct clopt_node *target = clopt_node_written(node);
    const struct clopt_node *lvalue = target ? clopt_node_whole(target) : node;
    if (clopt_node_names(node, array))
        return true;
    if (node->kind == CLOPT_NODE_CALL)
        return node->callee && (clopt_node_effects(node) & memory);
    if (!clopt_node_is_memory(lvalue, NULL))
        return false;
    const struct clopt_variable *base = clopt_access_of(lvalue).base;
    bool reads_global =
        !target && (lvalue->space == CLOPT_SPACE_GLOBAL || lvalue->space == CLOPT_SPACE_CONSTANT);
    return !reads_global && !(base && base->is_array && base->space != CLOPT_SPACE_GLOBAL);
}

/* Whether nothing up to the next barrier, or back to the last one, disturbs the array. */
static bool is_apart(const struct clopt_divergence *divergence, const struct clopt_node *node,
                     const struct clopt_variable *array, bool after)
{
    for (; node->parent; node = node->parent) {
        const struct clopt_node *list = node->parent;
        if (clopt_node_is_loop(list) || list->kind == CLOPT_NODE_SWITCH ||
            clopt_node_is_region(divergence, list))
            return false;
        for (size_t i = clopt_node_position(node); list->kind == CLOPT_NODE_COMPOUND;) {
            if (after ? ++i == list->child_count : i-- == 0)
                break;
            if (list->children[i]->kind == CLOPT_NODE_CALL &&
                (clopt_node_effects(list->children[i]) & (unsigned)CLOPT_EFFECT_COLLECTIVE))
                return true;
            if (clopt_node_search(list->children[i], disturbs, array))
                return false;
        }
    }
    return true;
}

/* How many elements are dealt out: where a condition says so less than one for each work-item and
 * iteration. */
static int64_t count_elements(const struct clopt_node *node, const struct clopt_dealing *dealing,
                              int64_t items)
{
    const struct clopt_node *condition =
        dealing->statement->kind == CLOPT_NODE_IF ? dealing->statement->condition : NULL;
    struct clopt_trip trip;
    int64_t elements = items;
    if (node->kind == CLOPT_NODE_FOR) {
        bool whole = clopt_trip_find(node, NULL, &trip) && trip.first_known && !trip.first_value &&
                     trip.step == items && trip.count_known;
        elements = whole ? trip.count * items : 0;
    }
    while (condition && clopt_node_is_operator(clopt_node_bare(condition), "&&"))
        condition = clopt_node_bare(condition)->children[0];
    condition = condition ? clopt_node_bare(condition) : NULL;
    if (condition && clopt_node_is_operator(condition, "<") && condition->children[1]->known &&
        condition->children[0]->kind == CLOPT_NODE_VARIABLE &&
        condition->children[0]->variable == dealing->index &&
        condition->children[1]->value < elements)
        elements = condition->children[1]->value;
    return elements;
}

bool clopt_dealing_find(const struct clopt_node *node, const struct clopt_divergence *divergence,
                        const size_t local[3], struct clopt_dealing *dealing)
{
    bool loops = node->kind == CLOPT_NODE_FOR;
    const struct clopt_node *block = loops ? node->body : node;
    if (block->kind != CLOPT_NODE_COMPOUND || block->child_count != 2 || !node->parent ||
        block->children[0]->kind != CLOPT_NODE_DECLARE || block->children[0]->child_count != 1)
        return false;
    const struct clopt_node *declarator = block->children[0]->children[0];
    dealing->index = declarator->variable;
    dealing->statement = block->children[1];
    dealing->elements = count_elements(node, dealing, clopt_items_of(local));
    struct clopt_trip trip;
    const struct clopt_variable *counter =
        loops && clopt_trip_find(node, NULL, &trip) ? trip.counter : NULL;
    const struct clopt_variable *array = array_of(dealing->statement);
    return array && dealing->elements > 0 && declarator->condition && !dealing->index->changed &&
           dealing->index->scalar == CLOPT_SCALAR_INT && loops == (counter != NULL) &&
           !(counter && clopt_node_uses(dealing->statement, counter)) &&
           is_index(declarator->condition, counter, local) &&
           !depends(divergence, dealing->statement, dealing->index) &&
           is_apart(divergence, node, array, true) && is_apart(divergence, node, array, false);
}

/* ---- merging ---- */

struct clopt_node *clopt_dealing_merge(struct clopt_coarsening *coarsening,
                                       const struct clopt_node *statement)
{
    const struct clopt_merging *merging = coarsening->merging;
    struct clopt_dealing dealing;
    if (!merging || !merging->group || coarsening->alone ||
        (statement->kind != CLOPT_NODE_FOR && statement->kind != CLOPT_NODE_COMPOUND) ||
        !clopt_dealing_find(statement, merging->group, merging->local, &dealing))
        return NULL;
    size_t local[3] = {merging->local[0], merging->local[1], merging->local[2]};
    local[merging->merge.dimension] /= merging->merge.factor;
    coarsening->region_begin = statement->index;
    coarsening->region_end = clopt_node_end(statement);
    dealing.statement = clopt_coarsening_replica(coarsening, dealing.statement, 0);
    coarsening->region_begin = coarsening->region_end = 0;
    return clopt_dealing_build(coarsening->source, statement, &dealing, local);
}
