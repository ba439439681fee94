/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows on a terminal how far a study has come. */
#include "supervisor/progress.h"

#include <sys/ioctl.h>

#include "process/clock.h"
#include "text/text.h"

#define GAP_NS ((int64_t)100 * 1000 * 1000)

void clopt_progress_begin(struct clopt_progress *progress, FILE *stream, uint64_t total)
{
    *progress =
        (struct clopt_progress){.stream = stream, .total = total, .began_ns = clopt_now_ns()};
}

/* Appends seconds as people say them. */
static void append_left(struct clopt_text *text, double seconds)
{
    unsigned long whole = seconds < 1 ? 1 : (unsigned long)(seconds + 0.5), minutes = whole / 60;
    if (minutes >= 60)
        clopt_text_printf(text, ", about %lu h %02lu min left", minutes / 60, minutes % 60);
    else if (minutes)
        clopt_text_printf(text, ", about %lu min %02lu s left", minutes, whole % 60);
    else
        clopt_text_printf(text, ", about %lu s left", whole);
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
    return (progress->stream || progress->line) && clopt_now_ns() - progress->shown_ns >= GAP_NS;
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
    if (progress->end_ns && (progress->ends || done < (double)progress->total))
        append_left(&line, (double)(progress->end_ns - now) * 1e-9);
    clopt_text_printf(&line, ", %s", doing);
    if (progress->line)
        snprintf(progress->line, CLOPT_PROGRESS, "%s", line.data);
    if (!progress->stream)
        return;
    fprintf(progress->stream, CLOPT_CLEAR_LINE "%.*s", columns_of(progress->stream) - 1, line.data);
    fflush(progress->stream);
}

void clopt_progress_end(struct clopt_progress *progress)
{
    if (progress->stream)
        fputs(CLOPT_CLEAR_LINE, progress->stream);
}
