/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search tries first, by what its kernels are. */
#include "commands/advise/kernel_pattern.h"

#include <sys/mman.h>

#include "process/child.h"
#include "shared/variant_parse.h"
#include "space/composition.h"
#include "text/text.h"

/* ---- what fits a pattern ---- */

#define LOCAL_LEAST 32768 /* bytes of local memory that GPUs have at least */
#define MOST_RECORD 64    /* elements of a row that a work-item may have in registers */
#define LENGTHS     "specialise=65536" /* of rows that are constants */
#define REUSED      "+geometry(local_size=512)+loops(divide=512,reuse=yes,reassociate=yes,loops=outer)"

/* A square of results of a work-group, and how it is dealt out to work-items. */
struct square {
    unsigned size;
    unsigned granularity;
    unsigned stride;
};

static const struct square squares[] = {{128, 8, 16}, {64, 4, 16}, {32, 4, 8}, {16, 2, 8}};
#define SQUARES (sizeof squares / sizeof *squares)

static void add(struct clopt_search_plan *plan, const struct clopt_text *name, const char *kernel,
                const char *device_type)
{
    clopt_search_plan_add(plan, name->data, name->length, device_type)->kernel =
        clopt_strdup(kernel);
}

/* Adds a change to a step, which begins with the first one. */
static void put(struct clopt_text *step, const char *optimization, const char *change)
{
    clopt_text_printf(step, "%s%s%s", step->length ? "," : optimization, step->length ? "" : "(",
                      change);
}

/* Begins a variant with the steps that come before work-items are merged; a tile of 0: the loop
 * stays whole. */
static void begin(const struct clopt_kernel_pattern *pattern, unsigned tile,
                  struct clopt_text *name)
{
    CLOPT_OWNED(clopt_text) branches = {0}, loops = {0};
    if (pattern->guarded)
        put(&branches, "branches", "guards=yes");
    if (pattern->masked)
        put(&branches, "branches", "masks=yes");
    if (pattern->selects)
        put(&branches, "branches", "flatten=yes");
    if (tile) {
        CLOPT_FREED char *size = clopt_text_format("tile=%u", tile);
        put(&loops, "loops", size);
    }
    if (pattern->accumulates)
        put(&loops, "loops", "registers=yes,reassociate=yes");
    if (pattern->reused)
        put(&loops, "loops", LENGTHS);
    if (pattern->aliases)
        put(&loops, "loops", "restrict=yes");
    clopt_text_printf(name, "%s%s%s%s", clopt_text_string(&branches), branches.length ? ")+" : "",
                      clopt_text_string(&loops), loops.length ? ")+" : "");
}

/* Whether a square is a part of the results, or, where these are few, all of them. */
static bool fits(const struct square *square, const struct clopt_kernel_pattern *pattern)
{
    for (size_t d = 0; d < 2; d++)
        if (pattern->extents[d] && pattern->extents[d] < square->size)
            return false;
    return true;
}

/* Whether all that a square reads of both operands fits into local memory, with padding. */
static bool is_small(const struct square *square, const struct clopt_kernel_pattern *pattern)
{
    int64_t trips = pattern->trip_count;
    return trips && trips <= LOCAL_LEAST &&
           2 * (int64_t)square->size * (trips + 1) * pattern->bytes <= LOCAL_LEAST;
}

/* What follows the steps that come first, for kernels of which nothing else has to be known:
 * products by long vectors, several rows a work-item (those of tiles, which large products want,
 * come with clopt; a loop of which work-items do not agree how long it is has none); squares that
 * are turned in local memory, both of a pair first; vectors of what a work-item has, and its loops
 * as text, so that small arrays become registers; vectors of several rows, or narrow work-groups,
 * which write whole parts of rows. */
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
    {CLOPT_KERNEL_TURN, "gpu",
     "geometry(local_size=64x64)+vector(across=16)+geometry(granularity=4,dimension=1,stride=8)"},
    {CLOPT_KERNEL_TURN, "gpu", "vector(across=4)"},
    {CLOPT_KERNEL_TURN, "gpu", "geometry(local_size=4x64)"},
};

