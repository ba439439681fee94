/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a kernel is as a whole, by the indices of what it reads. */
#include "commands/advise/pattern_find.h"

#include <clopt/divergence.h>
#include <clopt/loop.h>

#include "analysis/subscript.h"
#include "analysis/trip.h"
#include "text/text.h"

#define MOST_WINDOW 32    /* elements that a work-item of a stencil reads: all become text */
#define MOST_TRIPS  1024  /* of one of the loops whose iterations are counted together */
#define FEW_ITEMS   4096  /* leave most of a GPU idle */
#define MOST_SHARED 65536 /* results of as many work-items, that a GPU adds up beside its work */
#define LONG_LOOP   4096  /* iterations that are worth a work-group */
#define PLANE       (CLOPT_DEPENDS_ITEM(0) | CLOPT_DEPENDS_ITEM(1))

/* What an index multiplies the local identity of a dimension with. */
bool clopt_pattern_coefficient(const struct clopt_subscripts *subscripts,
                               const struct clopt_subscript *access, unsigned dimension,
                               struct clopt_affine *coefficient)
{
    struct clopt_affine affine = access->affine;
    unsigned i = 0;
    while (i < subscripts->symbol_count && (subscripts->symbols[i].kind != CLOPT_SYMBOL_ITEM ||
                                            subscripts->symbols[i].number != dimension))
        i++;
    return clopt_affine_take(&affine, i + 1, coefficient) && coefficient->count &&
           !(clopt_affine_depends(subscripts, &affine) & CLOPT_DEPENDS_ITEM(dimension));
}

/* Whether one of the accesses reads what the other one does with the dimensions exchanged. */
static bool is_transposed(const struct clopt_subscripts *subscripts,
                          const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    struct clopt_affine of_a[2], of_b[2];
    for (unsigned d = 0; d < 2; d++)
        if (!clopt_pattern_coefficient(subscripts, a, d, &of_a[d]) ||
            !clopt_pattern_coefficient(subscripts, b, d, &of_b[d]))
            return false;
    return a->array == b->array && !clopt_affine_equals(&of_a[0], &of_a[1]) &&
           clopt_affine_equals(&of_a[0], &of_b[1]) && clopt_affine_equals(&of_a[1], &of_b[0]);
}

/* Returns the loops whose counters both indices have, where one has dimension 0 beside them and the
 * other one dimension 1. */
static unsigned find_product(const struct clopt_subscripts *subscripts,
                             const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    unsigned of_a = clopt_affine_depends(subscripts, &a->affine);
    unsigned of_b = clopt_affine_depends(subscripts, &b->affine);
    bool apart = (of_a & PLANE) == CLOPT_DEPENDS_ITEM(1) && (of_b & PLANE) == CLOPT_DEPENDS_ITEM(0);
    return apart ? of_a & of_b & ~CLOPT_DEPENDS_ITEMS : 0;
}

/* Whether the first index is a plane's, the same for each index of dimension 2, and the other one
 * dimension 2's alone, both in loops. */
static bool is_convolution(const struct clopt_subscripts *subscripts,
                           const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    unsigned of_a = clopt_affine_depends(subscripts, &a->affine);
    unsigned of_b = clopt_affine_depends(subscripts, &b->affine);
    return (of_a & CLOPT_DEPENDS_ITEMS) == PLANE &&
           (of_b & CLOPT_DEPENDS_ITEMS) == CLOPT_DEPENDS_ITEM(2) &&
           (of_a & of_b & ~CLOPT_DEPENDS_ITEMS);
}

/* Returns the iterations of some loops, each in the other ones; 0: they are not known. */
int64_t clopt_pattern_trips(const struct clopt_subscripts *subscripts, unsigned loops)
{
    int64_t all = loops != 0;
    for (size_t i = 0; i < subscripts->symbol_count && all; i++) {
        const struct clopt_symbol *symbol = &subscripts->symbols[i];
        if (symbol->kind != CLOPT_SYMBOL_LOOP || !(loops & CLOPT_DEPENDS_LOOP(symbol->number)))
            continue;
        int64_t trips = clopt_trip_count(symbol->key);
        all = trips < MOST_TRIPS ? all * trips : 0;
    }
    return all;
}

void clopt_pattern_note(const struct clopt_source *source, enum clopt_kernel_kind kind,
                        const struct clopt_subscript *a, const struct clopt_subscript *b,
                        struct clopt_kernel_pattern *pattern)
{
    const struct clopt_subscript *const both[] = {a, b};
    pattern->kind = kind;
    pattern->line = clopt_source_line(source, a->node);
    for (size_t i = 0; i < 2; i++) {
        unsigned bytes = (unsigned)both[i]->array->pointee_bytes;
        snprintf(pattern->arrays[i], sizeof pattern->arrays[i], "%s", both[i]->array->name);
        pattern->bytes = bytes > pattern->bytes ? bytes : pattern->bytes;
    }
}

