/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search tries first where there are few results of long sums: work-groups share each. */
#include "commands/advise/pattern_start.h"

#define FULL_ITEMS (1 << 18) /* work-items that fill a large GPU */
#define MOST_SHARE 1024      /* as searches have it: powers of 4 up to this */

static const struct clopt_pattern_square squares[] = {{64, 4, 16}, {32, 4, 8}};

/* Returns how many work-groups share a sum, so that of `few` there are about as many as `full`; 0:
 * there are enough. */
static unsigned find_share(uint64_t full, uint64_t few)
{
    unsigned share = 1;
    while (share < MOST_SHARE && few && few * share * 2 <= full)
        share *= 4;
    return share > 1 ? share : 0;
}

void clopt_pattern_start_product(const struct clopt_pattern_start *start)
{
    const struct clopt_kernel_pattern *pattern = start->pattern;
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) {
        const struct clopt_pattern_square *square = &squares[i];
        uint64_t groups = pattern->shared / ((uint64_t)square->size * square->size);
        for (unsigned full = 256; full <= 1024; full *= 4) {
            unsigned share = find_share(full, groups);
            if (share && clopt_pattern_fits(square, pattern))
                clopt_pattern_add(start, "gpu", 16,
                                  "geometry(local_size=%ux%u,granularity=%u,stride=%u)"
                                  "+geometry(granularity=%u,dimension=1,stride=%u)"
                                  "+loops(share=%u,reassociate=yes,loops=outer)+memory(stage=all)",
                                  square->size, square->size, square->granularity, square->stride,
                                  square->granularity, square->stride, share);
        }
    }
}

/* Adds groups of so many work-items, of which parts have a sum each. Of rows as vectors a tile is
 * what one reads. */
static void add_sums(const struct clopt_pattern_start *start, unsigned local, unsigned parts,
                     unsigned share)
{
    const struct clopt_kernel_pattern *pattern = start->pattern;
    bool columns = pattern->kind == CLOPT_KERNEL_COLUMNS, nested = pattern->nested;
    if (pattern->kind == CLOPT_KERNEL_ROWS && pattern->bytes == 4 && !nested)
        clopt_pattern_add(start, "gpu", 8,
                          "geometry(local_size=%u)"
                          "+loops(unroll=4,divide=%u,share=%u,reassociate=yes,loops=outer)"
                          "+vector(within=4,aligned=yes,reassociate=yes)",
                          local, parts, share);
    clopt_pattern_add(start, "gpu", 0,
                      "geometry(local_size=%u)+loops(unroll=%u,%s%.0u%sshare=%u%s,reassociate=yes)",
                      local, nested ? 2 : 8, parts > 1 ? "divide=" : "", parts > 1 ? parts : 0,
                      parts > 1 ? "," : "", share, columns && parts > 1 ? ",spread=yes" : "");
}

/* Adds tiles of what slides past the work-items, of which a group has as many as divide them: it
 * reads once what each needs, and one with several sums needs it for all of these. */
static void add_sliding(const struct clopt_pattern_start *start)
{
    const struct clopt_kernel_pattern *pattern = start->pattern;
    unsigned local = 256;
    while (local >= 64 && pattern->extents[0] % local)
        local /= 2;
    unsigned share = find_share(FULL_ITEMS, pattern->shared);
    for (unsigned i = 0; i < 2 && local >= 64 && share; i++)
        clopt_pattern_add(start, "gpu", 64,
                          "geometry(local_size=%u)+loops(share=%u,reassociate=yes,loops=outer)"
                          "+memory(stage=all)%s",
                          local, share, i == 0 ? "+geometry(granularity=4)" : "");
}

void clopt_pattern_start_shared(const struct clopt_pattern_start *start)
{
    static const struct {
        bool columns;
        unsigned local, parts, times;
    } forms[] = {{false, 128, 128, 1}, {false, 512, 512, 1}, {false, 64, 32, 1},
                 {false, 64, 32, 4},   {true, 64, 1, 1},     {true, 512, 8, 1}};
    struct clopt_kernel_pattern changed = *start->pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    if (changed.slides)
        add_sliding(start);
    changed.guarded = false; /* a group may be larger than a launch was */
    unsigned left = 2;       /* others, which no groups share, are to be tried as well */
    for (size_t i = 0; i < sizeof forms / sizeof *forms && left; i++) {
        unsigned local = forms[i].local, parts = forms[i].parts;
        unsigned share = find_share((uint64_t)FULL_ITEMS * forms[i].times, changed.shared * parts);
        if (share && forms[i].columns == (changed.kind == CLOPT_KERNEL_COLUMNS) &&
            local <= changed.few) {
            add_sums(&own, local, parts, share);
            left--;
        }
    }
}

void clopt_pattern_start_taps(const struct clopt_pattern_start *start)
{
    struct clopt_kernel_pattern changed = *start->pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    changed.specialised = changed.uneven = true;
    for (unsigned rows = 8; rows <= 16; rows *= 2)
        if (!changed.extents[1] || changed.extents[1] >= rows)
            clopt_pattern_add(&own, "gpu", 0,
                              "loops(unroll=full)+geometry(local_size=128x%u,granularity=4,"
                              "stride=32)+geometry(granularity=8,dimension=1)",
                              rows);
}

/* Adds work-groups for each of few work-items: those share its loop, by vectors of rows or an
 * element each, several at a time, since only loads that are under way together fill a GPU's
 * memory. Of columns a group has several side by side. */
void clopt_pattern_start_few(const struct clopt_pattern_start *start)
{
    static const struct {
        bool columns;
        unsigned local, parts;
    } forms[] = {{false, 1024, 1024}, {false, 512, 512}, {false, 128, 128},
                 {false, 64, 32},     {true, 1024, 128}, {true, 1024, 512},
                 {true, 1024, 32},    {true, 512, 32},   {true, 128, 8}};
    const struct clopt_kernel_pattern *pattern = start->pattern;
    bool vectors = pattern->kind == CLOPT_KERNEL_ROWS && pattern->bytes == 4;
    struct clopt_kernel_pattern changed = *pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    changed.guarded = false; /* a group may be larger than a launch was */
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        unsigned local = forms[i].local, parts = forms[i].parts;
        if (forms[i].columns != (pattern->kind == CLOPT_KERNEL_COLUMNS) || local > pattern->few)
            continue;
        if (vectors)
            clopt_pattern_add(
                &own, "gpu", pattern->nested ? 0 : 8,
                "geometry(local_size=%u)+loops(unroll=4,divide=%u,reassociate=yes,loops=outer)"
                "+vector(within=4,aligned=yes,reassociate=yes)",
                local, parts);
        clopt_pattern_add(
            &own, "gpu", 0,
            "geometry(local_size=%u)+loops(unroll=8,divide=%u%s,reassociate=yes,loops=outer)",
            local, parts, forms[i].columns ? ",spread=yes" : "");
    }
}