static void start_fitting(const struct clopt_kernel_pattern *pattern, enum clopt_kernel_kind kind,
                          const char *kernel, struct clopt_search_plan *plan)
{
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        if (fitting[i].kind != kind)
            continue;
        begin(pattern, 0, &name);
        clopt_text_append(&name, fitting[i].ending);
        add(plan, &name, kernel, fitting[i].device);
    }
}

/* Adds the product by squares of one size, each side in tiles. */
static void add_square(const struct clopt_kernel_pattern *pattern, const struct square *square,
                       unsigned tile, const char *kernel, struct clopt_search_plan *plan)
{
    /* Neighbours that read a column, or few a row of which many are a group, collide. */
    bool collides = pattern->columns || square->stride < 16;
    for (unsigned i = 0; i < 2; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        begin(pattern, tile, &name);
        clopt_text_printf(&name,
                          "geometry(local_size=%ux%u,granularity=%u,stride=%u)"
                          "+geometry(granularity=%u,dimension=1,stride=%u)+memory(stage=all%s)",
                          square->size, square->size, square->granularity, square->stride,
                          square->granularity, square->stride,
                          (i == 0) == collides ? ",pad=1" : "");
        add(plan, &name, kernel, "gpu");
    }
}

/* Adds the product by squares of which a work-item has a block: what it reads of a tile whose rows
 * go along the block are neighbours, which few loads of vectors bring. Tiles whose columns do are
 * turned, or none is. */
static void add_blocks(const struct clopt_kernel_pattern *pattern, const struct square *square,
                       unsigned tile, const char *kernel, struct clopt_search_plan *plan)
{
    static const char *const turns[] = {",turn=yes,pad=4", ""};
    for (unsigned i = 0; square->granularity % 4 == 0 && i < 2; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        begin(pattern, tile, &name);
        clopt_text_printf(&name,
                          "geometry(local_size=%ux%u,granularity=%u)"
                          "+geometry(granularity=%u,dimension=1)+memory(stage=all%s)",
                          square->size, square->size, square->granularity, square->granularity,
                          turns[i]);
        add(plan, &name, kernel, "gpu");
    }
}

/* Adds the product by squares that are staged wholly, rows of results as vectors. */
static void add_vectors(const struct clopt_kernel_pattern *pattern, const struct square *square,
                        const char *kernel, struct clopt_search_plan *plan)
{
    CLOPT_OWNED(clopt_text) name = {0};
    if (square->granularity < 4 || pattern->bytes > 4)
        return;
    begin(pattern, 0, &name);
    clopt_text_printf(&name,
                      "geometry(local_size=%ux%u)+geometry(granularity=%u,dimension=1)"
                      "+memory(stage=all,pad=1)+vector(across=4,aligned=yes)",
                      square->size, square->size, square->granularity);
    add(plan, &name, kernel, "gpu");
}

/* Adds the two largest squares of which the results of a work-item fit into registers; where the
 * loop is short, both operands are staged wholly. */
static void start_product(const struct clopt_kernel_pattern *pattern, const char *kernel,
                          struct clopt_search_plan *plan)
{
    size_t first = pattern->bytes > 4 ? 1 : 0, most = 2;
    for (size_t i = first; i < SQUARES && most; i++) {
        const struct square *square = &squares[i];
        int64_t trips = pattern->trip_count;
        if (!fits(square, pattern))
            continue;
        most--;
        if (is_small(square, pattern)) {
            add_square(pattern, square, 0, kernel, plan);
            add_vectors(pattern, square, kernel, plan);
            add_blocks(pattern, square, 0, kernel, plan);
        }
        if (!trips || trips > 16) {
            add_square(pattern, square, 16, kernel, plan);
            add_blocks(pattern, square, square->size > 64 ? 8 : 16, kernel, plan);
        }
        if (square->size > 64)
            add_square(pattern, square, 8, kernel, plan);
    }
}

