/* SPDX-License-Identifier: BSD-3-Clause */
/* A few questions to workers, one at a time: which devices there are, what one can do at most. */
#pragma once

#include "file/folder.h"
#include "pool/pool.h"
#include "pool/transport.h"

struct clopt_query {
    struct clopt_temporary scratch;
    struct clopt_pool pool;
    struct clopt_device_info *devices; /* all that there are */
    size_t count;
    struct clopt_pool_device device; /* the pool's only one: number 0 */
};

/* Lists all devices of this host, for the caller to free, in a worker that is free for them then.
 */
enum clopt_status clopt_pool_list(struct clopt_pool *pool, struct clopt_device_info **devices,
                                  size_t *count, struct clopt_error *error);

/* Whether what several do at the same time is waited for any longer: once the first has done it,
 * the others are too late after some time, which is longer where that one took long. */
struct clopt_lateness {
    int64_t began_ns, first_ns; /* 0: none has done it yet */
};
bool clopt_is_too_late(struct clopt_lateness *lateness, bool one_has);

/* Has several hosts list their devices at the same time; those that are too late are not waited
 * for. Fails only where the pool does, or is to stop. */
enum clopt_status clopt_pool_list_hosts(struct clopt_pool *pool, struct clopt_host_devices *hosts,
                                        size_t count, struct clopt_error *error);

/* Lists the devices. The workers' folder is the query's own. The caller ends it where that fails,
 * too. */
enum clopt_status clopt_query_open(struct clopt_query *query,
                                   const struct clopt_process_settings *settings,
                                   const struct clopt_limits *limits, struct clopt_error *error);
void clopt_query_fini(struct clopt_query *query);

/* Has the following questions asked of a device. */
void clopt_query_use(struct clopt_query *query, size_t device);

/* What a worker was asked alone, and what it said. */
struct clopt_reply {
    json_t *answer;           /* as far as it came; NULL: not at all. The caller's reference */
    struct clopt_error cause; /* why there is no more, or what the answer says has failed */
    enum clopt_stage stage;   /* that began last */
};

/* Asks a new worker, which has a device open (CLOPT_NO_DEVICE: none, and it goes on), for one
 * thing, and waits until it has answered or is lost, or the pool's is to stop: that is
 * CLOPT_INTERRUPTED as the cause. Fails only where the pool does. Drops the reference to the
 * request. */
enum clopt_status clopt_pool_ask(struct clopt_pool *pool, size_t device, json_t *request,
                                 struct clopt_reply *reply, struct clopt_error *error);

/* Whether there is any sense in measuring a device: one that emulates another has no peaks. */
bool clopt_peaks_make_sense(const struct clopt_device_info *device);

/* Has a worker measure one of the pool's devices while nothing else goes on there: its "peaks", its
 * "access" rates, or whether its "energy" can be read. `found` is what the answer has of that name,
 * for the caller to drop; NULL: none, and `cause` says why. Fails only where the pool
 * does. */
enum clopt_status clopt_pool_measure(struct clopt_pool *pool, size_t device, const char *what,
                                     json_t **found, struct clopt_error *cause,
                                     struct clopt_error *error);
