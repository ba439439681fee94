/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds to the record of an application what it does; the layer links this, too. */
#include "commands/capture/record.h"

#include <string.h>

#define FIRST_PART_NS 65536             /* 34 ms in all */
#define SEED          88172645463325252 /* of xorshift64, which 0 would stop */

/* ---- launches ---- */

static bool same_sizes(const struct clopt_record_sizes *a, const struct clopt_record_sizes *b)
{
    return a->dimensions == b->dimensions && memcmp(a->global, b->global, sizeof a->global) == 0 &&
           memcmp(a->local, b->local, sizeof a->local) == 0;
}

struct clopt_record_sizes *clopt_record_add_launch(struct clopt_record_row *row,
                                                   const struct clopt_record_sizes *sizes)
{
    uint32_t at = 0;
    row->launches.count++;
    row->sizes_differ |= row->size_count && !same_sizes(&row->sizes[0], sizes);
    while (at < row->size_count && !(row->sizes[at].buffer_bytes == sizes->buffer_bytes &&
                                     same_sizes(&row->sizes[at], sizes)))
        at++;
    if (at == CLOPT_RECORD_SIZES)
        return NULL;
    if (at == row->size_count)
        row->sizes[row->size_count++] = *sizes;
    row->sizes[at].count++;
    return &row->sizes[at];
}

void clopt_record_add_time(const struct clopt_timing *timing, uint64_t time_ns)
{
    struct clopt_record_row *row = timing->row;
    uint64_t at = row->launches.timed++;
    row->winner.timed += timing->by_winner;
    row->winner.total_ns += timing->by_winner ? time_ns : 0;
    row->launches.total_ns += time_ns;
    row->launches.buffer_bytes += timing->buffer_bytes;
    if (timing->sizes) {
        timing->sizes->timed++;
        timing->sizes->total_ns += time_ns;
    }
    if (at >= CLOPT_RECORD_TIMES) {
        row->chance = row->chance ? row->chance : SEED;
        row->chance ^= row->chance << 13;
        row->chance ^= row->chance >> 7;
        row->chance ^= row->chance << 17;
        at = row->chance % (at + 1); /* each launch is kept with the same probability */
    }
    if (at < CLOPT_RECORD_TIMES)
        row->times_ns[at] = time_ns;
}

/* ---- lines of the timeline ---- */

/* Makes parts twice as long, two becoming one. */
static void widen(struct clopt_record_line *line)
{
    for (size_t part = 0; part < CLOPT_RECORD_PARTS; part++)
        for (size_t a = 0; a < CLOPT_ACTIVITIES; a++)
            line->ns[part][a] = part < CLOPT_RECORD_PARTS / 2
                                    ? line->ns[2 * part][a] + line->ns[2 * part + 1][a]
                                    : 0;
    line->part_ns *= 2;
}

static uint64_t since(uint64_t origin_ns, uint64_t at_ns)
{
    return at_ns > origin_ns ? at_ns - origin_ns : 0;
}

void clopt_line_add(struct clopt_record_line *line, enum clopt_activity activity, uint64_t from_ns,
                    uint64_t to_ns)
{
    uint64_t from = since(line->origin_ns, from_ns), to = since(line->origin_ns, to_ns);
    line->part_ns = line->part_ns ? line->part_ns : FIRST_PART_NS;
    while (to > line->part_ns * CLOPT_RECORD_PARTS)
        widen(line);
    while (from < to) {
        uint64_t part = from / line->part_ns, end = (part + 1) * line->part_ns;
        end = end < to ? end : to;
        line->ns[part][activity] += end - from;
        from = end;
    }
}

uint64_t clopt_line_change(struct clopt_record_line *line, enum clopt_activity activity,
                           enum clopt_activity into, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t from = since(line->origin_ns, from_ns), to = since(line->origin_ns, to_ns), sum = 0;
    while (from < to && from < line->part_ns * CLOPT_RECORD_PARTS) {
        uint64_t part = from / line->part_ns, end = (part + 1) * line->part_ns;
        end = end < to ? end : to;
        uint64_t *ns = line->ns[part], moved = end - from;
        moved = moved < ns[activity] ? moved : ns[activity];
        ns[activity] -= moved;
        ns[into] += moved;
        sum += moved;
        from = end;
    }
    return sum;
}

/* Narrows down how far the clocks are apart: a command is queued while the call runs. Where they
 * have drifted apart since, the last command alone counts. */
static int64_t find_offset(struct clopt_record_line *line, const struct clopt_timing *timing,
                           uint64_t queued)
{
    int64_t least = (int64_t)(timing->entered_ns - queued);
    int64_t most = (int64_t)(timing->returned_ns - queued);
    bool known = line->least_offset || line->most_offset;
    if (!known || least > line->most_offset || most < line->least_offset) {
        line->least_offset = least;
        line->most_offset = most;
    }
    line->least_offset = least > line->least_offset ? least : line->least_offset;
    line->most_offset = most < line->most_offset ? most : line->most_offset;
    return line->least_offset;
}

void clopt_line_add_command(const struct clopt_timing *timing,
                            const struct clopt_device_times *times, uint64_t known_ns)
{
    uint64_t queued = times->queued && times->queued <= times->start ? times->queued : times->start;
    uint64_t offset = (uint64_t)find_offset(timing->line, timing, queued);
    uint64_t from = times->start + offset, to = times->end + offset;
    if (to > known_ns) { /* as late as can be */
        from -= to - known_ns;
        to = known_ns;
    }
    from = from > timing->entered_ns && from < to ? from : timing->entered_ns;
    if (to > from)
        clopt_line_add(timing->line, timing->activity, from, to);
}