/* Whether rows of results are short, but many work-items long all the same. */
static bool is_narrow(const struct clopt_kernel_pattern *pattern, unsigned width)
{
    return pattern->extents[0] % width && pattern->extents[0] % 16 == 0;
}

/* Adds columns of results, each row of which asks once for its border; a convolution's for several
 * planes. Each work-item of a row has a column, so that none waits for what another one asks. */
static void start_columns(const struct clopt_kernel_pattern *pattern, const char *kernel,
                          struct clopt_search_plan *plan)
{
    static const struct {
        const char *plane, *narrow, *planes;
        unsigned rows;
    } columns[] = {{"128x16", "16x16", "64x16x8", 8}, {"128x8", "16x16", "64x8x8", 4}};
    bool planes = pattern->kind == CLOPT_KERNEL_CONVOLUTION;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        const char *local = is_narrow(pattern, planes ? 64 : 128) ? columns[i].narrow
                            : planes                              ? columns[i].planes
                                                                  : columns[i].plane;
        begin(pattern, 0, &name);
        clopt_text_printf(&name,
                          "geometry(local_size=%s,granularity=%u,dimension=1)+branches(borders="
                          "rows)+loops(unroll=full,loops=all)%s",
                          local, columns[i].rows,
                          planes ? "+geometry(granularity=8,dimension=2)" : "");
        add(plan, &name, kernel, "gpu");
    }
}

/* Adds blocks of results whose rows are vectors: all of what they read comes once, and borders are
 * asked for once. Work-groups of one plane or, where it is small, of several. What selects is long,
 * in fewer rows. */
static void start_stencil(const struct clopt_kernel_pattern *pattern, const char *kernel,
                          struct clopt_search_plan *plan)
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
                  {false, "128x32,granularity=8,dimension=1", ",aligned=yes"},
                  {false, "128x32,granularity=8,dimension=1", ""}};
    bool small = is_narrow(pattern, 128);
    unsigned width = pattern->written && pattern->bytes == 1 ? 8 : 4;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        const char *geometry = blocks[i].geometry;
        if (blocks[i].selects != pattern->selects || (small && strncmp(geometry, "128x16", 6) != 0))
            continue;
        begin(pattern, 0, &name);
        clopt_text_printf(&name, "geometry(local_size=%s%s)%s%s+vector(across=%u,share=yes%s)",
                          small ? "16x16x8" : "", small ? geometry + 6 : geometry,
                          pattern->bordered ? "+branches(borders=yes)" : "",
                          pattern->written ? "" : "+loops(unroll=full,loops=all)", width,
                          blocks[i].aligned);
        add(plan, &name, kernel, "gpu");
    }
}

/* Adds blocks of results of several planes, which read what they share once: rows of vectors, and
 * where no border is in the way rows after rows. */
static void start_convolution(const struct clopt_kernel_pattern *pattern, const char *kernel,
                              struct clopt_search_plan *plan)
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
    bool small = is_narrow(pattern, 64);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        if (blocks[i].bordered != pattern->bordered)
            continue;
        begin(pattern, 0, &name);
        clopt_text_printf(&name,
                          "geometry(local_size=%s%s)%s+loops(unroll=full,loops=all)"
                          "+vector(across=4,share=yes%s)%s",
                          small ? blocks[i].small : blocks[i].local, blocks[i].before,
                          pattern->bordered ? "+branches(borders=yes)" : "", blocks[i].after,
                          pattern->bordered ? "" : "+geometry(granularity=8,dimension=2)");
        add(plan, &name, kernel, "gpu");
    }
}

/* Adds rows that work-items share: the outer loop is dealt out, and vectors read what is left to a
 * work-item; rows of a known length that several loops read are read once. Where each work-item
 * keeps its own, a group reads a tile of all of theirs side by side. */
