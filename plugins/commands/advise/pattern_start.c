/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search tries first, by what its kernels are. */
#include "commands/advise/pattern_start.h"

#include "text/text.h"

#define LOCAL_LEAST 32768 /* bytes of local memory that GPUs have at least */
#define MOST_RECORD 64    /* elements of a row that a work-item may have in registers */

static const struct clopt_pattern_square squares[] = {
    {128, 8, 16}, {64, 4, 16}, {32, 4, 8}, {16, 2, 8}};
#define SQUARES (sizeof squares / sizeof *squares)

/* Begins a variant with the steps that come before work-items are merged; a tile of 0: the loop
 * stays whole. Where guards are around what is stored alone, sums in memory are in registers. */
static void begin(const struct clopt_kernel_pattern *pattern, unsigned tile,
                  struct clopt_text *name)
{
    char size[24];
    snprintf(size, sizeof size, "tile=%u", tile);
    bool stores = pattern->stored && (pattern->uneven || !pattern->guarded);
    bool shared = pattern->kind == CLOPT_KERNEL_SHARED;
    bool sums = pattern->accumulates && stores && !shared;
    const struct {
        bool applies;
        const char *optimization, *change;
    } steps[] = {
        {stores, "branches", "guards=stores"},
        {!stores && pattern->guarded, "branches", "guards=yes"},
        {pattern->masked, "branches", "masks=yes"},
        {pattern->selects, "branches", "flatten=yes"},
        {tile > 0, "loops", size},
        {pattern->accumulates && !sums, "loops",
         shared ? "registers=yes" : "registers=yes,reassociate=yes"},
        {pattern->reused, "loops", CLOPT_KNOWN_LENGTHS},
        {pattern->specialised, "loops", CLOPT_KNOWN_WINDOWS},
        {pattern->aliases && !sums && !(stores && pattern->restricts), "loops", "restrict=yes"},
        {shared && (tile || pattern->accumulates), "loops", "loops=nests"}};
    const char *open = NULL;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *optimization = steps[i].optimization;
        if (!steps[i].applies)
            continue;
        if (open && strcmp(open, optimization) == 0)
            clopt_text_printf(name, ",%s", steps[i].change);
        else
            clopt_text_printf(name, "%s%s(%s", open ? ")+" : "", optimization, steps[i].change);
        open = optimization;
    }
    clopt_text_append(name, open ? ")+" : "");
}

/* Appends a text in which work-groups of one dimension have 1 in the second one, which all kernels
 * of several dimensions have. */
static void append(const struct clopt_kernel_pattern *pattern, const char *text,
                   struct clopt_text *name)
{
    static const char key[] = "local_size=";
    const char *at = text;
    while (pattern->dimensions > 1 && (at = strstr(at, key)) != NULL) {
        at += strlen(key);
        at += strspn(at, "0123456789");
        clopt_text_printf(name, "%.*s%s", (int)(at - text), text, *at == 'x' ? "" : "x1");
        text = at;
    }
    clopt_text_append(name, text);
}

void clopt_pattern_add(const struct clopt_pattern_start *start, const char *device, unsigned tile,
                       const char *format, ...)
{
    CLOPT_OWNED(clopt_text) name = {0}, ending = {0};
    va_list arguments;
    begin(start->pattern, tile, &name);
    va_start(arguments, format);
    clopt_text_vprintf(&ending, format, arguments);
    va_end(arguments);
    append(start->pattern, ending.data, &name);
    clopt_search_plan_add(start->plan, name.data, name.length, device)->kernel =
        clopt_strdup(start->kernel);
}

bool clopt_pattern_fits(const struct clopt_pattern_square *square,
                        const struct clopt_kernel_pattern *pattern)
{
    for (size_t d = 0; d < 2; d++)
        if (pattern->extents[d] && pattern->extents[d] < square->size)
            return false;
    return true;
}

/* Whether all that a square reads of both operands fits into local memory, with padding. */
static bool is_small(const struct clopt_pattern_square *square,
                     const struct clopt_kernel_pattern *pattern)
{
    int64_t trips = pattern->trip_count;
    return trips && trips <= LOCAL_LEAST &&
           2 * (int64_t)square->size * (trips + 1) * pattern->bytes <= LOCAL_LEAST;
}

