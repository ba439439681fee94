/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes vectors that overlap, or whose elements alternate in memory, from loads that cover them. */
#include "code.h"

/* Loads that are looked at together, and elements that these may cover, at most. */
#define MOST_LOADS 256
#define MOST_SPAN  256

/* A load of elements that are a stride apart. */
struct load {
    const struct clopt_node *node;
    int64_t stride;
    int64_t distance; /* from the first one of its group, in elements */
    bool done;
};

struct loads {
    struct load items[MOST_LOADS];
    size_t count;
};

/* ---- statements without a write in between ---- */

static bool is_plain(const struct clopt_node *node)
{
    return clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE;
}

/* Whether a statement leaves memory alone, but for what it assigns at its end. */
static bool only_assigns(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_ASSIGN &&
           !(clopt_node_effects(node->children[1]) & CLOPT_EFFECT_MEMORY_WRITE);
}

/* Whether a statement changes what subscripts are made of. */
static bool changes_scalars(const struct code *code, const struct clopt_node *statement)
{
    for (size_t i = 0; i < code->source->variable_count; i++) {
        const struct clopt_variable *variable = code->source->variables[i];
        if (variable->space == CLOPT_SPACE_PRIVATE && code->plan->forms[i] != FORM_VECTOR &&
            (clopt_node_uses(statement, variable) & CLOPT_WRITE))
            return true;
    }
    return false;
}

/* The number of statements from the first one on that may load before any of them writes. */
static size_t count_run(const struct code *code, struct clopt_node *const *statements, size_t count)
{
    unsigned others = CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    for (size_t i = 0; i < count; i++) {
        unsigned effects = clopt_node_effects(statements[i]);
        if (!is_plain(statements[i]) || (effects & others) ||
            (i && changes_scalars(code, statements[i])))
            return i;
        if (effects & CLOPT_EFFECT_MEMORY_WRITE)
            return only_assigns(statements[i]) ? i + 1 : i;
        if (changes_scalars(code, statements[i]))
            return i + 1;
    }
    return count;
}

/* Whether one of the statements may change what a subscript means. */
static bool changes(struct clopt_node *const *statements, size_t count,
                    const struct clopt_node *node)
{
    for (size_t i = 0; i < count; i++)
        if (clopt_node_changes(statements[i], node))
            return true;
    return false;
}

/* ---- their loads ---- */

/* Finds what is loaded in any case, and as a vector: what lanes evaluate one by one loads itself.
 */
static void find_loads(const struct code *code, const struct clopt_node *node, struct loads *loads)
{
    int64_t stride = 0;
    bool plain = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=");
    bool first = clopt_node_is_logical(node) || node->kind == CLOPT_NODE_CONDITIONAL;
    bool lanes = clopt_node_is_expression(node) && node->kind != CLOPT_NODE_LIST &&
                 (!code_has_vectors(node) ||
                  (node->kind == CLOPT_NODE_CALL && !code_takes_vectors(code, node)));
    if (node->kind == CLOPT_NODE_SIZEOF || lanes)
        return;
    if (node->kind == CLOPT_NODE_SUBSCRIPT) {
        if (code_has_stride(code, node, &stride) && stride >= 1 && stride <= PLAN_MOST_RECORD &&
            loads->count < MOST_LOADS)
            loads->items[loads->count++] = (struct load){.node = node, .stride = stride};
        return;
    }
    for (size_t i = plain; i < (first ? 1 : node->child_count); i++)
        find_loads(code, node->children[i], loads);
}

/* ---- vectors ---- */

static const char *array_name(const struct clopt_node *node)
{
    while (node->kind != CLOPT_NODE_VARIABLE && node->child_count)
        node = node->children[0];
    return node->kind == CLOPT_NODE_VARIABLE ? node->variable->name : "loaded";
}

/* What one load brings: elements from `first` on, counted from a window's first one. */
struct piece {
    unsigned first, size;
    struct clopt_variable *vector;
};

/* Loads of one stride that are in order, and the pieces of memory that cover them. */
struct window {
    const struct load *loads;
    size_t count;
    unsigned stride;
    const struct load *aligned; /* one whose first element is aligned like a vector, or NULL */
    bool needed[MOST_SPAN + 1]; /* by element */
    struct piece pieces[MOST_SPAN];
    size_t piece_count;
};

static unsigned element_of(const struct window *window, const struct load *load, unsigned lane)
{
    return (unsigned)(load->distance - window->loads[0].distance) + lane * window->stride;
}