static void start_rows(const struct clopt_kernel_pattern *pattern, const char *kernel,
                       struct clopt_search_plan *plan)
{
    static const struct {
        unsigned parts;
        bool reused, native;
    } forms[] = {{512, true, true},   {512, true, false}, {128, true, false},
                 {128, false, false}, {32, false, false}, {512, false, false}};
    unsigned width = pattern->bytes < 4 ? 16 / pattern->bytes : 4;
    struct clopt_kernel_pattern own = *pattern;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        CLOPT_OWNED(clopt_text) name = {0};
        unsigned parts = forms[i].parts;
        if (forms[i].reused && !pattern->reused)
            continue;
        own.reused = forms[i].reused;
        begin(&own, 0, &name);
        clopt_text_printf(&name,
                          "geometry(local_size=%u)+loops(divide=%u%s,reassociate=yes,loops=outer)",
                          parts < 128 ? 128 : parts, parts, forms[i].reused ? ",reuse=yes" : "");
        clopt_text_append(&name, forms[i].native ? "+precision(functions=native)" : "");
        if (pattern->nested)
            clopt_text_printf(&name, "+vector(within=%u,aligned=yes,reassociate=yes)", width);
        add(plan, &name, kernel, "gpu");
    }
    CLOPT_OWNED(clopt_text) name = {0};
    begin(&own, 32, &name);
    clopt_text_append(&name, "geometry(local_size=64)+memory(stage=all,pad=1)");
    add(plan, &name, kernel, "gpu");
    if (pattern->trip_count && pattern->trip_count <= MOST_RECORD)
        start_fitting(&own, CLOPT_KERNEL_RECORDS, kernel, plan);
}

/* Adds counters in local memory: a work-group does the work of many, each work-item that of
 * several, which it reads as vectors of 16 bytes. Where tickets are drawn, a group draws once for
 * all of its own. */
static void start_counters(const struct clopt_kernel_pattern *pattern, const char *kernel,
                           struct clopt_search_plan *plan)
{
    static const struct {
        const char *device, *line, *plane, *loop, *copies, *ending;
        unsigned vectors; /* that a work-group reads, instead of such a local size */
    } forms[] = {
        {"gpu", "", "", ",group_loop=64", ",copies=8", "", 256},
        {"gpu", "", "", ",group_loop=64", "", "", 256},
        {"gpu", "", "", ",group_loop=16", "", "", 1024},
        {"gpu", "512", "32x16", "", "", "+geometry(granularity=4)", 0},
        {"gpu", "256", "32x8", ",group_loop=256", ",copies=4", "+geometry(granularity=4)", 0},
        {"gpu", "1024", "32x32", ",group_loop=64", "", "", 0},
        {"cpu", "1", "1x1", ",group_loop=65536", "", "", 0},
        {"cpu", "1", "1x1", ",group_loop=1024", "", "", 0}};
    unsigned width = pattern->bytes ? 16 / pattern->bytes : 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        CLOPT_OWNED(clopt_text) name = {0}, size = {0}, vector = {0};
        unsigned items = forms[i].vectors * width;
        struct clopt_kernel_pattern own = *pattern;
        own.guarded &= items && i % 2 == 0; /* vectors would ask for each element */
        if (forms[i].vectors && (width < 2 || pattern->dimensions > 1 || items > 4096 ||
                                 (*forms[i].copies && !pattern->counted)))
            continue;
        clopt_text_append(&size, pattern->dimensions > 1 ? forms[i].plane : forms[i].line);
        if (items) {
            clopt_text_printf(&size, "%u", items);
            clopt_text_printf(&vector, "+vector(across=%u,aligned=yes)", width);
        }
        begin(&own, 0, &name);
        clopt_text_printf(&name, "geometry(local_size=%s%s)%s+memory(privatise=all%s%s%s)%s",
                          size.data, forms[i].loop, clopt_text_string(&vector), forms[i].copies,
                          pattern->counted ? "" : ",window=1024",
                          pattern->tested ? ",test=yes" : "", forms[i].ending);
        add(plan, &name, kernel, forms[i].device);
    }
}

