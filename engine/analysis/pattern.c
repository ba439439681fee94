/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the patterns of accesses to global memory. */
#include "analysis/pattern.h"

#include <clopt/memory.h>

#include "analysis/subscript.h"

#define NEAR_GAP     2 /* elements this far apart are still in one row: the middle may be missing */
#define LEAST_ROW    4 /* elements without a loop that make a row or column; fewer are neighbours */
#define MOST_MEMBERS 256 /* accesses that are looked at together */

const char *clopt_item_pattern_name(enum clopt_item_pattern pattern)
{
    static const char *const names[] = {"unknown", "single", "row",
                                        "column",  "block",  "neighbours"};
    return names[pattern];
}

const char *clopt_group_pattern_name(enum clopt_group_pattern pattern)
{
    static const char *const names[] = {"unknown", "focused", "separate"};
    return names[pattern];
}

const char *clopt_access_name(unsigned access)
{
    bool both = (access & CLOPT_READ) && (access & CLOPT_WRITE);
    return both ? "update" : access & CLOPT_WRITE ? "write" : "read";
}

/* ---- forms ---- */

/* Keeps the terms of a form that are the same for all work-items and iterations, or the others. */
static struct clopt_affine select_terms(const struct clopt_subscripts *subscripts,
                                        const struct clopt_affine *affine, bool fixed)
{
    struct clopt_affine selected = {.count = 0};
    for (unsigned i = 0; i < affine->count; i++) {
        const struct clopt_affine term = {.terms = {affine->terms[i]}, .count = 1};
        if (!clopt_affine_depends(subscripts, &term) == fixed)
            selected.terms[selected.count++] = affine->terms[i];
    }
    return selected;
}

/* Collects what a form multiplies one symbol with; false where it depends on `depends` otherwise.
 */
static bool find_coefficient(const struct clopt_subscripts *subscripts, struct clopt_affine affine,
                             enum clopt_symbol_kind kind, unsigned number, unsigned depends,
                             struct clopt_affine *coefficient)
{
    unsigned i = 0;
    while (i < subscripts->symbol_count &&
           (subscripts->symbols[i].kind != kind || subscripts->symbols[i].number != number))
        i++;
    return clopt_affine_take(&affine, i + 1, coefficient) &&
           !clopt_affine_depends(subscripts, coefficient) &&
           !(clopt_affine_depends(subscripts, &affine) & depends);
}

static const char *name_of(const void *subscripts, unsigned symbol)
{
    return ((const struct clopt_subscripts *)subscripts)->symbols[symbol - 1].name;
}

/* Writes a form whose symbols are variables, "2*n + 1"; NULL where it has other symbols, or is 0.
 */
static char *write_form(const struct clopt_subscripts *subscripts,
                        const struct clopt_affine *affine)
{
    return affine->count ? clopt_affine_print(affine, "*", name_of, subscripts) : NULL;
}

/* ---- work-groups ---- */

static void name_group(const struct clopt_subscripts *subscripts,
                       const struct clopt_subscript *access, unsigned dimension,
                       struct clopt_pattern *pattern)
{
    struct clopt_affine distance;
    if (!find_coefficient(subscripts, access->affine, CLOPT_SYMBOL_ITEM, dimension,
                          CLOPT_DEPENDS_ITEM(dimension), &distance))
        return;
    pattern->group = distance.count ? CLOPT_GROUP_SEPARATE : CLOPT_GROUP_FOCUSED;
    pattern->group_distance = write_form(subscripts, &distance);
    if (!clopt_affine_is_constant(&distance, &pattern->group_elements))
        pattern->group_elements = 0;
}

/* ---- work-items ---- */

/* An element that one work-item accesses together with others. */
struct member {
    struct clopt_affine far; /* the part with symbols: rows of a width that is not known here */
    int64_t near;
};

/* What an access is made of: each is held against all others. */
struct parts {
    struct clopt_affine moving; /* differs between work-items or iterations */
    struct member fixed;        /* is the same for all of them */
};

static struct parts take_apart(const struct clopt_subscripts *subscripts,
                               const struct clopt_affine *affine)
{
    struct parts parts = {.moving = select_terms(subscripts, affine, false),
                          .fixed = {.far = select_terms(subscripts, affine, true)}};
    const struct clopt_term *first = &parts.fixed.far.terms[0];
    parts.fixed.near = first->symbols[0] ? 0 : first->factor;
    const struct clopt_affine number = clopt_affine_constant(parts.fixed.near);
    clopt_affine_add(&parts.fixed.far, &number, -1);
    return parts;
}

