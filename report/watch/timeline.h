/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes note of what each worker does when, and tells the store. */
#pragma once

#include "pool/pool.h"
#include "store/store.h"

struct clopt_doing {
    unsigned worker;
    const char *what; /* NULL: nothing */
    int64_t began_ns;
    int64_t ended_ns; /* 0: it goes on */
};

struct clopt_timeline {
    struct {
        int64_t ns;
        double used_s;          /* processor time of this process, */
        struct clopt_load load; /* and all of it */
    } began;
    int64_t told_ns;           /* when the store was told last */
    struct clopt_doing *items; /* since then */
    size_t count;
    struct clopt_doing *now; /* by seat */
};

/* The run begins. */
void clopt_timeline_init(struct clopt_timeline *timeline);
void clopt_timeline_fini(struct clopt_timeline *timeline);

/* A clopt_worker_begins, with the timeline as user. */
void clopt_timeline_note(void *timeline, unsigned worker, const char *doing, int64_t time_ns);

/* Whether it is time to tell the store: twice a second. */
bool clopt_timeline_is_due(const struct clopt_timeline *timeline);

/* Tells the store what has been done, what each worker does now, what the run does (`text`), and
 * which hosts are away, and why. */
void clopt_timeline_put(struct clopt_timeline *timeline, const struct clopt_pool *pool,
                        struct clopt_store *store, const char *text, struct clopt_error *error);

/* The same once all workers have ended, and where the time went. */
enum clopt_status clopt_timeline_end(struct clopt_timeline *timeline, const struct clopt_pool *pool,
                                     struct clopt_store *store, struct clopt_error *error);
