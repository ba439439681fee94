/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a buffer another layout. */
#include <clopt/layout.h>

#include "analysis/bounds.h"
#include "kernel/tree.h"
#include "rewrite/records.h"

#define MOST_CANDIDATES 16
#define MOST_ACCESSES   256

/* An element that the kernel accesses. */
struct element {
    struct clopt_node *node; /* the subscript */
    struct clopt_affine index;
    struct clopt_affine row;
    struct clopt_affine column;
};

struct relayout {
    struct clopt_source *source;
    struct clopt_variable *array;
    enum clopt_layout_kind kind;
    const char *step; /* with which messages begin */
    bool exact;       /* all of an index is to be known */
    struct clopt_symbols symbols;
    struct element *elements;
    size_t count;
    const struct clopt_node *other; /* a use that is no element, or one element too many */
    struct clopt_affine width;
    struct clopt_layout layout;
};

/* ---- accesses ---- */

/* Whether an array's name is that of an element of it. */
static bool is_element(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    const struct clopt_node *user = parent->parent;
    return parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[0] == node &&
           !(user->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(user, "&"));
}

/* Collects the accesses to the array. */
static void collect(struct relayout *relayout, struct clopt_node *node)
{
    if (clopt_node_names(node, relayout->array)) {
        if (is_element(node) && relayout->count < MOST_ACCESSES)
            relayout->elements[relayout->count++].node = node->parent;
        else if (!relayout->other)
            relayout->other = node;
    }
    for (size_t i = 0; i < node->child_count; i++)
        collect(relayout, node->children[i]);
}

/* Reads an index. Of arrays for each field, which only numbers tell apart, what is multiplied with
 * a number need not be known. */
static bool read_index(struct relayout *relayout, struct element *element)
{
    const struct clopt_node *index = element->node->children[1];
    return clopt_index_read(&relayout->symbols, index, &element->index) ||
           (relayout->kind == CLOPT_LAYOUT_SOA && !relayout->exact &&
            !(clopt_node_effects(index) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ) &&
            !clopt_node_search(index, clopt_node_names, relayout->array) &&
            clopt_affine_read(&relayout->symbols, NULL, index, &element->index));
}

static enum clopt_status read_indices(struct relayout *relayout, struct clopt_error *error)
{
    for (size_t i = 0; i < relayout->count; i++) {
        struct element *element = &relayout->elements[i];
        if (!read_index(relayout, element))
            return clopt_source_refuse(relayout->source, element->node, error,
                                       "%s: which element of %s is accessed here is not known "
                                       "before it runs",
                                       relayout->step, relayout->array->name);
    }
    return CLOPT_OK;
}

/* Whether the elements of an array are structures or vectors. */
static bool holds_records(const struct clopt_variable *array)
{
    return array->pointee_scalar == CLOPT_SCALAR_NONE || array->pointee_width > 1;
}

/* ---- rows ---- */

/* The term of a form that has the most symbols. */
static const struct clopt_term *leading(const struct clopt_affine *form)
{
    const struct clopt_term *found = &form->terms[0];
    for (unsigned i = 1; i < form->count; i++)
        if (clopt_term_degree(&form->terms[i]) > clopt_term_degree(found))
            found = &form->terms[i];
    return found;
}

/* The order in which lengths of rows are tried: shorter products first, numbers last. */
static unsigned rank_of(const struct clopt_affine *width)
{
    unsigned degree = clopt_term_degree(leading(width));
    return degree ? degree : CLOPT_TERM_SYMBOLS + 1;
}

/* Divides a term by another one; false where it is not a multiple. */
static bool divide_term(const struct clopt_term *term, const struct clopt_term *by,
                        struct clopt_affine *quotient)
{
    struct clopt_term rest = {.factor = term->factor / by->factor};
    unsigned kept = 0, used = 0;
    if (clopt_term_degree(by) == 0 && clopt_term_degree(term) == 0 && term->factor % by->factor < 0)
        rest.factor--; /* the remainder of a number is 0 or more */
    else if (clopt_term_degree(by) + clopt_term_degree(term) && term->factor % by->factor)
        return false;
    for (unsigned i = 0; i < clopt_term_degree(term); i++)
        if (used < clopt_term_degree(by) && term->symbols[i] == by->symbols[used])
            used++;
        else
            rest.symbols[kept++] = term->symbols[i];
    *quotient = (struct clopt_affine){.count = 1, .terms[0] = rest};
    return used == clopt_term_degree(by) && rest.factor;
}