/* Whether the distance of two elements is a number and at most one term more, of parameters: some
 * rows. Others have nothing to do with each other. */
static bool is_distance(const struct clopt_subscripts *subscripts,
                        const struct clopt_affine *affine)
{
    unsigned far = 0;
    for (unsigned i = 0; i < affine->count; i++) {
        const struct clopt_term *term = &affine->terms[i];
        far += term->symbols[0] != 0;
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && term->symbols[k]; k++)
            if (!subscripts->symbols[term->symbols[k] - 1].name)
                return false;
    }
    return far <= 1;
}

/* Whether two accesses differ by what is the same for all work-items and iterations alone. */
static bool go_together(const struct clopt_subscripts *subscripts, const struct parts *parts,
                        size_t a, size_t b)
{
    const struct clopt_subscript *x = &subscripts->accesses[a], *y = &subscripts->accesses[b];
    if (x->array != y->array || x->loops != y->loops || !(x->access & y->access) ||
        !clopt_affine_equals(&parts[a].moving, &parts[b].moving))
        return false;
    if (clopt_affine_equals(&parts[a].fixed.far, &parts[b].fixed.far))
        return true;
    struct clopt_affine distance = x->affine;
    return clopt_affine_add(&distance, &y->affine, -1) && is_distance(subscripts, &distance);
}

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a;
    const struct member *y = b;
    int order = clopt_affine_compare(&x->far, &y->far);
    return order ? order : (x->near > y->near) - (x->near < y->near);
}

/* Lists the different elements that go together with an access, in order. */
static size_t list_members(const struct clopt_subscripts *subscripts, const struct parts *parts,
                           size_t access, struct member *members)
{
    size_t count = 0;
    for (size_t i = 0; i < subscripts->access_count && count < MOST_MEMBERS; i++) {
        unsigned width = subscripts->accesses[i].width;
        if (!go_together(subscripts, parts, access, i))
            continue;
        for (unsigned lane = 0; lane < width && count < MOST_MEMBERS; lane++) {
            members[count] = parts[i].fixed;
            members[count++].near += lane;
        }
    }
    qsort(members, count, sizeof *members, compare_members);
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++)
        if (!distinct || compare_members(&members[distinct - 1], &members[i]) != 0)
            members[distinct++] = members[i];
    return distinct;
}

/* How elements that go together lie: in how many rows, of how many elements. */
struct layout {
    size_t rows;
    size_t longest;
    size_t shortest;
};

static struct layout lay_out(const struct member *members, size_t count)
{
    struct layout layout = {0, 0, SIZE_MAX};
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count && clopt_affine_equals(&members[end].far, &members[first].far) &&
               members[end].near - members[end - 1].near <= NEAR_GAP)
            end++;
        size_t length = end - first;
        layout.rows++;
        layout.longest = length > layout.longest ? length : layout.longest;
        layout.shortest = length < layout.shortest ? length : layout.shortest;
        first = end;
    }
    return layout;
}

/* In which ways loops go through an array. */
struct strides {
    bool known;
    bool near;                    /* from one element to the next */
    unsigned far_count;           /* further */
    struct clopt_affine distance; /* of a far one */
};

static struct strides find_strides(const struct clopt_subscripts *subscripts,
                                   const struct clopt_subscript *access,
                                   const struct layout *layout)
{
    struct strides strides = {.known = true};
    for (unsigned loop = 0; loop < CLOPT_MOST_LOOPS && strides.known; loop++) {
        unsigned bit = CLOPT_DEPENDS_LOOP(loop);
        struct clopt_affine distance;
        int64_t number;
        if (!(access->loops & bit))
            continue;
        strides.known =
            find_coefficient(subscripts, access->affine, CLOPT_SYMBOL_LOOP, loop, bit, &distance);
        if (!strides.known || !distance.count)
            continue;
        /* A loop that was unrolled takes as many elements at once as it goes on. */
        if (clopt_affine_is_constant(&distance, &number) &&
            llabs(number) <= (int64_t)layout->longest) {
            strides.near = true;
        } else {
            strides.far_count++;
            strides.distance = distance;
        }
    }
    return strides;
}