/* Whether neighbours along a dimension access neighbours. */
bool clopt_pattern_is_along(const struct clopt_subscripts *subscripts,
                            const struct clopt_subscript *access, unsigned dimension)
{
    struct clopt_affine distance;
    int64_t number;
    return clopt_pattern_coefficient(subscripts, access, dimension, &distance) &&
           clopt_affine_is_constant(&distance, &number) && llabs(number) == 1;
}

/* Whether the first access reads along dimension 0, and the other one writes along dimension 1. */
static bool is_turned(const struct clopt_subscripts *subscripts, const struct clopt_subscript *a,
                      const struct clopt_subscript *b)
{
    return a->access == CLOPT_READ && b->access == CLOPT_WRITE &&
           clopt_pattern_is_along(subscripts, a, 0) && clopt_pattern_is_along(subscripts, b, 1) &&
           !clopt_pattern_is_along(subscripts, b, 0) &&
           (clopt_affine_depends(subscripts, &b->affine) & CLOPT_DEPENDS_ITEM(0));
}

/* Finds what two accesses are together; a product says more than a pair. */
static void judge(const struct clopt_source *source, const struct clopt_subscripts *subscripts,
                  const struct clopt_subscript *a, const struct clopt_subscript *b,
                  struct clopt_kernel_pattern *pattern)
{
    struct clopt_affine distance;
    int64_t number;
    if (!a->array || !b->array)
        return;
    if (pattern->kind == CLOPT_KERNEL_OTHER && is_turned(subscripts, a, b))
        clopt_pattern_note(source, CLOPT_KERNEL_TURN, a, b, pattern);
    if (a->access != CLOPT_READ || b->access != CLOPT_READ)
        return;
    unsigned loops = find_product(subscripts, a, b);
    if (loops) {
        clopt_pattern_note(source, CLOPT_KERNEL_PRODUCT, a, b, pattern);
        pattern->trip_count = clopt_pattern_trips(subscripts, loops);
        pattern->nested = loops & (loops - 1);
        pattern->columns = !clopt_pattern_coefficient(subscripts, b, 0, &distance) ||
                           !clopt_affine_is_constant(&distance, &number) || llabs(number) > 1;
    } else if (pattern->kind == CLOPT_KERNEL_OTHER && is_convolution(subscripts, a, b)) {
        clopt_pattern_note(source, CLOPT_KERNEL_CONVOLUTION, a, b, pattern);
    } else if (pattern->kind == CLOPT_KERNEL_OTHER && is_transposed(subscripts, a, b)) {
        clopt_pattern_note(source, CLOPT_KERNEL_PAIR, a, b, pattern);
    }
}

/* ---- stencils ---- */

/* Whether a node reads global memory elsewhere for each index of dimension 0; a test for searches.
 */
static bool reads_plane(const struct clopt_node *node, const void *divergence)
{
    return clopt_node_is_memory(node, NULL) && node->space == CLOPT_SPACE_GLOBAL &&
           clopt_node_diverges(divergence, node);
}

/* Counts all iterations of a loop and of those around it, up to one of which that is not known. */
static int64_t count_nest(const struct clopt_node *loop)
{
    int64_t all = 0;
    for (const struct clopt_node *node = loop; node; node = node->parent)
        if (clopt_node_is_loop(node)) {
            int64_t trips = clopt_trip_count(node);
            if (!trips)
                break;
            all = trips < MOST_TRIPS && all < MOST_TRIPS ? (all ? all : 1) * trips : MOST_TRIPS;
        }
    return all;
}

/* Whether a statement is a loop, or holds one. */
bool clopt_pattern_holds_loop(const struct clopt_node *top)
{
    const struct clopt_node *node = top;
    while (node && !clopt_node_is_loop(node))
        node = clopt_node_next(node, top);
    return node;
}

static bool is_global_element(const struct clopt_node *node, const void *unused)
{
    (void)unused;
    return clopt_node_is_memory(node, NULL) && node->space == CLOPT_SPACE_GLOBAL;
}

/* Whether an index has a part that is read from memory: the elements that it chooses are not beside
 * each other. The key of what is computed is a node where it has neither a name nor a number. */
static bool reads_index(const struct clopt_subscripts *subscripts,
                        const struct clopt_affine *affine)
{
    for (unsigned i = 0; i < subscripts->symbol_count; i++) {
        const struct clopt_symbol *symbol = &subscripts->symbols[i];
        struct clopt_affine left = *affine, coefficient;
        if (symbol->kind == CLOPT_SYMBOL_COMPUTED && !symbol->number && !symbol->name &&
            clopt_affine_take(&left, i + 1, &coefficient) && coefficient.count &&
            clopt_node_search(symbol->key, is_global_element, NULL))
            return true;
    }
    return false;
}