/* What follows the steps that come first, for kernels of which nothing else has to be known:
 * products by long vectors, several rows a work-item (those of tiles, which large products want,
 * come with clopt; a loop of which work-items do not agree how long it is has none); squares that
 * are turned in local memory, both of a pair first; vectors of what a work-item has, and its loops
 * as text, so that small arrays become registers; vectors across work-items that read the same, or
 * within the row of each; vectors of several rows, whose borders are asked once, or not; those, or
 * narrow work-groups, which write whole parts of rows. */
static const struct {
    enum clopt_kernel_kind kind;
    const char *device, *ending;
} fitting[] = {
    {CLOPT_KERNEL_BATCH, "cpu", "vector(across=16)+geometry(granularity=8,dimension=1)"},
    {CLOPT_KERNEL_BATCH, "cpu",
     "vector(across=16)+geometry(granularity=4,dimension=1)+loops(unroll=4)"},
    {CLOPT_KERNEL_BATCH, "gpu",
     "geometry(local_size=64x16)+vector(across=16,aligned=yes)+loops(unroll=4)"},
    {CLOPT_KERNEL_BATCH, "gpu",
     "geometry(local_size=64x16)+vector(across=8,aligned=yes)+loops(unroll=4)"},
    {CLOPT_KERNEL_BATCH, "gpu", "geometry(local_size=64x8)+vector(across=8,aligned=yes)"},
    {CLOPT_KERNEL_PAIR, "gpu",
     "geometry(local_size=32x32)+geometry(granularity=4,dimension=1,stride=8)+memory(stage=all,pad="
     "1)+geometry(pairs=yes)"},
    {CLOPT_KERNEL_PAIR, "gpu",
     "geometry(local_size=32x32)+geometry(granularity=4,dimension=1,stride=8)+memory(stage=all,pad="
     "1)"},
    {CLOPT_KERNEL_PAIR, "gpu",
     "geometry(local_size=32x32)+geometry(granularity=8,dimension=1)+memory(stage=all,pad=1)"},
    {CLOPT_KERNEL_RECORDS, "gpu",
     "geometry(local_size=128)+vector(within=4,aligned=yes,reassociate=yes)+loops(unroll=full,"
     "loops=all)"},
    {CLOPT_KERNEL_RECORDS, "gpu",
     "geometry(local_size=128)+vector(within=4,aligned=yes,reassociate=yes)+loops(unroll=4)"},
    {CLOPT_KERNEL_RECORDS, "gpu",
     "geometry(local_size=64)+memory(stage=all,pad=1)+loops(unroll=full,loops=all)"},
    {CLOPT_KERNEL_RECORDS, "gpu", "geometry(local_size=128)+loops(unroll=full,loops=all)"},
    {CLOPT_KERNEL_EACH, "gpu", "geometry(local_size=256,granularity=4)+loops(unroll=4)"},
    {CLOPT_KERNEL_EACH, "gpu", "geometry(local_size=256,granularity=2)+loops(unroll=8)"},
    {CLOPT_KERNEL_EACH, "gpu", "geometry(local_size=128)+loops(unroll=8)"},
    {CLOPT_KERNEL_EACH, "cpu", "vector(across=8,share=yes)"},
    {CLOPT_KERNEL_EACH, "cpu", "vector(across=16)"},
    {CLOPT_KERNEL_COLUMNS, "gpu", "geometry(local_size=64)+loops(unroll=8)"},
    {CLOPT_KERNEL_SHARED, "cpu", "vector(across=16,functions=yes)+geometry(granularity=2)"},
    {CLOPT_KERNEL_SHARED, "cpu", "vector(across=16)+geometry(granularity=2)"},
    {CLOPT_KERNEL_SHARED, "cpu", "vector(across=8,functions=yes)"}, /* builds sooner */
    {CLOPT_KERNEL_ROWS, "cpu", "vector(within=16,functions=yes,reassociate=yes)"},
    {CLOPT_KERNEL_ROWS, "cpu", "vector(within=16,reassociate=yes)"},
    {CLOPT_KERNEL_WAITS, "cpu", "geometry(serial=yes)"},
    {CLOPT_KERNEL_STENCIL, "cpu",
     "vector(across=16)+branches(borders=rows)+geometry(granularity=4,dimension=1)"},
    {CLOPT_KERNEL_STENCIL, "cpu",
     "branches(borders=yes)+vector(across=8)+geometry(granularity=4,dimension=1)"},
    {CLOPT_KERNEL_STENCIL, "cpu", "vector(across=8)+geometry(granularity=4,dimension=1)"},
    {CLOPT_KERNEL_TURN, "gpu",
     "geometry(local_size=64x64)+vector(across=16)+geometry(granularity=4,dimension=1,stride=8)"},
    {CLOPT_KERNEL_TURN, "gpu", "vector(across=4)"},
    {CLOPT_KERNEL_TURN, "gpu", "geometry(local_size=4x64)"},
};