static enum clopt_item_pattern name_layout(const struct layout *layout)
{
    if (layout->rows == 1 && layout->longest == 1)
        return CLOPT_ITEM_SINGLE;
    if (layout->rows == 1)
        return layout->longest >= LEAST_ROW ? CLOPT_ITEM_ROW : CLOPT_ITEM_NEIGHBOURS;
    if (layout->longest == 1)
        return layout->rows >= LEAST_ROW ? CLOPT_ITEM_COLUMN : CLOPT_ITEM_NEIGHBOURS;
    return layout->longest == layout->shortest ? CLOPT_ITEM_BLOCK : CLOPT_ITEM_NEIGHBOURS;
}

static void name_item(const struct clopt_subscripts *subscripts, const struct parts *parts,
                      const struct clopt_subscript *access, struct member *members,
                      struct clopt_pattern *pattern)
{
    size_t count =
        list_members(subscripts, parts, (size_t)(access - subscripts->accesses), members);
    struct layout layout = lay_out(members, count);
    struct strides strides = find_strides(subscripts, access, &layout);
    if (!access->array || !strides.known)
        return;
    if (!strides.near && !strides.far_count) {
        pattern->item = name_layout(&layout);
        return;
    }
    bool near = strides.near || layout.longest > 1;
    bool far = strides.far_count || layout.rows > 1;
    pattern->item = near && far ? CLOPT_ITEM_BLOCK : near ? CLOPT_ITEM_ROW : CLOPT_ITEM_COLUMN;
    if (pattern->item == CLOPT_ITEM_COLUMN && strides.far_count == 1)
        pattern->item_distance = write_form(subscripts, &strides.distance);
}

/* ---- the whole ---- */

static bool equal_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether a function that is called more than once has had this very pattern before. */
static bool is_known(const struct clopt_patterns *patterns, const struct clopt_pattern *pattern)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct clopt_pattern *other = &patterns->items[i];
        if (other->node == pattern->node && other->access == pattern->access &&
            strcmp(other->array, pattern->array) == 0 && other->item == pattern->item &&
            other->group == pattern->group &&
            equal_texts(other->item_distance, pattern->item_distance) &&
            equal_texts(other->group_distance, pattern->group_distance))
            return true;
    }
    return false;
}

static void add_pattern(const struct clopt_subscripts *subscripts, const struct parts *parts,
                        const struct clopt_subscript *access, unsigned dimension,
                        struct member *members, struct clopt_patterns *patterns)
{
    struct clopt_pattern pattern = {.node = access->node,
                                    .array = access->array ? access->array->name : "?",
                                    .access = access->access,
                                    .width = access->width};
    if (access->array)
        name_group(subscripts, access, dimension, &pattern);
    name_item(subscripts, parts, access, members, &pattern);
    if (!is_known(patterns, &pattern)) {
        patterns->items[patterns->count++] = pattern;
        return;
    }
    free(pattern.item_distance);
    free(pattern.group_distance);
}

void clopt_patterns_find(const struct clopt_source *source, unsigned dimension,
                         struct clopt_patterns *patterns)
{
    CLOPT_OWNED(clopt_subscripts) subscripts = {0};
    *patterns = (struct clopt_patterns){0};
    clopt_subscripts_find(source, NULL, &subscripts);
    CLOPT_FREED struct member *members = clopt_calloc(MOST_MEMBERS, sizeof *members);
    patterns->items = clopt_calloc(subscripts.access_count + 1, sizeof *patterns->items);
    CLOPT_FREED struct parts *parts = clopt_calloc(subscripts.access_count + 1, sizeof *parts);
    for (size_t i = 0; i < subscripts.access_count; i++)
        parts[i] = take_apart(&subscripts, &subscripts.accesses[i].affine);
    for (size_t i = 0; i < subscripts.access_count; i++)
        add_pattern(&subscripts, parts, &subscripts.accesses[i], dimension, members, patterns);
}

void clopt_patterns_fini(struct clopt_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        free(patterns->items[i].item_distance);
        free(patterns->items[i].group_distance);
    }
    free(patterns->items);
    *patterns = (struct clopt_patterns){0};
}