/* Whether an access in a loop reads neighbours of what its work-item's place in a plane has. */
static bool has_neighbours(const struct clopt_subscripts *subscripts)
{
    struct clopt_affine distance;
    int64_t number;
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned depends = clopt_affine_depends(subscripts, &access->affine);
        if (access->array && access->access == CLOPT_READ && (depends & PLANE) == PLANE &&
            (depends & ~CLOPT_DEPENDS_ITEMS) && !reads_index(subscripts, &access->affine) &&
            clopt_pattern_coefficient(subscripts, access, 0, &distance) &&
            clopt_affine_is_constant(&distance, &number) && number == 1)
            return true;
    }
    return false;
}

/* Whether two accesses read neighbours of an array along dimension 0, or along both. */
static bool are_neighbours(const struct clopt_subscripts *subscripts,
                           const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    struct clopt_affine of_a, of_b;
    int64_t number;
    return a->array && a->array == b->array && a->access == CLOPT_READ && b->access == CLOPT_READ &&
           !clopt_affine_equals(&a->affine, &b->affine) &&
           (clopt_affine_depends(subscripts, &a->affine) | CLOPT_DEPENDS_ITEM(2)) ==
               CLOPT_DEPENDS_ITEMS &&
           clopt_pattern_coefficient(subscripts, a, 0, &of_a) &&
           clopt_affine_is_constant(&of_a, &number) && number == 1 &&
           clopt_pattern_coefficient(subscripts, b, 0, &of_b) &&
           clopt_affine_equals(&of_a, &of_b) &&
           clopt_pattern_coefficient(subscripts, a, 1, &of_a) &&
           clopt_pattern_coefficient(subscripts, b, 1, &of_b) && clopt_affine_equals(&of_a, &of_b);
}

static void note_read(const struct clopt_source *source, const struct clopt_node *read,
                      struct clopt_kernel_pattern *pattern)
{
    struct clopt_access access = clopt_access_of(read);
    pattern->line = clopt_source_line(source, read);
    pattern->bytes = (unsigned)read->bytes;
    snprintf(pattern->arrays[0], sizeof pattern->arrays[0], "%s",
             access.base ? access.base->name : "memory");
}

/* Finds a stencil whose reads are written one by one: of an element and three neighbours, or more.
 */
static void find_written(const struct clopt_source *source,
                         const struct clopt_subscripts *subscripts,
                         struct clopt_kernel_pattern *pattern)
{
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        int64_t count = 1;
        for (size_t j = 0; j < subscripts->access_count; j++)
            count += are_neighbours(subscripts, access, &subscripts->accesses[j]);
        if (count < 4)
            continue;
        clopt_pattern_note(source, CLOPT_KERNEL_STENCIL, access, access, pattern);
        return;
    }
    const struct clopt_node *read =
        clopt_node_search(source->kernel->body, is_global_element, NULL);
    if (read)
        note_read(source, read, pattern);
}

/* Finds the longest nest of loops of numbers that reads global memory, and a read in it; any other
 * one makes the kernel no stencil. Of a nest that is too long for that the innermost loop counts.
 */
static void find_window(const struct clopt_source *source, struct clopt_kernel_pattern *pattern)
{
    const struct clopt_node *body = source->kernel->body;
    const struct clopt_identity identity = {.local_id = true, .group_id = true, .inside = true};
    const struct clopt_divergence *divergence = clopt_divergence_create(source, identity);
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        const struct clopt_node *read = NULL;
        if (clopt_node_is_loop(node) && !clopt_pattern_holds_loop(node->body))
            read = clopt_node_search(node, reads_plane, divergence);
        if (!read)
            continue;
        int64_t trips = count_nest(node);
        if (trips > MOST_WINDOW && clopt_trip_count(node) <= MOST_WINDOW)
            pattern->large = true;
        else if (!trips || trips > MOST_WINDOW) {
            pattern->trip_count = 0;
            note_read(source, read, pattern);
            return;
        }
        if (trips > pattern->trip_count) {
            pattern->trip_count = trips;
            note_read(source, read, pattern);
        }
    }
}

/* Notes the first short loop whose iterations access global memory, of vectors at least. */
static void find_short(const struct clopt_source *source, struct clopt_kernel_pattern *pattern)
{
    const struct clopt_node *body = source->kernel->body;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        int64_t trips = clopt_node_is_loop(node) && !clopt_pattern_holds_loop(node->body)
                            ? clopt_trip_count(node)
                            : 0;
        if (trips < 4 || trips > (pattern->dimensions > 1 ? 2 : 1) * CLOPT_PATTERN_ROW ||
            trips % 4 || !clopt_node_search(node, is_global_element, NULL))
            continue;
        pattern->trip_count = trips;
        pattern->line = clopt_source_line(source, node);
        return;
    }
}

