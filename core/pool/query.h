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

/* Lists all devices of this host, for the caller to free, in a worker that is free then. */
enum clopt_status clopt_pool_list(struct clopt_pool *pool, struct clopt_device_info **devices,
                                  size_t *count, struct clopt_error *error);

/* Lists the devices. The workers' folder is the query's own. The caller ends it in any case. */
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
 * CLOPT_INTERRUPTED as the cause. Fails only where the pool does. Takes the request over. */
enum clopt_status clopt_pool_ask(struct clopt_pool *pool, size_t device, json_t *request,
                                 struct clopt_reply *reply, struct clopt_error *error);

/* The same of a host (NULL: this one), without waiting: its task has a seat until it is over. */
struct clopt_question {
    struct clopt_task task;
    json_t *request; /* NULL: asked */
    struct clopt_reply reply;
};
enum clopt_status clopt_question_begin(struct clopt_pool *pool, struct clopt_host *host,
                                       size_t device, json_t *request,
                                       struct clopt_question *question, struct clopt_error *error);
void clopt_question_end(struct clopt_pool *pool, struct clopt_question *question);
bool clopt_pool_is_to_stop(const struct clopt_pool *pool);

/* Whether to ask for devices once more, after so many times: a worker that was killed says nothing
 * about them; and takes them from an answer. */
bool clopt_reply_lacks(const struct clopt_reply *reply, unsigned attempts);
enum clopt_status clopt_reply_take_devices(const struct clopt_reply *reply,
                                           struct clopt_device_info **devices, size_t *count,
                                           struct clopt_error *error);

/* Whether there is any sense in measuring a device: one that emulates another has no peaks. */
bool clopt_peaks_make_sense(const struct clopt_device_info *device);

/* Has a worker measure one of the pool's devices while nothing else goes on there: its "peaks", its
 * "access" rates, or whether its "energy" can be read. `found` is what the answer has of that name,
 * for the caller to drop; NULL: none, and `cause` says why. Fails where the pool does. */
enum clopt_status clopt_pool_measure(struct clopt_pool *pool, size_t device, const char *what,
                                     json_t **found, struct clopt_error *cause,
                                     struct clopt_error *error);
