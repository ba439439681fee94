/* SPDX-License-Identifier: BSD-3-Clause */
/* Other hosts, on which workers of this supervisor run. The pool knows what they have and whether
 * they are there; a transport, which a launcher's plugin has, brings them and carries messages. */
#pragma once

#include <poll.h>

#include "pool/process.h"
#include "space/study.h"

#define CLOPT_MOST_SEATS 8192 /* of all hosts */

enum clopt_host_state {
    CLOPT_HOST_AWAY,     /* it is asked, or asked back, at its time */
    CLOPT_HOST_STARTING, /* its identity has not come, or it lacks files */
    CLOPT_HOST_READY,
    CLOPT_HOST_REFUSED, /* its clopt is another one, or it has none, or it was lost too often */
};

struct clopt_host {
    const struct clopt_transport *transport;
    struct clopt_link *link; /* the transport's own */
    const char *name;
    enum clopt_host_state state;
    struct clopt_error why; /* it is away, or refused */
    size_t builders;        /* workers that may build there at the same time */
    size_t processors;      /* that it has, */
    uint64_t memory_bytes;  /* and 90% of its memory */
    char *builds;           /* its folder for programs; NULL: it stores none */
};

/* What a host has. */
struct clopt_host_devices {
    struct clopt_host *host;           /* NULL: this one */
    struct clopt_device_info *devices; /* for the caller to free */
    size_t count;
    struct clopt_error error; /* why the host has no list; of one that is only late, nothing */
    bool listed;
};

enum clopt_order { CLOPT_ORDER_PAUSE, CLOPT_ORDER_RESUME, CLOPT_ORDER_KILL };

struct clopt_pool;

struct clopt_transport {
    /* Has a study run on the hosts of a list, as their sections say: names with commas between
     * them, such as node[1-4]; or a file of names; or `auto`: those of the batch job. */
    enum clopt_status (*choose)(struct clopt_study *study, const struct clopt_registry *registry,
                                const char *list, struct clopt_error *error);
    /* Asks the hosts of a study, which become the pool's, and waits until each is ready, or does
     * not come. Files travel to them. Fails where none comes, or where one has another clopt, or
     * none. `jobs`: workers that may build on each; 0: as it has processors. */
    enum clopt_status (*open)(struct clopt_pool *pool, const struct clopt_study *study,
                              unsigned jobs, FILE *notices, struct clopt_error *error);
    /* Has all hosts end what runs there, and frees them; also where opening them has failed. */
    void (*close)(struct clopt_pool *pool);

    /* Returns what is to be waited for before a host can go on; file -1: nothing. */
    struct pollfd (*awaits)(const struct clopt_host *host);
    /* Goes on with what there is to do, without waiting: asks for the host where it is time to,
     * sends, takes in what has come. Returns whether a worker has said something, or the host has
     * come or gone. */
    bool (*advance)(struct clopt_host *host);
    /* Lists the devices of the hosts that are ready, for the caller to free after an error, too;
     * there is room for CLOPT_MOST_HOSTS. A host that cannot list them is left out, unless it is
     * the only one. Of hosts that have not come it is expected that they have the devices of
     * another one, which is found out once they are there. */
    enum clopt_status (*list)(struct clopt_pool *pool, struct clopt_host_devices *hosts,
                              size_t *count, struct clopt_error *error);

    /* Starts a worker, hands it a request (and the reference to that), tells it something. */
    void (*start)(struct clopt_host *host, struct clopt_process *process,
                  const struct clopt_process_settings *settings);
    enum clopt_status (*request)(struct clopt_process *process, json_t *request,
                                 struct clopt_error *error);
    void (*order)(const struct clopt_process *process, enum clopt_order order);
    /* Has no more come of a worker that was waited for, and returns its wait status; loses the
     * host where it has not ended. */
    int (*end)(struct clopt_process *process);

    /* Is the other end: runs workers for a supervisor over standard input and output, until that
     * hangs up or says nothing any more. Of the settings the paths count. */
    enum clopt_status (*serve)(const struct clopt_process_settings *settings,
                               struct clopt_error *error);
};
