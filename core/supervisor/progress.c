/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells on a terminal how far a study has come. */
#include "supervisor/progress.h"

#include "base/clock.h"

#define SHORTEST_GAP_NS ((int64_t)100 * 1000 * 1000)
#define CLEAR_LINE      "\r\033[K"

void clopt_progress_begin(struct clopt_progress *progress, FILE *stream, uint64_t total)
{
    *progress =
        (struct clopt_progress){.stream = stream, .total = total, .began_ns = clopt_now_ns()};
}

/* Writes seconds as people say them. */
static void print_duration(FILE *stream, double seconds)
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        fprintf(stream, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        fprintf(stream, "%lu min %02lu s", whole / 60, whole % 60);
    else
        fprintf(stream, "%lu s", whole);
}

void clopt_progress_show(struct clopt_progress *progress, double done, const char *doing)
{
    int64_t now = clopt_now_ns();
    if (!progress->stream || now - progress->shown_ns < SHORTEST_GAP_NS)
        return;
    progress->shown_ns = now;
    double worked = done - (double)progress->skipped;
    double left = (double)progress->total - done;
    double seconds = (double)(now - progress->began_ns) * 1e-9;
    fprintf(progress->stream, CLEAR_LINE "%.0f of %llu trials, %s", done,
            (unsigned long long)progress->total, doing);
    if (worked >= 1 && left > 0) {
        fputs(", about ", progress->stream);
        print_duration(progress->stream, seconds / worked * left);
        fputs(" left", progress->stream);
    }
    fflush(progress->stream);
}

void clopt_progress_end(struct clopt_progress *progress)
{
    if (progress->stream)
        fputs(CLEAR_LINE, progress->stream);
}