/* ---- few work-items ---- */

/* Whether a loop has many iterations, together with those around it. */
static bool is_long(const struct clopt_node *loop, const struct clopt_binding *known)
{
    int64_t count = 1;
    struct clopt_trip trip;
    for (const struct clopt_node *node = loop; node; node = node->parent)
        if (clopt_node_is_loop(node)) {
            bool counts = clopt_trip_find(node, known, &trip) && trip.count_known;
            if (node == loop && !counts)
                return false;
            if (counts && trip.count > 1)
                count *= trip.count < LONG_LOOP ? trip.count : LONG_LOOP;
            if (count >= LONG_LOOP)
                return true;
        }
    return false;
}

bool clopt_kernel_is_few(const struct clopt_source *source, const struct clopt_kernel_work *work,
                         struct clopt_kernel_pattern *pattern)
{
    struct clopt_binding bindings[CLOPT_MOST_KNOWN];
    const struct clopt_binding *known = NULL;
    const struct clopt_function *kernel = source->kernel;
    const struct clopt_node *read = NULL;
    for (size_t i = 0; i < kernel->parameter_count && i < CLOPT_MOST_KNOWN; i++)
        if (work->arguments[i].known) {
            bindings[i] = (struct clopt_binding){known, kernel->parameters[i], true,
                                                 work->arguments[i].value, 0};
            known = &bindings[i];
        }
    for (const struct clopt_node *node = kernel->body; node && !read;
         node = clopt_node_next(node, kernel->body)) {
        if (clopt_node_is_loop(node) && is_long(node, known))
            read = clopt_node_search(node, is_global_element, NULL);
    }
    if (read && pattern->kind == CLOPT_KERNEL_OTHER)
        note_read(source, read, pattern);
    uint64_t items = read ? 1 : 0;
    for (unsigned d = 0; d < work->ndrange.dimensions; d++)
        items *= work->ndrange.global[d];
    pattern->shared = items <= MOST_SHARED ? items : 0;
    bool lines = pattern->kind == CLOPT_KERNEL_ROWS || pattern->kind == CLOPT_KERNEL_COLUMNS;
    return (work->ndrange.dimensions == 1 || lines) && items && items <= FEW_ITEMS;
}

void clopt_kernel_pattern_find(const struct clopt_source *source,
                               const struct clopt_ndrange *ndrange,
                               struct clopt_kernel_pattern *pattern)
{
    CLOPT_OWNED(clopt_subscripts) subscripts = {0};
    *pattern = (struct clopt_kernel_pattern){
        .dimensions = ndrange->dimensions,
        .extents = {ndrange->global[0], ndrange->global[1], ndrange->global[2]}};
    clopt_subscripts_find(source, NULL, &subscripts);
    if (ndrange->dimensions < 2) {
        clopt_pattern_find_shared(source, &subscripts, pattern);
        if (pattern->kind == CLOPT_KERNEL_OTHER)
            clopt_pattern_find_rows(source, &subscripts, pattern);
        if (pattern->kind == CLOPT_KERNEL_OTHER)
            clopt_pattern_find_columns(source, &subscripts, pattern);
        if (pattern->kind == CLOPT_KERNEL_OTHER)
            clopt_pattern_find_each(source, &subscripts, pattern);
        if (pattern->kind == CLOPT_KERNEL_OTHER)
            find_short(source, pattern);
        pattern->slides = clopt_pattern_slides(&subscripts);
        return;
    }
    for (size_t i = 0; i < subscripts.access_count; i++)
        for (size_t j = 0; j < subscripts.access_count && pattern->kind != CLOPT_KERNEL_PRODUCT;
             j++)
            judge(source, &subscripts, &subscripts.accesses[i], &subscripts.accesses[j], pattern);
    if (pattern->kind == CLOPT_KERNEL_PRODUCT && ndrange->dimensions > 2)
        pattern->kind = CLOPT_KERNEL_BATCH;
    if (pattern->kind == CLOPT_KERNEL_OTHER) {
        find_window(source, pattern);
        if (pattern->trip_count > 2 && has_neighbours(&subscripts))
            pattern->kind = CLOPT_KERNEL_STENCIL;
        pattern->written = !clopt_pattern_holds_loop(source->kernel->body);
        if (pattern->written)
            find_written(source, &subscripts, pattern);
    }
    if (pattern->kind == CLOPT_KERNEL_OTHER)
        clopt_pattern_find_shared(source, &subscripts, pattern);
    if (pattern->kind == CLOPT_KERNEL_OTHER && !pattern->trip_count && !pattern->written)
        find_short(source, pattern);
}
