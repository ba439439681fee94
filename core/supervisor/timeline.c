/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes note of what each worker does when. */
#include "supervisor/timeline.h"

#include "store/cursor.h"
#include "text/array.h"

#define SHORTEST_GAP_NS 1000000 /* samples are many requests, one after the other */

enum clopt_status clopt_timeline_init(struct clopt_timeline *timeline, size_t worker_count,
                                      struct clopt_error *error)
{
    *timeline = (struct clopt_timeline){.now = calloc(worker_count, sizeof *timeline->now),
                                        .worker_count = worker_count};
    return timeline->now ? CLOPT_OK : clopt_fail_memory(error);
}

void clopt_timeline_fini(struct clopt_timeline *timeline)
{
    free(timeline->items);
    free(timeline->now);
    *timeline = (struct clopt_timeline){0};
}

/* Adds what has ended. Without memory it is missing, which is no reason to end a study. */
static void add(struct clopt_timeline *timeline, const struct clopt_doing *doing)
{
    if (clopt_array_grow(&timeline->items, timeline->count, sizeof *timeline->items))
        timeline->items[timeline->count++] = *doing;
}

void clopt_timeline_note(void *user, unsigned worker, const char *what, int64_t now)
{
    struct clopt_timeline *timeline = user;
    struct clopt_doing *doing = &timeline->now[worker];
    if (what && what == doing->what &&
        (!doing->ended_ns || now - doing->ended_ns < SHORTEST_GAP_NS)) {
        doing->ended_ns = 0;
        return;
    }
    if (doing->what && !doing->ended_ns)
        doing->ended_ns = now;
    if (!what)
        return;
    if (doing->what)
        add(timeline, doing);
    *doing = (struct clopt_doing){worker, what, now, 0};
}

enum clopt_status clopt_timeline_put(struct clopt_timeline *timeline, struct clopt_store *store,
                                     int64_t run_began_ns, struct clopt_error *error)
{
    for (size_t i = 0; i < timeline->worker_count; i++)
        if (timeline->now[i].what)
            add(timeline, &timeline->now[i]);
    enum clopt_status status = clopt_store_begin(store, error);
    if (status)
        return status;
    for (size_t i = 0; i < timeline->count && !status; i++) {
        const struct clopt_doing *doing = &timeline->items[i];
        status =
            clopt_store_put(store, CLOPT_SQL_PUT_ACTIVITY, error, "risdd", (int64_t)doing->worker,
                            doing->what, (double)(doing->began_ns - run_began_ns) * 1e-9,
                            (double)(doing->ended_ns - run_began_ns) * 1e-9);
    }
    return clopt_store_finish(store, status, error);
}