/* Splits an index into a row and a column. */
static bool split(const struct clopt_affine *width, struct element *element)
{
    element->row = (struct clopt_affine){.count = 0};
    element->column = element->index;
    for (unsigned i = 0; i < element->column.count;) {
        struct clopt_affine quotient, product;
        if (!divide_term(&element->column.terms[i], leading(width), &quotient)) {
            i++;
            continue;
        }
        product = quotient;
        if (!clopt_affine_multiply(&product, width) ||
            !clopt_affine_add(&element->column, &product, -1) ||
            !clopt_affine_add(&element->row, &quotient, 1))
            return false;
        i = 0;
    }
    return true;
}

static bool is_of_launch(const struct relayout *relayout, const struct clopt_affine *form)
{
    struct clopt_affine launch;
    return clopt_launch_form_make(relayout->source, &relayout->symbols, form, &launch);
}

/* Adds a length that rows may have. */
static void add_candidate(const struct relayout *relayout, const struct clopt_affine *width,
                          struct clopt_affine *candidates, size_t *count)
{
    int64_t number;
    bool known = clopt_affine_is_constant(width, &number);
    if ((relayout->kind == CLOPT_LAYOUT_SOA && !known) ||
        (relayout->kind == CLOPT_LAYOUT_AOS && known) || (known && number < 2) ||
        *count == MOST_CANDIDATES || leading(width)->factor < 1 || !is_of_launch(relayout, width))
        return;
    for (size_t i = 0; i < *count; i++)
        if (clopt_affine_equals(&candidates[i], width))
            return;
    size_t at = (*count)++;
    for (; at > 0 && rank_of(&candidates[at - 1]) > rank_of(width); at--)
        candidates[at] = candidates[at - 1];
    candidates[at] = *width;
}

/* Whether a form is the identity of a work-item in dimension 0. */
static bool is_identity(const struct relayout *relayout, const struct clopt_affine *form)
{
    const struct clopt_term *term = &form->terms[0];
    return form->count == 1 && term->factor == 1 && clopt_term_degree(term) == 1 &&
           clopt_node_dimension(relayout->symbols.nodes[term->symbols[0] - 1], "get_global_id") ==
               0;
}

/* Lists the lengths that rows may have: what work-items and loops multiply their numbers with, and
 * what the same terms of indices are products of. */
static size_t list_candidates(const struct relayout *relayout, struct clopt_affine *candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < relayout->count; i++) {
        const struct clopt_affine *index = &relayout->elements[i].index;
        for (unsigned s = 1; s <= relayout->symbols.count; s++) {
            const struct clopt_affine symbol = clopt_affine_symbol(s);
            struct clopt_affine rest = *index, width;
            if (relayout->exact && !is_identity(relayout, &symbol))
                continue;
            if (!is_of_launch(relayout, &symbol) && clopt_affine_take(&rest, s, &width) &&
                width.count)
                add_candidate(relayout, &width, candidates, &count);
        }
        for (unsigned t = 0; t < index->count; t++) {
            struct clopt_affine width = {.count = 1, .terms[0] = index->terms[t]};
            width.terms[0].factor = 1;
            if (clopt_term_degree(&width.terms[0]))
                add_candidate(relayout, &width, candidates, &count);
        }
    }
    return count;
}

/* Checks that an element is in its row, whatever the launch; `layout` gets what it needs. */
static enum clopt_status check_element(struct relayout *relayout, struct element *element,
                                       const struct clopt_affine *width,
                                       struct clopt_layout *layout, struct clopt_error *error)
{
    struct clopt_facts facts;
    struct clopt_affine after = *width;
    const struct clopt_affine one = clopt_affine_constant(1);
    clopt_facts_find(relayout->source, element->node, &relayout->symbols, &facts);
    bool inside = clopt_facts_prove(&facts, &element->column, layout->needs, &layout->need_count) &&
                  clopt_affine_add(&after, &element->column, -1) &&
                  clopt_affine_add(&after, &one, -1) &&
                  clopt_facts_prove(&facts, &after, layout->needs, &layout->need_count);
    return inside ? CLOPT_OK
                  : clopt_source_refuse(relayout->source, element->node, error,
                                        "%s: this element of %s is not proved to be inside "
                                        "its row",
                                        relayout->step, relayout->array->name);
}