void clopt_kernel_pattern_start(const struct clopt_kernel_pattern *pattern, const char *kernel,
                                struct clopt_search_plan *plan)
{
    if (pattern->kind == CLOPT_KERNEL_PRODUCT || pattern->kind == CLOPT_KERNEL_BATCH)
        start_product(pattern, kernel, plan);
    start_fitting(pattern, pattern->kind, kernel, plan);
    if (pattern->kind == CLOPT_KERNEL_CONVOLUTION)
        start_convolution(pattern, kernel, plan);
    else if (pattern->kind == CLOPT_KERNEL_STENCIL)
        start_stencil(pattern, kernel, plan);
    else if (pattern->kind == CLOPT_KERNEL_ROWS)
        start_rows(pattern, kernel, plan);
    else if (pattern->kind == CLOPT_KERNEL_COUNTERS)
        start_counters(pattern, kernel, plan);
    if (pattern->rows && !pattern->written)
        start_columns(pattern, kernel, plan);
}

/* ---- finding patterns ---- */

/* Whether a step alone can be applied. */
static bool applies(const struct clopt_trial *initial, const struct clopt_app_source *source,
                    const struct clopt_registry *registry, const struct clopt_device_info *device,
                    const char *name)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_error reason = {0};
    clopt_trial_copy(initial, &trial);
    return !clopt_trial_parse_name(&trial, name, registry, &reason) &&
           !clopt_variant_make(&trial, source, device, &variant, &reason);
}

/* Finds what a kernel is; counters only where a work-group can have some of its own. */
static void find_pattern(const struct clopt_trial *trial, const struct clopt_app_source *source,
                         const struct clopt_registry *registry,
                         const struct clopt_device_info *device, const struct clopt_source *tree,
                         const struct clopt_ndrange *ndrange, struct clopt_kernel_pattern *pattern)
{
    if (clopt_kernel_counters_find(tree, pattern)) {
        pattern->dimensions = ndrange->dimensions;
        pattern->counted = applies(trial, source, registry, device, "memory(privatise=all)");
        pattern->tested = applies(trial, source, registry, device, "memory(test=yes)");
        if (pattern->counted ||
            applies(trial, source, registry, device, "memory(privatise=all,window=1024)"))
            return;
    }
    clopt_kernel_pattern_find(tree, ndrange, pattern);
    bool window = pattern->kind == CLOPT_KERNEL_STENCIL ||
                  pattern->kind == CLOPT_KERNEL_CONVOLUTION ||
                  (pattern->kind == CLOPT_KERNEL_OTHER && ndrange->dimensions > 1 &&
                   (pattern->trip_count > 2 || pattern->written));
    pattern->bordered = window && applies(trial, source, registry, device, "branches(borders=yes)");
    pattern->rows =
        pattern->bordered && applies(trial, source, registry, device, "branches(borders=rows)");
    if (pattern->kind == CLOPT_KERNEL_OTHER && ndrange->dimensions == 1 && pattern->line &&
        applies(trial, source, registry, device, "vector(within=4,aligned=yes,reassociate=yes)"))
        pattern->kind = CLOPT_KERNEL_RECORDS;
    /* Indices that are limited are near those that are not. */
    if (pattern->bordered && pattern->kind == CLOPT_KERNEL_OTHER)
        pattern->kind = CLOPT_KERNEL_STENCIL;
}

