/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows on a terminal how far a study has come. */
#include "supervisor/progress.h"

#include <sys/ioctl.h>

#include "process/clock.h"
#include "text/text.h"

#define SHORTEST_GAP_NS ((int64_t)100 * 1000 * 1000)

void clopt_progress_begin(struct clopt_progress *progress, FILE *stream, uint64_t total)
{
    *progress =
        (struct clopt_progress){.stream = stream, .total = total, .began_ns = clopt_now_ns()};
}

/* Appends seconds as people say them. */
static void append_duration(struct clopt_text *text, double seconds)
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        clopt_text_printf(text, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        clopt_text_printf(text, "%lu min %02lu s", whole / 60, whole % 60);
    else
        clopt_text_printf(text, "%lu s", whole);
}

/* Estimates when all will be done. */
static void estimate(struct clopt_progress *progress, double done, int64_t now)
{
    double worked = done - (double)progress->skipped;
    double left = (double)progress->total - done;
    if (done == progress->done || worked < 1 || progress->ends || !progress->total)
        return;
    progress->done = done;
    progress->end_ns =
        now + (int64_t)((double)(now - progress->began_ns) / worked * (left > 0 ? left : 0));
}

/* Returns the columns of the terminal that the line has to fit in. */
static int columns_of(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

bool clopt_progress_is_due(const struct clopt_progress *progress)
{
    return progress->stream && clopt_now_ns() - progress->shown_ns >= SHORTEST_GAP_NS;
}

void clopt_progress_show(struct clopt_progress *progress, double done, const char *doing)
{
    int64_t now = clopt_now_ns();
    if (!clopt_progress_is_due(progress))
        return;
    progress->shown_ns = now;
    estimate(progress, done, now);
    CLOPT_OWNED(clopt_text) line = {0};
    clopt_text_printf(&line, "%.0f", done);
    if (progress->total)
        clopt_text_printf(&line, " of %llu", (unsigned long long)progress->total);
    clopt_text_append(&line, " trials");
    if (progress->end_ns && (progress->ends || done < (double)progress->total)) {
        clopt_text_append(&line, ", about ");
        append_duration(&line,
                        progress->end_ns > now ? (double)(progress->end_ns - now) * 1e-9 : 1);
        clopt_text_append(&line, " left");
    }
    clopt_text_printf(&line, ", %s", doing);
    fprintf(progress->stream, CLOPT_CLEAR_LINE "%.*s", columns_of(progress->stream) - 1, line.data);
    fflush(progress->stream);
}

void clopt_progress_end(struct clopt_progress *progress)
{
    if (progress->stream)
        fputs(CLOPT_CLEAR_LINE, progress->stream);
}
