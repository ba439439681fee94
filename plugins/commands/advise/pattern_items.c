/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search tries first where work-items have rows for themselves, all read the same, or
 * neighbours access neighbours. */
#include "commands/advise/pattern_start.h"

/* Adds rows that work-items have for themselves, in local memory; where all loops become text,
 * private arrays become registers. */
void clopt_pattern_start_records(const struct clopt_pattern_start *start)
{
    static const char *const endings[] = {"", "+loops(unroll=full,loops=all)"};
    for (unsigned local = start->pattern->records; local >= 32; local /= 2)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            clopt_pattern_add(start, "gpu", 0,
                              "geometry(local_size=%u)+memory(records=all,pad=1)%s", local,
                              endings[i]);
}

/* Adds tiles of what all work-items read, for one result and for several. */
void clopt_pattern_start_each(const struct clopt_pattern_start *start)
{
    clopt_pattern_add(start, "gpu", 64,
                      "geometry(local_size=256)+memory(stage=all)+loops(unroll=full)");
    clopt_pattern_add(start, "gpu", 64,
                      "geometry(local_size=256,granularity=4)+memory(stage=all)+loops(unroll=8)");
}

/* Adds vectors of 16 bytes of the narrowest elements, and of less; of four where these are wide.
 * What a loop reads is under way together where it does several iterations at a time. */
void clopt_pattern_start_narrow(const struct clopt_pattern_start *start)
{
    const struct clopt_kernel_pattern *pattern = start->pattern;
    bool plane = pattern->dimensions > 1;
    bool loops = pattern->loops || pattern->kind == CLOPT_KERNEL_COLUMNS;
    /* Rows of results may be shorter than a group's. */
    const char *wide = pattern->extents[0] && pattern->extents[0] < 128 ? "64x8" : "128x8";
    if (loops && pattern->bytes >= 4) {
        clopt_pattern_add(start, "gpu", 0,
                          "geometry(local_size=%s)+vector(across=4,aligned=yes)+loops(unroll=4)",
                          plane ? wide : "512");
        clopt_pattern_add(start, "gpu", 0, "geometry(local_size=%s)+loops(unroll=8)",
                          plane ? "64x4" : "256");
    }
    for (unsigned width = pattern->bytes < 4 ? 16 / pattern->bytes : 4; width >= 4; width /= 2) {
        clopt_pattern_add(start, "gpu", 0,
                          "geometry(local_size=%u%s)+vector(across=%u,aligned=yes)",
                          (pattern->dimensions > 1 ? 32 : 256) * width,
                          pattern->dimensions > 1 ? "x8" : "", width);
        if (width > 4)
            clopt_pattern_add(start, "cpu", 0, "vector(across=%u)", width);
    }
}

/* Adds what is worth a trial of any kernel: each change alone follows. */
void clopt_pattern_start_other(const struct clopt_pattern_start *start)
{
    bool plane = start->pattern->dimensions > 1;
    if (!start->pattern->dimensions)
        return;
    clopt_pattern_add(start, "gpu", 0, "geometry(local_size=%s)", plane ? "64x4" : "256");
    clopt_pattern_add(start, "gpu", 0, "geometry(local_size=%s)+vector(across=4)",
                      plane ? "128x8" : "512");
    clopt_pattern_add(start, "cpu", 0, "vector(across=8)");
}