/* The piece with an element, and the number that this has there. */
static const struct piece *find_piece(const struct window *window, unsigned element, unsigned *at)
{
    const struct piece *piece = window->pieces;
    while (element < piece->first || element >= piece->first + piece->size)
        piece++;
    *at = element - piece->first;
    return piece;
}

/* ---- pieces ---- */

/* Marks what is needed, with what lies between parts of records that nobody writes. */
static void mark(struct window *window, unsigned width)
{
    unsigned last = element_of(window, &window->loads[window->count - 1], width - 1);
    const struct clopt_variable *base = clopt_access_of(window->loads[0].node).base;
    bool fills = base && base->points_to_const && window->count * 2 >= window->stride;
    for (size_t i = 0; i < window->count; i++)
        for (unsigned lane = 0; lane < width; lane++)
            window->needed[element_of(window, &window->loads[i], lane)] = true;
    for (unsigned i = 0; fills && i < last; i++)
        window->needed[i] = true;
}

/* The piece from `at` on, of elements that follow each other from `start` to `end`: one of those
 * that the kernel loads, or as large as its alignment allows, or, if nothing is known of that, so
 * that the last one ends where they do. */
static struct piece cut(const struct window *window, unsigned width, unsigned start, unsigned at,
                        unsigned end)
{
    unsigned ahead =
        window->aligned ? element_of(window, window->aligned, 0) % width : 0; /* of a whole one */
    struct piece piece = {.first = at, .size = width};
    if (!window->aligned && window->stride > 1 && end - at < width)
        piece.first = end - start < width ? at : end - width;
    for (size_t i = 0; !window->aligned && window->stride == 1 && i < window->count; i++)
        if (element_of(window, &window->loads[i], 0) <= at)
            piece.first = element_of(window, &window->loads[i], 0);
    while (piece.size > end - piece.first ||
           (window->aligned && (piece.first + width - ahead) % piece.size))
        piece.size /= 2;
    return piece;
}

static void cut_all(struct window *window, unsigned width)
{
    for (unsigned start = 0; start < MOST_SPAN; start++) {
        unsigned end = start;
        while (window->needed[end])
            end++;
        for (unsigned at = start; at < end;) {
            struct piece piece = cut(window, width, start, at, end);
            window->pieces[window->piece_count++] = piece;
            at = piece.first + piece.size;
        }
        start = end;
    }
}

/* The number of loads without pieces: what is not known to be aligned may be one for each lane. */
static size_t count_loads(const struct code *code, const struct window *window)
{
    size_t count = 0;
    for (size_t i = 0; i < window->count; i++) {
        const struct load *load = &window->loads[i];
        bool one = window->stride == 1 &&
                   (!window->aligned || alignment_holds(&code->alignment, load->node));
        if (i == 0 || load->distance != load[-1].distance)
            count += one ? 1 : code->width;
    }
    return count;
}

/* ---- their code ---- */

static struct clopt_variable *add_vector(struct code *code, const struct clopt_node *node,
                                         unsigned width, struct clopt_node *value,
                                         struct clopt_nodes *list)
{
    struct clopt_variable *vector = code_make_next(code, node->scalar, width, array_name(node));
    code_put(code, list, node, "$V = $n;", vector, value);
    return vector;
}

/* Returns the address of an element: as the kernel names it, or by its distance from the first. */
static struct clopt_node *name_address(struct code *code, const struct window *window,
                                       unsigned element)
{
    size_t i = 0;
    while (i < window->count && element_of(window, &window->loads[i], 0) != element)
        i++;
    const struct clopt_node *node = window->loads[i < window->count ? i : 0].node;
    return code_build(code, node, i < window->count ? "&$n" : "&$n + $u", code_lane(code, node, 0),
                      element);
}

/* Adds to a list the elements of lanes from one on that are in the same piece, by one of the names
 * that OpenCL has for several components together; returns how many these are. */
static unsigned add_components(struct code *code, const struct window *window,
                               const struct load *load, unsigned lane, struct clopt_nodes *parts)
{
    char name[10] = "s";
    unsigned at, other, count = 1, size = 8;
    const struct piece *piece = find_piece(window, element_of(window, load, lane), &at);
    while (lane + count < code->width &&
           find_piece(window, element_of(window, load, lane + count), &other) == piece)
        count++;
    while (size > count || (window->stride == 1 && at % size))
        size /= 2;
    for (unsigned i = 0; i < size; i++)
        name[1 + i] = code_component(at + i * window->stride)[1];
    code_put(code, parts, NULL, piece->size > 1 ? "$v.$s" : "$v", piece->vector, name);
    return size;
}