static void start_fitting(const struct clopt_pattern_start *start, enum clopt_kernel_kind kind)
{
    /* Sizes of records' groups are of one dimension. */
    bool local = kind != CLOPT_KERNEL_RECORDS || start->pattern->dimensions == 1;
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++)
        if (fitting[i].kind == kind)
            clopt_pattern_add(start, fitting[i].device, 0, "%s",
                              local ? fitting[i].ending : strchr(fitting[i].ending, '+') + 1);
}

/* Adds the product by squares of one size, each side in tiles. */
static void add_square(const struct clopt_pattern_start *start,
                       const struct clopt_pattern_square *square, unsigned tile)
{
    /* Neighbours that read a column, or few a row of which many are a group, collide. */
    bool collides = start->pattern->columns || square->stride < 16;
    for (unsigned i = 0; i < 2; i++)
        clopt_pattern_add(start, "gpu", tile,
                          "geometry(local_size=%ux%u,granularity=%u,stride=%u)"
                          "+geometry(granularity=%u,dimension=1,stride=%u)+memory(stage=all%s)",
                          square->size, square->size, square->granularity, square->stride,
                          square->granularity, square->stride,
                          (i == 0) == collides ? ",pad=1" : "");
}

/* Adds the product by squares of which a work-item has a block: what it reads of a tile whose rows
 * go along the block are neighbours, which few loads of vectors bring. Tiles whose columns do are
 * turned, or none is. */
static void add_blocks(const struct clopt_pattern_start *start,
                       const struct clopt_pattern_square *square, unsigned tile)
{
    static const char *const turns[] = {",turn=yes,pad=4", ""};
    for (unsigned i = 0; square->granularity % 4 == 0 && i < 2; i++)
        clopt_pattern_add(start, "gpu", tile,
                          "geometry(local_size=%ux%u,granularity=%u)"
                          "+geometry(granularity=%u,dimension=1)+memory(stage=all%s)",
                          square->size, square->size, square->granularity, square->granularity,
                          turns[i]);
}

/* Whether work-groups of a square go further than guards let them. */
static bool is_uneven(const struct clopt_kernel_pattern *pattern, unsigned size)
{
    bool uneven = false;
    for (size_t d = 0; d < 3; d++)
        uneven |= pattern->most[d] &&
                  clopt_round_up(pattern->extents[d], d < 2 ? size : 1) > pattern->most[d];
    return uneven;
}

/* Adds the two largest squares of which the results of a work-item fit into registers; where the
 * loop is short, both operands are staged wholly. Where guards can go, one of them keeps those of
 * its stores, too: it is for launches of other sizes, which do not fit the others. */