/* Tries rows of a length. */
static enum clopt_status try_width(struct relayout *relayout, const struct clopt_affine *width,
                                   struct clopt_error *error)
{
    struct clopt_layout layout = relayout->layout;
    enum clopt_status status = CLOPT_OK;
    clopt_launch_form_make(relayout->source, &relayout->symbols, width, &layout.row);
    for (size_t i = 0; i < relayout->count && !status; i++) {
        struct element *element = &relayout->elements[i];
        int64_t row;
        bool splits = split(width, element) && (relayout->kind != CLOPT_LAYOUT_AOS ||
                                                clopt_affine_is_constant(&element->row, &row));
        status = splits ? check_element(relayout, element, width, &layout, error)
                        : clopt_source_refuse(relayout->source, element->node, error,
                                              "layout: %s has no array for each field",
                                              relayout->array->name);
    }
    if (status)
        return status;
    relayout->layout = layout;
    relayout->width = *width;
    return CLOPT_OK;
}

static enum clopt_status find_rows(struct relayout *relayout, struct clopt_error *error)
{
    struct clopt_affine candidates[MOST_CANDIDATES];
    struct clopt_error first = {0};
    size_t count = list_candidates(relayout, candidates);
    for (size_t i = 0; i < count; i++) {
        enum clopt_status status = try_width(relayout, &candidates[i], error);
        if (status != CLOPT_INFEASIBLE)
            return status;
        first = i ? first : *error;
    }
    if (count) {
        *error = first;
        return CLOPT_INFEASIBLE;
    }
    const struct clopt_variable *array = relayout->array;
    return clopt_source_refuse(
        relayout->source,
        relayout->count ? relayout->elements[0].node : relayout->source->kernel->body, error,
        "%s: %s has no rows%s%s", relayout->step, array->name,
        relayout->kind == CLOPT_LAYOUT_SOA ? " of a known length" : "",
        holds_records(array) ? "; its elements, which are structures or vectors, are "
                               "not taken apart"
                             : "");
}

/* ---- rewriting ---- */

/* Whether a variable has been given a symbol's value, plus a number, where an element is accessed.
 */
static bool is_near(struct relayout *relayout, const struct clopt_variable *variable,
                    unsigned symbol, const struct clopt_node *at, int64_t *more)
{
    const struct clopt_node *declarator = variable->declarator;
    const struct clopt_affine own = clopt_affine_symbol(symbol);
    struct clopt_affine form;
    return declarator && declarator->condition && !variable->changed && variable->bits >= 32 &&
           clopt_node_is_before(declarator, at) && declarator->parent->parent &&
           clopt_node_contains(declarator->parent->parent, at) &&
           clopt_index_read(&relayout->symbols, declarator->condition, &form) &&
           clopt_affine_add(&form, &own, -1) && clopt_affine_is_constant(&form, more);
}

/* Puts the kernel's own variables into a form, so that what it becomes is as readable. */
static void name_symbols(struct relayout *relayout, struct clopt_affine *form,
                         const struct clopt_node *at)
{
    struct clopt_symbols *symbols = &relayout->symbols;
    for (unsigned s = 1; s <= symbols->count && symbols->count < CLOPT_MOST_SYMBOLS; s++) {
        const struct clopt_source *source = relayout->source;
        struct clopt_affine named = *form, coefficient;
        int64_t more = 0;
        size_t v = 0;
        if (symbols->nodes[s - 1]->kind == CLOPT_NODE_VARIABLE || !clopt_affine_has(form, s))
            continue;
        while (v < source->variable_count && !is_near(relayout, source->variables[v], s, at, &more))
            v++;
        if (v == source->variable_count || symbols->count == CLOPT_MOST_SYMBOLS)
            continue;
        struct clopt_affine value;
        if (!clopt_affine_read(symbols, NULL,
                               clopt_build(relayout->source, at, "$v", source->variables[v]),
                               &value))
            continue;
        const struct clopt_affine less = clopt_affine_constant(-more);
        if (clopt_affine_add(&value, &less, 1) && clopt_affine_take(&named, s, &coefficient) &&
            clopt_affine_multiply(&coefficient, &value) &&
            clopt_affine_add(&named, &coefficient, 1))
            *form = named;
    }
}

