/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in a sentence what a kernel is, and what serves it. */
#include "commands/advise/kernel_pattern.h"

#include "text/text.h"

static char *say_product(const struct clopt_kernel_pattern *pattern)
{
    return clopt_text_format(
        "a %s: the loop around line %u reads %s by dimension 1 and %s by dimension 0, so %s",
        pattern->kind == CLOPT_KERNEL_BATCH ? "product for each index of dimension 2" : "product",
        pattern->line, pattern->arrays[0], pattern->arrays[1],
        pattern->taps ? "registers serve several results once its few iterations are text"
                      : "tiles of both in local memory serve a whole work-group");
}

static char *say_stencil(const struct clopt_kernel_pattern *pattern)
{
    if (pattern->written || !pattern->trip_count)
        return clopt_text_format("a stencil: around line %u it reads neighbours of %s, which "
                                 "vectors and rows of results share",
                                 pattern->line, pattern->arrays[0]);
    return clopt_text_format("a stencil: the loops around line %u read %lld neighbours of %s, "
                             "which vectors and rows of results share",
                             pattern->line, (long long)pattern->trip_count, pattern->arrays[0]);
}

static char *say_records(const struct clopt_kernel_pattern *pattern)
{
    if (!pattern->trip_count)
        return clopt_text_format("a kernel of records: in line %u each work-item has a row for "
                                 "itself, which its group brings into local memory",
                                 pattern->line);
    return clopt_text_format("a kernel of records: the %lld iterations of the loop in line %u "
                             "access neighbours, which a work-item moves as vectors",
                             (long long)pattern->trip_count, pattern->line);
}

static char *say_narrow(const struct clopt_kernel_pattern *pattern)
{
    if (pattern->bytes >= 4)
        return clopt_text_format("a kernel %s: in line %u neighbours access %s, so vectors of four "
                                 "move as much as memory does at once",
                                 pattern->loops ? "of neighbours" : "without loops", pattern->line,
                                 pattern->arrays[0]);
    return clopt_text_format("a kernel of narrow elements: in line %u neighbours access %s, of "
                             "%u byte%s each, so vectors move as much as memory does at once",
                             pattern->line, pattern->arrays[0], pattern->bytes,
                             pattern->bytes > 1 ? "s" : "");
}

static char *say_sums(const struct clopt_kernel_pattern *pattern)
{
    return clopt_text_format(
        "a kernel of long sums: each of %llu work-items reads %s in line %u "
        "in a long loop, which %s",
        (unsigned long long)pattern->extents[0], pattern->arrays[0], pattern->line,
        pattern->shared ? "work-items and work-groups share" : "a work-group shares");
}

char *clopt_kernel_pattern_say(const struct clopt_kernel_pattern *pattern)
{
    const char *a = pattern->arrays[0], *b = pattern->arrays[1];
    switch (pattern->kind) {
    case CLOPT_KERNEL_PRODUCT:
    case CLOPT_KERNEL_BATCH:
        return say_product(pattern);
    case CLOPT_KERNEL_PAIR:
        return clopt_text_format("a pair: line %u reads %s and what is transposed of it, which "
                                 "local memory turns",
                                 pattern->line, a);
    case CLOPT_KERNEL_CONVOLUTION:
        return clopt_text_format("a convolution: the loops around line %u read %s again for each "
                                 "index of dimension 2, with what %s has for it, so registers "
                                 "serve several",
                                 pattern->line, a, b);
    case CLOPT_KERNEL_STENCIL:
        return say_stencil(pattern);
    case CLOPT_KERNEL_ROWS:
        return clopt_text_format("a kernel of rows: each work-item reads a row of %s in line %u; "
                                 "work-items that share a row read it side by side",
                                 a, pattern->line);
    case CLOPT_KERNEL_COLUMNS:
        return clopt_text_format("a kernel of columns: each work-item reads a column of %s in line "
                                 "%u; several that share it read whole parts of rows together",
                                 a, pattern->line);
    case CLOPT_KERNEL_SHARED:
        return clopt_text_format("a kernel of shared rows: the loops around line %u read %s in "
                                 "rows of %lld that all work-items of a group want, so tiles in "
                                 "local memory serve them",
                                 pattern->line, a, (long long)pattern->trip_count);
    case CLOPT_KERNEL_EACH:
        return clopt_text_format("a kernel in which all work-items read all of %s in the loop in "
                                 "line %u, so what is read once serves several",
                                 a, pattern->line);
    case CLOPT_KERNEL_RECORDS:
        return say_records(pattern);
    case CLOPT_KERNEL_TURN:
        return clopt_text_format(
            "a transposition: line %u reads %s along dimension 0, and %s is "
            "written along dimension 1, which vectors of several rows write whole",
            pattern->line, a, b);
    case CLOPT_KERNEL_WAITS:
        return clopt_text_format("a kernel of work-groups that wait in line %u, and on processors "
                                 "need not where one work-item does the work of its group",
                                 pattern->line);
    case CLOPT_KERNEL_SUMS:
        return say_sums(pattern);
    case CLOPT_KERNEL_NARROW:
        return say_narrow(pattern);
    case CLOPT_KERNEL_COUNTERS:
        return clopt_text_format("a kernel of counters: line %u updates %s by an atomic function; "
                                 "a work-group does so in local memory, and unites it once",
                                 pattern->line, a);
    default:
        return NULL;
    }
}
