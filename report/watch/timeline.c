/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes note of what each worker does when, and tells the store. */
#include "watch/timeline.h"

#include <math.h>

#include "store/cursor.h"

#define SHORTEST_GAP_NS 1000000 /* samples are many requests, one after the other */
#define PERIOD_NS       ((int64_t)500 * 1000 * 1000)

void clopt_timeline_init(struct clopt_timeline *timeline)
{
    static const struct clopt_pool none;
    *timeline =
        (struct clopt_timeline){.began.ns = clopt_now_ns(),
                                .began.used_s = clopt_used_seconds(false),
                                .began.load = clopt_pool_load(&none),
                                .now = clopt_calloc(CLOPT_MOST_SEATS, sizeof *timeline->now)};
}

void clopt_timeline_fini(struct clopt_timeline *timeline)
{
    free(timeline->items);
    free(timeline->now);
    *timeline = (struct clopt_timeline){0};
}

/* Adds what has ended. */
static void add(struct clopt_timeline *timeline, const struct clopt_doing *doing)
{
    clopt_array_grow(&timeline->items, timeline->count, sizeof *timeline->items);
    timeline->items[timeline->count++] = *doing;
}

void clopt_timeline_note(void *user, unsigned worker, const char *what, int64_t now)
{
    struct clopt_timeline *timeline = user;
    struct clopt_doing *doing = &timeline->now[worker % CLOPT_MOST_SEATS];
    if (what && what == doing->what && worker == doing->worker &&
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

bool clopt_timeline_is_due(const struct clopt_timeline *timeline)
{
    return clopt_now_ns() - timeline->told_ns >= PERIOD_NS;
}

/* Puts what a worker does now; NULL: nothing. */
static void put_worker(const struct clopt_pool *pool, struct clopt_store *store, unsigned worker,
                       const char *what, struct clopt_error *error)
{
    const char *name =
        worker < CLOPT_MOST_SEATS ? "" : pool->hosts[worker / CLOPT_MOST_SEATS - 1].name;
    clopt_store_put(store, CLOPT_SQL_PUT_WORKER, error, "riss", (int64_t)worker, name, what);
}

/* Puts what has ended, and that another host's worker has left its seat. */
static void put_items(struct clopt_timeline *timeline, const struct clopt_pool *pool,
                      struct clopt_store *store, struct clopt_error *error)
{
    for (size_t i = 0; i < timeline->count && !error->status; i++) {
        const struct clopt_doing *doing = &timeline->items[i];
        clopt_store_put(store, CLOPT_SQL_PUT_ACTIVITY, error, "risdd", (int64_t)doing->worker,
                        doing->what, (double)(doing->began_ns - timeline->began.ns) * 1e-9,
                        (double)(doing->ended_ns - timeline->began.ns) * 1e-9);
        if (timeline->now[doing->worker % CLOPT_MOST_SEATS].worker != doing->worker)
            put_worker(pool, store, doing->worker, NULL, error);
    }
    timeline->count = 0;
}

void clopt_timeline_put(struct clopt_timeline *timeline, const struct clopt_pool *pool,
                        struct clopt_store *store, const char *text, struct clopt_error *error)
{
    if (clopt_store_begin(store, error))
        return;
    put_items(timeline, pool, store, error);
    for (size_t i = 0; i < pool->seat_count && !error->status; i++) {
        const struct clopt_doing *doing = &timeline->now[i];
        if (doing->what)
            put_worker(pool, store, doing->worker, doing->ended_ns ? NULL : doing->what, error);
    }
    for (size_t i = 0; i < pool->host_count && !error->status; i++) {
        const struct clopt_host *host = &pool->hosts[i];
        const char *why = host->state == CLOPT_HOST_READY ? NULL : host->why.message;
        clopt_store_put(store, CLOPT_SQL_PUT_PROGRESS, error, "rss", host->name, why);
    }
    if (!error->status)
        clopt_store_put(store, CLOPT_SQL_PUT_PROGRESS, error, "rss", "", text);
    clopt_store_finish(store, error->status, error);
    timeline->told_ns = clopt_now_ns();
}

/* Puts where the time went. */
static enum clopt_status put_stages(const struct clopt_timeline *timeline,
                                    const struct clopt_pool *pool, struct clopt_store *store,
                                    struct clopt_error *error)
{
    const struct clopt_load now = clopt_pool_load(pool);
    double wall_s = (double)(clopt_now_ns() - timeline->began.ns) * 1e-9, in_stages_s = 0;
    for (enum clopt_stage stage = 0; stage < CLOPT_STAGES; stage++) {
        in_stages_s += pool->seconds[stage];
        CLOPT_TRY(clopt_store_put(store, CLOPT_SQL_PUT_STAGE, error, "rsd", clopt_stage_name(stage),
                                  pool->seconds[stage]));
    }
    const struct {
        const char *name;
        double seconds;
    } others[] = {{"start", pool->start_s},
                  {"preempted", pool->preempted_s > 0 ? pool->preempted_s : NAN},
                  {"other", fmax(pool->requests_s - pool->start_s - in_stages_s, 0)},
                  {"wall", wall_s},
                  {"waiting", fmax(wall_s - pool->busy.seconds, 0)},
                  {"supervisor", clopt_used_seconds(false) - timeline->began.used_s},
                  {"machine", now.all_s - timeline->began.load.all_s},
                  {"others", clopt_load_of_others(&timeline->began.load, &now)}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!isnan(others[i].seconds))
            CLOPT_TRY(clopt_store_put(store, CLOPT_SQL_PUT_STAGE, error, "rsd", others[i].name,
                                      others[i].seconds));
    return CLOPT_OK;
}

enum clopt_status clopt_timeline_end(struct clopt_timeline *timeline, const struct clopt_pool *pool,
                                     struct clopt_store *store, struct clopt_error *error)
{
    for (size_t i = 0; i < CLOPT_MOST_SEATS; i++)
        if (timeline->now[i].what)
            add(timeline, &timeline->now[i]);
    CLOPT_TRY(put_stages(timeline, pool, store, error));
    clopt_timeline_put(timeline, pool, store, "", error);
    return error->status;
}