static struct clopt_node *build_term(struct relayout *relayout, const struct clopt_term *term,
                                     const struct clopt_node *at)
{
    struct clopt_source *source = relayout->source;
    const struct clopt_cloning cloning = {.source = source, .plain = true};
    struct clopt_node *product =
        clopt_build(source, at, "$l", term->factor < 0 ? -term->factor : term->factor);
    for (unsigned i = 0; i < clopt_term_degree(term); i++)
        product = clopt_build(source, at, "$n * $n", product,
                              clopt_clone(&cloning, relayout->symbols.nodes[term->symbols[i] - 1]));
    return product;
}

/* Builds a form that is never less than 0: no part of the sum is, either. */
static struct clopt_node *build_form(struct relayout *relayout, const struct clopt_affine *given,
                                     const struct clopt_node *at)
{
    struct clopt_node *sum = clopt_build(relayout->source, at, "0");
    struct clopt_affine named = *given, *form = &named;
    name_symbols(relayout, form, at);
    for (int sign = 1; sign >= -1; sign -= 2)
        for (unsigned i = form->count; i-- > 0;)
            if ((form->terms[i].factor > 0) == (sign > 0))
                sum = clopt_build(relayout->source, at, sign > 0 ? "$n + $n" : "$n - $n", sum,
                                  build_term(relayout, &form->terms[i], at));
    return sum;
}

/* Builds the index of an element in the new layout. */
static struct clopt_node *build_index(struct relayout *relayout, const struct element *element,
                                      struct clopt_variable *rows)
{
    struct clopt_source *source = relayout->source;
    const struct clopt_node *at = element->node;
    struct clopt_node *row = build_form(relayout, &element->row, at);
    struct clopt_node *column = build_form(relayout, &element->column, at);
    int64_t block = relayout->layout.block;
    if (!block)
        return clopt_build(source, at, "$n * $v + $n", column, rows, row);
    return clopt_build(source, at, "$n / $l * ($l * $n) + $n * $l + $n % $l", row, block, block,
                       build_form(relayout, &relayout->width, at), column, block,
                       build_form(relayout, &element->row, at), block);
}

/* ---- the whole ---- */

static enum clopt_status check_room(const struct relayout *relayout,
                                    const struct clopt_ndrange_change *change,
                                    struct clopt_error *error)
{
    return change->layout_count < CLOPT_MOST_LAYOUTS
               ? CLOPT_OK
               : clopt_source_refuse(relayout->source, relayout->source->kernel->body, error,
                                     "layout: more than %d buffers", CLOPT_MOST_LAYOUTS);
}

static enum clopt_status check_parameter(const struct relayout *relayout, struct clopt_error *error)
{
    const struct clopt_variable *array = relayout->array;
    const struct clopt_node *body = relayout->source->kernel->body;
    size_t bytes = array->pointee_bytes;
    if (relayout->other && is_element(relayout->other))
        return clopt_source_refuse(relayout->source, relayout->other, error,
                                   "%s: more than %d accesses to %s", relayout->step, MOST_ACCESSES,
                                   array->name);
    if (relayout->other)
        return clopt_source_refuse(relayout->source, relayout->other, error,
                                   "%s: %s is used here other than by its elements", relayout->step,
                                   array->name);
    if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)))
        return clopt_source_refuse(relayout->source, body, error,
                                   "%s: elements of %s have %zu bytes, and only those of 1, 2, "
                                   "4, 8 and 16 are permuted",
                                   relayout->step, array->name, bytes);
    return CLOPT_OK;
}