enum clopt_status clopt_kernel_pattern_of(const struct clopt_trial *trial,
                                          const struct clopt_app_source *source,
                                          const struct clopt_registry *registry,
                                          const struct clopt_device_info *device,
                                          struct clopt_kernel_pattern *pattern,
                                          struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_kernel_work work;
    CLOPT_TRY(clopt_variant_make(trial, source, device, &variant, error));
    CLOPT_TRY(clopt_trial_describe(trial, variant.knobs, trial->kernel, &work, error));
    CLOPT_TRY(clopt_source_create(source->path, variant.source, NULL, variant.dialect,
                                  trial->kernel->name, &tree, error));
    find_pattern(trial, source, registry, device, tree, &work.ndrange, pattern);
    if (pattern->kind == CLOPT_KERNEL_OTHER)
        return CLOPT_OK;
    pattern->selects = pattern->kind == CLOPT_KERNEL_STENCIL && !pattern->bordered &&
                       !pattern->written &&
                       applies(trial, source, registry, device, "branches(flatten=yes)");
    pattern->aliases = applies(trial, source, registry, device, "loops(restrict=yes)");
    pattern->guarded = applies(trial, source, registry, device, "branches(guards=yes)");
    if (pattern->kind == CLOPT_KERNEL_COUNTERS)
        return CLOPT_OK;
    pattern->reused = pattern->kind == CLOPT_KERNEL_ROWS && !pattern->nested &&
                      applies(trial, source, registry, device,
                              pattern->aliases ? "loops(" LENGTHS ",restrict=yes)" REUSED
                                               : "loops(" LENGTHS ")" REUSED);
    pattern->masked = pattern->kind != CLOPT_KERNEL_ROWS &&
                      pattern->kind != CLOPT_KERNEL_CONVOLUTION &&
                      applies(trial, source, registry, device, "branches(masks=yes)");
    pattern->accumulates =
        applies(trial, source, registry, device,
                pattern->aliases ? "loops(registers=yes,reassociate=yes,restrict=yes)"
                                 : "loops(registers=yes,reassociate=yes)");
    return CLOPT_OK;
}

/* What a child finds. */
struct finding {
    struct clopt_study *study;
    const struct clopt_registry *registry;
    const char *kernel_path;
    struct clopt_kernel_pattern
        *patterns; /* of all kernels of all apps, in memory that is shared */
};

/* Finds the patterns of an app's kernels, for its first problem; returns how many there are. */
static size_t find_app(const struct finding *finding, size_t app,
                       struct clopt_kernel_pattern *patterns)
{
    const struct clopt_study *study = finding->study;
    CLOPT_OWNED(clopt_app_source) source = {0};
    struct clopt_error reason = {0};
    size_t group = 0;
    while (group < clopt_space_group_count(study) && clopt_space_group(study, group).app != app)
        group++;
    if (group < clopt_space_group_count(study) &&
        !clopt_app_source_read(study->apps[app].entry->extension->app, finding->kernel_path,
                               &source, &reason))
        for (size_t k = 0; k < study->apps[app].kernel_count; k++) {
            struct clopt_subspace space = clopt_subspace(study, group, k);
            CLOPT_OWNED(clopt_trial) trial = {0};
            if (!clopt_composition_trial(&space, NULL, &trial, &reason))
                clopt_kernel_pattern_of(&trial, &source, finding->registry, NULL, &patterns[k],
                                        &reason);
        }
    return study->apps[app].kernel_count;
}

static enum clopt_status find_all(void *user, struct clopt_error *error)
{
    const struct finding *finding = user;
    struct clopt_kernel_pattern *next = finding->patterns;
    (void)error;
    for (size_t i = 0; i < finding->study->app_count; i++)
        next += find_app(finding, i, next);
    return CLOPT_OK;
}

void clopt_kernel_patterns_start(struct clopt_study *study, const struct clopt_registry *registry,
                                 const char *kernel_path)
{
    const struct clopt_child_limits limits = {.seconds = study->limits.build_s,
                                              .memory_bytes =
                                                  clopt_memory_limit(study->limits.memory_bytes)};
    struct clopt_error reason = {0};
    size_t count = 0;
    for (size_t i = 0; i < study->app_count; i++)
        count += study->apps[i].kernel_count;
    size_t size = (count + 1) * sizeof(struct clopt_kernel_pattern);
    struct clopt_kernel_pattern *patterns =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct finding finding = {study, registry, kernel_path, patterns};
    if (patterns == MAP_FAILED)
        return;
    clopt_child_run(&limits, find_all, &finding, &reason);
    for (size_t i = 0, next = 0; i < study->app_count; i++)
        for (size_t k = 0; k < study->apps[i].kernel_count; k++)
            clopt_kernel_pattern_start(&patterns[next++], study->apps[i].kernels[k]->name,
                                       &study->search);
    munmap(patterns, size);
}