static void start_product(const struct clopt_pattern_start *given)
{
    struct clopt_kernel_pattern changed = *given->pattern;
    const struct clopt_kernel_pattern *pattern = &changed;
    const struct clopt_pattern_start own = {pattern, given->kernel, given->plan}, *start = &own;
    int64_t trips = pattern->trip_count;
    size_t first = pattern->bytes > 4 ? 1 : 0, most = 2;
    const struct clopt_pattern_square *last = NULL;
    for (size_t i = first; i < SQUARES && most; i++) {
        const struct clopt_pattern_square *square = &squares[i];
        if (!clopt_pattern_fits(square, pattern))
            continue;
        most--;
        last = square;
        changed.uneven = is_uneven(pattern, square->size);
        if (is_small(square, pattern)) {
            add_square(start, square, 0);
            if (square->granularity >= 4 && start->pattern->bytes <= 4)
                clopt_pattern_add(start, "gpu", 0,
                                  "geometry(local_size=%ux%u)+geometry(granularity=%u,dimension=1)"
                                  "+memory(stage=all,pad=1)+vector(across=4,aligned=yes)",
                                  square->size, square->size, square->granularity);
            add_blocks(start, square, 0);
        }
        if (!trips || trips > 16) {
            add_square(start, square, 16);
            add_blocks(start, square, square->size > 64 ? 8 : 16);
        }
        if (square->size > 64)
            add_square(start, square, 8);
    }
    if (last && pattern->stored && pattern->guarded && !pattern->uneven) {
        changed.uneven = true;
        add_square(start, last, !trips || trips > 16 ? 16 : 0);
    }
}

/* Whether rows of results are short, but many work-items long all the same. */
static bool is_narrow(const struct clopt_kernel_pattern *pattern, unsigned width)
{
    return pattern->extents[0] % width && pattern->extents[0] % 16 == 0;
}

/* Adds columns of results, each row of which asks once for its border; a convolution's for several
 * planes. Each work-item of a row has a column, so that none waits for what another one asks. */
static void start_columns(const struct clopt_pattern_start *start)
{
    static const struct {
        const char *plane, *narrow, *planes;
        unsigned rows;
    } columns[] = {{"128x16", "16x16", "64x16x8", 8}, {"128x8", "16x16", "64x8x8", 4}};
    bool planes = start->pattern->kind == CLOPT_KERNEL_CONVOLUTION;
    bool narrow = is_narrow(start->pattern, planes ? 64 : 128);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        clopt_pattern_add(
            start, "gpu", 0,
            "geometry(local_size=%s,granularity=%u,dimension=1)+branches(borders=rows)"
            "+loops(unroll=full,loops=all)%s",
            narrow   ? columns[i].narrow
            : planes ? columns[i].planes
                     : columns[i].plane,
            columns[i].rows, planes ? "+geometry(granularity=8,dimension=2)" : "");
}

/* Adds columns along a dimension of a space, whose neighbours a compiler has in registers; guards
 * that leave a border out stay. */
static void start_space(const struct clopt_pattern_start *start)
{
    static const char *const forms[] = {
        "geometry(local_size=64x8x2)+geometry(granularity=4,dimension=1)",
        "geometry(local_size=64x4x4,granularity=4,dimension=2)",
        "geometry(local_size=64x8x2)+geometry(granularity=8,dimension=1)"};
    struct clopt_kernel_pattern changed = *start->pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    changed.guarded = false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        clopt_pattern_add(&own, "gpu", 0, "%s", forms[i]);
}

/* Adds blocks of results whose rows are vectors: all of what they read comes once, and borders are
 * asked for once. Work-groups of one plane or, where it is small, of several. What selects is long,
 * in fewer rows. */
static void start_stencil(const struct clopt_pattern_start *start)
{
    static const struct {
        bool selects;
        const char *geometry, *aligned;
    } blocks[] = {{true, "128x8", ",aligned=yes"},
                  {true, "128x16,granularity=2,dimension=1", ",aligned=yes"},
                  {true, "128x16,granularity=4,dimension=1", ",aligned=yes"},
                  {true, "128x8", ""},
                  {false, "128x16,granularity=4,dimension=1", ",aligned=yes"},
                  {false, "128x16,granularity=4,dimension=1", ""},
                  {false, "128x8", ",aligned=yes"},
                  {false, "128x32,granularity=8,dimension=1", ",aligned=yes"},
                  {false, "128x32,granularity=8,dimension=1", ""}};
    const struct clopt_kernel_pattern *pattern = start->pattern;
    bool small = is_narrow(pattern, 128);
    if (pattern->written && pattern->dimensions == 3) {
        start_space(start);
        return;
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const char *geometry = blocks[i].geometry;
        if (blocks[i].selects != pattern->selects || (small && strncmp(geometry, "128x16", 6) != 0))
            continue;
        clopt_pattern_add(start, "gpu", 0,
                          "geometry(local_size=%s%s)%s%s+vector(across=%u,share=yes%s)",
                          small ? "16x16x8" : "", small ? geometry + 6 : geometry,
                          pattern->bordered ? "+branches(borders=yes)" : "",
                          pattern->written ? ""
                          : pattern->large ? "+loops(unroll=full)"
                                           : "+loops(unroll=full,loops=all)",
                          pattern->written && pattern->bytes == 1 ? 8 : 4, blocks[i].aligned);
    }
}