/* Makes the parameter that says how many rows there are. */
static struct clopt_variable *make_rows(const struct relayout *relayout)
{
    return clopt_variable_make(relayout->source, "const ulong", "", "%s_rows",
                               relayout->array->name);
}

/* Rewrites what accesses are left, and notes the layout. */
static void finish(struct relayout *relayout, struct clopt_variable *rows,
                   struct clopt_ndrange_change *change)
{
    if (rows) {
        clopt_function_add_parameter(relayout->source, relayout->source->kernel, rows);
        change->added[change->added_count++] = (struct clopt_added_argument){
            .rows = true, .number = (unsigned)change->layout_count, .merged = 1};
    }
    for (size_t i = 0; i < relayout->count; i++) {
        const struct element *element = &relayout->elements[i];
        clopt_replace(relayout->source, element->node->children[1],
                      build_index(relayout, element, rows));
    }
    change->layouts[change->layout_count++] = relayout->layout;
    change->distinct_buffers = true;
}

enum clopt_status clopt_layout_change(struct clopt_source *source, struct clopt_variable *parameter,
                                      enum clopt_layout_kind kind, unsigned block,
                                      struct clopt_ndrange_change *change,
                                      struct clopt_error *error)
{
    struct relayout relayout = {
        .source = source, .array = parameter, .kind = kind, .step = "layout"};
    relayout.elements = clopt_source_table(source, MOST_ACCESSES, sizeof *relayout.elements);
    relayout.layout.block = kind == CLOPT_LAYOUT_BLOCKED ? block : 0;
    relayout.layout.element_bytes = (unsigned)parameter->pointee_bytes;
    while (source->kernel->parameters[relayout.layout.argument] != parameter)
        relayout.layout.argument++;
    if (kind == CLOPT_LAYOUT_SOA && holds_records(parameter)) {
        struct clopt_variable *rows = make_rows(&relayout);
        CLOPT_TRY(check_room(&relayout, change, error));
        CLOPT_TRY(clopt_records_split(source, parameter, rows, &relayout.layout, error));
        finish(&relayout, rows, change);
        return CLOPT_OK;
    }
    collect(&relayout, source->kernel->body);
    CLOPT_TRY(check_parameter(&relayout, error));
    CLOPT_TRY(check_room(&relayout, change, error));
    CLOPT_TRY(read_indices(&relayout, error));
    CLOPT_TRY(find_rows(&relayout, error));
    finish(&relayout, relayout.layout.block ? NULL : make_rows(&relayout), change);
    return CLOPT_OK;
}

/* ---- rows that work-items have for themselves ---- */

enum clopt_status clopt_own_rows_find(struct clopt_source *source, struct clopt_variable *parameter,
                                      const char *step, struct clopt_own_rows *rows,
                                      struct clopt_error *error)
{
    struct relayout *relayout = clopt_source_table(source, 1, sizeof *relayout);
    *relayout = (struct relayout){.source = source,
                                  .array = parameter,
                                  .kind = CLOPT_LAYOUT_SOA,
                                  .step = step,
                                  .exact = true};
    relayout->elements = clopt_source_table(source, MOST_ACCESSES, sizeof *relayout->elements);
    collect(relayout, source->kernel->body);
    CLOPT_TRY(check_parameter(relayout, error));
    CLOPT_TRY(read_indices(relayout, error));
    CLOPT_TRY(find_rows(relayout, error));
    *rows = (struct clopt_own_rows){.symbols = relayout->symbols.nodes, .count = relayout->count};
    clopt_affine_is_constant(&relayout->width, &rows->width);
    rows->elements = clopt_source_table(source, rows->count, sizeof *rows->elements);
    for (size_t i = 0; i < rows->count; i++) {
        const struct element *element = &relayout->elements[i];
        if (!is_identity(relayout, &element->row) || relayout->layout.need_count)
            return clopt_source_refuse(source, element->node, error,
                                       "%s: this element of %s may be in another work-item's row",
                                       step, parameter->name);
        rows->elements[i] = (struct clopt_own_element){
            element->node, element->column, build_form(relayout, &element->column, element->node)};
    }
    return CLOPT_OK;
}
