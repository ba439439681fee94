/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of a study's results that is written again and again while it runs. */
#ifndef CLOPT_MAIN_LIVE_H
#define CLOPT_MAIN_LIVE_H

#include <sys/types.h>

#include "store/store.h"

struct clopt_live {
    const char *path; /* of the page; NULL: none is wanted */
    const char *store_path;
    pid_t writer; /* the process that writes it; 0: none */
};

/* Writes a page that says that the study begins, and has a process of its own write what the store
 * holds every few seconds. To be called before the store is opened: SQLite's connections do not
 * outlive a fork. */
enum clopt_status clopt_live_begin(struct clopt_live *live, struct clopt_error *error);

/* Ends that process, and writes the last page, which does not load itself again. */
enum clopt_status clopt_live_end(struct clopt_live *live, struct clopt_store *store,
                                 struct clopt_error *error);

#endif
