/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks on while a study runs. */
#include "watch/watch.h"

static void begins(void *user, unsigned worker, const char *doing, int64_t time_ns)
{
    struct clopt_watch *watch = user;
    clopt_timeline_note(&watch->timeline, worker, doing, time_ns);
}

/* Writes to the store what is done now, for those who look at it. */
static void step(void *user, const struct clopt_schedule *schedule)
{
    struct clopt_watch *watch = user;
    CLOPT_OWNED(clopt_text) text = {0};
    if (!clopt_timeline_is_due(&watch->timeline))
        return;
    clopt_progress_describe(schedule, &text);
    clopt_timeline_put(&watch->timeline, schedule->pool, schedule->run->store,
                       clopt_text_string(&text), schedule->run->failure);
}

static void show(void *user, const struct clopt_schedule *schedule)
{
    struct clopt_watch *watch = user;
    clopt_progress_follow(&watch->progress, schedule, NULL);
}

static enum clopt_status end(void *user, const struct clopt_schedule *schedule,
                             struct clopt_error *error)
{
    struct clopt_watch *watch = user;
    return clopt_timeline_end(&watch->timeline, schedule->pool, schedule->run->store, error);
}

void clopt_watch_begin(struct clopt_watch *watch, FILE *stream, char *line)
{
    clopt_progress_begin(&watch->progress, stream, 0);
    watch->progress.line = line;
    clopt_timeline_init(&watch->timeline);
    watch->watcher = (struct clopt_watcher){.user = watch,
                                            .begins = begins,
                                            .start = clopt_watch_devices,
                                            .step = step,
                                            .show = show,
                                            .name = clopt_watch_name,
                                            .end = end};
}

void clopt_watch_end(struct clopt_watch *watch)
{
    clopt_progress_end(&watch->progress);
    clopt_timeline_fini(&watch->timeline);
}
