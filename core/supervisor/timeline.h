/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes note of what each worker does when. */
#pragma once

#include "store/store.h"

struct clopt_doing {
    unsigned worker;
    const char *what; /* NULL: nothing */
    int64_t began_ns;
    int64_t ended_ns; /* 0: it goes on */
};

struct clopt_timeline {
    struct clopt_doing *items;
    size_t count;
    struct clopt_doing *now; /* by worker */
    size_t worker_count;
};

enum clopt_status clopt_timeline_init(struct clopt_timeline *timeline, size_t worker_count,
                                      struct clopt_error *error);
void clopt_timeline_fini(struct clopt_timeline *timeline);

/* A clopt_worker_begins, with the timeline as user. */
void clopt_timeline_note(void *timeline, unsigned worker, const char *doing, int64_t time_ns);

/* Puts all into the store, after all workers have ended. */
enum clopt_status clopt_timeline_put(struct clopt_timeline *timeline, struct clopt_store *store,
                                     int64_t run_began_ns, struct clopt_error *error);