/* Returns the vector of a load. */
static struct clopt_variable *make_vector(struct code *code, const struct window *window,
                                          const struct load *load, struct clopt_nodes *list)
{
    struct clopt_nodes parts = {0};
    for (size_t i = 0; window->stride == 1 && i < window->piece_count; i++)
        if (window->pieces[i].first == element_of(window, load, 0) &&
            window->pieces[i].size == code->width)
            return window->pieces[i].vector;
    for (unsigned lane = 0; lane < code->width;)
        lane += add_components(code, window, load, lane, &parts);
    code->shuffles++;
    return add_vector(code, load->node, code->width,
                      code_build(code, load->node, "($s$u)($N)", scalar_name(load->node->scalar),
                                 code->width, &parts),
                      list);
}

/* ---- groups ---- */

static int compare(const void *a, const void *b)
{
    const struct load *x = a;
    const struct load *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

/* Adds a window, unless that takes as many loads as there are. */
static void add_window(struct code *code, const struct load *loads, size_t count,
                       struct clopt_nodes *list)
{
    struct window window = {.loads = loads, .count = count, .stride = (unsigned)loads[0].stride};
    for (size_t i = 0; i < count && !window.aligned; i++)
        window.aligned = alignment_holds(&code->alignment, loads[i].node) ? &loads[i] : NULL;
    mark(&window, code->width);
    cut_all(&window, code->width);
    if (window.piece_count >= count_loads(code, &window))
        return;
    for (size_t i = 0; i < window.piece_count; i++) {
        const struct clopt_node *node = window.loads[0].node;
        struct clopt_node *value =
            code_load_at(code, node, window.pieces[i].size,
                         name_address(code, &window, window.pieces[i].first), window.aligned);
        code->gains.operations++;
        window.pieces[i].vector = add_vector(code, node, window.pieces[i].size, value, list);
    }
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && loads[i].distance == loads[i - 1].distance;
        code->shared[loads[i].node->index] = again ? code->shared[loads[i - 1].node->index]
                                                   : make_vector(code, &window, &loads[i], list);
    }
}

/* Adds those loads of a group, which are in order, that are interleaved or overlap. */
static void add_group(struct code *code, const struct load *loads, size_t count,
                      struct clopt_nodes *list)
{
    int64_t reach = loads[0].stride * (code->width - 1);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && loads[end].distance - loads[end - 1].distance <= reach &&
               loads[end].distance - loads[i].distance + reach < MOST_SPAN)
            end++;
        add_window(code, loads + i, end - i, list);
        i = end;
    }
}

static void add_groups(struct code *code, struct loads *loads, struct clopt_nodes *list)
{
    struct load group[MOST_LOADS];
    for (size_t i = 0; i < loads->count; i++) {
        size_t count = 0;
        for (size_t j = i; j < loads->count; j++) {
            struct load *load = &loads->items[j];
            if (load->done || load->stride != loads->items[i].stride ||
                !clopt_subscript_distance(loads->items[i].node, load->node, &load->distance))
                continue;
            load->done = true;
            group[count++] = *load;
        }
        qsort(group, count, sizeof *group, compare);
        if (count)
            add_group(code, group, count, list);
    }
}

void code_add_shared(struct code *code, const struct clopt_node *statement,
                     struct clopt_nodes *list)
{
    const struct clopt_node *parent = statement->parent;
    struct loads loads = {.count = 0};
    if (!code->shared || !parent || parent->kind != CLOPT_NODE_COMPOUND || !is_plain(statement) ||
        statement->index < code->shared_until)
        return;
    size_t at = clopt_node_position(statement);
    struct clopt_node *const *statements = parent->children + at;
    size_t count = count_run(code, statements, parent->child_count - at);
    if (!count)
        return;
    code->shared_until = clopt_node_end(statements[count - 1]);
    for (size_t i = 0; i < count; i++)
        find_loads(code, statements[i], &loads);
    size_t kept = 0;
    for (size_t i = 0; i < loads.count; i++)
        if (!changes(statements, count, loads.items[i].node))
            loads.items[kept++] = loads.items[i];
    loads.count = kept;
    add_groups(code, &loads, list);
}