/* Adds blocks of results of several planes, which read what they share once: rows of vectors, and
 * where no border is in the way rows after rows. */
static void start_convolution(const struct clopt_pattern_start *start)
{
    static const struct {
        bool bordered;
        const char *local, *small, *before, *after;
    } blocks[] = {
        {false, "64x16x8", "16x16x16", ",granularity=2,dimension=1", ",aligned=yes"},
        {false, "64x16x8", "16x16x16", ",granularity=2,dimension=1", ""},
        {false, "64x8x8", "16x16x16", "", ""},
        {true, "64x8x8", "16x16x16", ",granularity=8,dimension=2", ""},
        {true, "64x4x4", "16x8x8", ",granularity=4,dimension=2", ""},
    };
    bool bordered = start->pattern->bordered, small = is_narrow(start->pattern, 64);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].bordered == bordered)
            clopt_pattern_add(start, "gpu", 0,
                              "geometry(local_size=%s%s)%s+loops(unroll=full,loops=all)"
                              "+vector(across=4,share=yes%s)%s",
                              small ? blocks[i].small : blocks[i].local, blocks[i].before,
                              bordered ? "+branches(borders=yes)" : "", blocks[i].after,
                              bordered ? "" : "+geometry(granularity=8,dimension=2)");
}

/* Adds rows that work-items share: the outer loop is dealt out, and vectors read what is left to a
 * work-item; rows of a known length that several loops read are read once. Where each work-item
 * keeps its own, a group reads a tile of all of theirs side by side. */
static void start_rows(const struct clopt_pattern_start *start)
{
    static const struct {
        unsigned parts;
        bool reused, native;
    } forms[] = {{512, true, true},   {512, true, false}, {128, true, false},
                 {128, false, false}, {32, false, false}, {512, false, false}};
    const struct clopt_kernel_pattern *pattern = start->pattern;
    char vector[64] = "";
    if (pattern->nested)
        snprintf(vector, sizeof vector, "+vector(within=%u,aligned=yes,reassociate=yes)",
                 pattern->bytes < 4 ? 16 / pattern->bytes : 4);
    struct clopt_kernel_pattern changed = *pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    changed.guarded = pattern->guarded && !pattern->few;
    /* Rows of blocks are multiplied with what all share, which several rows read once. */
    for (unsigned rows = 4; pattern->nested && !pattern->few && rows >= 2; rows /= 2)
        clopt_pattern_add(&own, "gpu", 0,
                          "geometry(local_size=%u,granularity=%u)"
                          "+loops(divide=32,reassociate=yes,loops=outer)%s",
                          64 * rows, rows, vector);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        unsigned parts = forms[i].parts;
        changed.reused = forms[i].reused;
        if (!changed.reused || pattern->reused)
            clopt_pattern_add(
                &own, "gpu", 0,
                "geometry(local_size=%u)+loops(divide=%u%s,reassociate=yes,loops=outer)%s%s",
                parts < 128 ? 128 : parts, parts, changed.reused ? ",reuse=yes" : "",
                forms[i].native ? "+precision(functions=native)" : "", vector);
    }
    clopt_pattern_add(&own, "gpu", 32, "geometry(local_size=64)+memory(stage=all,pad=1)");
    /* Iterations that wait for each other. */
    for (unsigned width = 16; !pattern->nested && width * pattern->bytes >= 16; width /= 4)
        clopt_pattern_add(&own, "gpu", 0, "geometry(local_size=64)+vector(within=%u,aligned=yes)",
                          width);
    if (pattern->trip_count && pattern->trip_count <= MOST_RECORD)
        start_fitting(&own, CLOPT_KERNEL_RECORDS);
}

/* Adds tiles of the rows that all work-items read, as vectors, while each has what is its own in
 * registers: loops over elements become text. */
static void start_shared(const struct clopt_pattern_start *start)
{
    static const struct {
        unsigned items, tile;
        bool vectors, native;
    } forms[] = {{64, 32, true, false},
                 {128, 32, true, false},
                 {64, 32, true, true},
                 {128, 32, false, false},
                 {64, 16, true, false}};
    const struct clopt_kernel_pattern *pattern = start->pattern;
    struct clopt_kernel_pattern changed = *pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char geometry[48] = "";
        if (pattern->dimensions < 3)
            snprintf(geometry, sizeof geometry, "geometry(local_size=%u)+", forms[i].items);
        changed.uneven = pattern->most[0] &&
                         clopt_round_up(pattern->extents[0], forms[i].items) > pattern->most[0];
        clopt_pattern_add(&own, "gpu", forms[i].tile, "%smemory(stage=all)%s+loops(unroll=full)%s",
                          geometry,
                          forms[i].vectors ? "+vector(within=4,aligned=yes,reassociate=yes)" : "",
                          forms[i].native ? "+precision(functions=native)" : "");
    }
}

/* Adds columns that work-items share, each with some of their rows, neighbours beside each other.
 */
static void start_shared_columns(const struct clopt_pattern_start *start)
{
    static const unsigned parts[] = {16, 32, 8};
    struct clopt_kernel_pattern changed = *start->pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    if (changed.dimensions > 1)
        clopt_pattern_start_narrow(start);
    changed.guarded = false; /* what is behind a test is known to be in a row */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        clopt_pattern_add(
            &own, "gpu", 0,
            "geometry(local_size=%u)+loops(divide=%u,spread=yes,reassociate=yes,loops=outer)",
            parts[i] * 32, parts[i]);
}

void clopt_kernel_pattern_start(const struct clopt_kernel_pattern *pattern, const char *kernel,
                                struct clopt_search_plan *plan)
{
    static void (*const starts[])(const struct clopt_pattern_start *start) = {
        [CLOPT_KERNEL_CONVOLUTION] = start_convolution,
        [CLOPT_KERNEL_STENCIL] = start_stencil,
        [CLOPT_KERNEL_SHARED] = start_shared,
        [CLOPT_KERNEL_EACH] = clopt_pattern_start_each,
        [CLOPT_KERNEL_ROWS] = start_rows,
        [CLOPT_KERNEL_COLUMNS] = start_shared_columns,
        [CLOPT_KERNEL_COUNTERS] = clopt_pattern_start_counters,
        [CLOPT_KERNEL_NARROW] = clopt_pattern_start_narrow,
        [CLOPT_KERNEL_OTHER] = clopt_pattern_start_other,
    };
    const struct clopt_pattern_start start = {pattern, kernel, plan};
    if (pattern->shared && pattern->kind == CLOPT_KERNEL_PRODUCT)
        clopt_pattern_start_product(&start);
    bool sums = pattern->kind == CLOPT_KERNEL_SUMS || pattern->kind == CLOPT_KERNEL_ROWS ||
                pattern->kind == CLOPT_KERNEL_COLUMNS;
    if (pattern->shared && sums)
        clopt_pattern_start_shared(&start);
    if (pattern->few)
        clopt_pattern_start_few(&start);
    if (pattern->taps)
        clopt_pattern_start_taps(&start);
    if (pattern->kind == CLOPT_KERNEL_PRODUCT || pattern->kind == CLOPT_KERNEL_BATCH)
        start_product(&start);
    bool rows = pattern->kind == CLOPT_KERNEL_ROWS ||
                (pattern->kind == CLOPT_KERNEL_RECORDS && !pattern->trip_count);
    if (rows)
        clopt_pattern_start_records(&start);
    start_fitting(&start, pattern->kind);
    if (starts[pattern->kind])
        starts[pattern->kind](&start);
    if (pattern->rows && !pattern->written)
        start_columns(&start);
    if (!rows)
        clopt_pattern_start_records(&start);
    /* A processor has few units, but more than few work-items have groups. */
    for (unsigned share = 4; pattern->few && pattern->shared && sums && share <= 16; share *= 4)
        clopt_pattern_add(&start, "cpu", 0, "loops(share=%u,reassociate=yes,loops=outer)", share);
}
