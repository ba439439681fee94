/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tasks in worker processes, under limits; whatever a worker does, the pool goes on. */
#pragma once

#include "pool/transport.h"
#include "process/clock.h"

/* Where no device has to be opened. */
#define CLOPT_NO_DEVICE SIZE_MAX

/* How a worker was lost. */
struct clopt_loss {
    struct clopt_error error; /* says why and in which stage, in words */
    enum clopt_stage stage;   /* CLOPT_STAGE_OPEN: the device could not be opened, which is no fault
                               * of the task */
    int signal;               /* that ended it, or 0 */
    bool was_suspect;         /* something else had gone wrong in it before */
};

struct clopt_seat;

/* What one worker does for the study. */
struct clopt_task {
    /* Returns the next request, given the answer to the one before (NULL at first); NULL ends the
     * task, and the worker is free again. */
    json_t *(*next)(struct clopt_task *task, const json_t *answer);
    /* Called instead of `next` when the worker is lost: `parts` is what had arrived of the answer
     * (NULL: nothing), `loss` says why. The task is over. */
    void (*lost)(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss);
    struct clopt_seat *seat; /* the worker's, while the task is under way */
    bool untimed; /* measures no processor; the threads of several such workers are not to be pinned
                   * to the same cores, since some runtimes compile in them */
    bool fresh;   /* wants a process that has opened no device, which ends with the task */
    unsigned cache; /* wants drivers to cache in the folder of this number; 0: as all others do */
    bool spoiled;   /* set by `next`: something failed that may have left the worker unfit */
    double build_s; /* its builds may take so long; 0: what the study says */
    bool waiting;   /* set by `next` with no request: the worker waits until it is woken */
    struct clopt_host *host; /* where it runs, if it opens no device; NULL: here */
};

/* A place for a worker process. */
struct clopt_seat {
    struct clopt_process process;
    size_t device; /* that its worker has open, or is opening */
    bool opened;
    bool is_suspect;            /* its worker had a wrong result: that may have damaged more */
    bool ending;                /* it was killed, and will be gone soon */
    bool warming;               /* before that it lists the devices, which loads all drivers */
    struct clopt_task *task;    /* NULL: idle */
    bool was_busy, was_opening; /* as the pool counts it */
};

/* A device as the pool knows it. */
struct clopt_pool_device {
    struct clopt_device_info info;
    size_t ordinal;
    struct clopt_host *host; /* that has it; NULL: this one */
    size_t next;             /* of the members of a study's device; 0: none follows */
    bool is_member;          /* the study goes on without it, if it is lost */
    unsigned failures;       /* to open it, in a row */
    bool clock_told;         /* it was said that its events are wrong */
};

/* So many times a device cannot be opened before it is lost. */
#define CLOPT_MOST_OPEN_FAILURES 3

/* The wall time in which some seat is doing something. */
struct clopt_pool_wall {
    size_t seats;     /* that do so now */
    int64_t since_ns; /* 0: none does */
    double seconds;   /* until then */
};

struct clopt_pool {
    struct clopt_process_settings settings;
    unsigned caches; /* the highest number that was given to a cache of drivers */
    struct clopt_limits limits;
    uint64_t memory_bytes; /* the limit in force */
    struct clopt_pool_device *devices;
    struct clopt_host *hosts; /* beside this one; a transport has opened them */
    size_t host_count;
    struct clopt_seat *seats;
    size_t seat_count;              /* may be used, of those that there are */
    size_t opened;                  /* workers that have opened a device, */
    struct clopt_pool_wall opening; /* and those that do so */
    int64_t looked_ns;              /* when all hosts were looked at last */
    int64_t read_ns;                /* until when it is known what workers have sent */
    bool changed;                   /* a worker has answered or is lost */
    double seconds[CLOPT_STAGES];   /* what workers spent in stages */
    double start_s;                 /* what workers took to start, before they opened a device */
    double preempted_s;             /* what is not in samples: clopt_samples_take() */
    double requests_s;              /* what all requests took together */
    struct clopt_pool_wall busy;    /* with requests, those that open a device among them */
};

/* At most CLOPT_MOST_SEATS. */
void clopt_pool_init(struct clopt_pool *pool, const struct clopt_process_settings *settings,
                     const struct clopt_limits *limits, size_t seat_count);

/* Ends all workers; nothing can be begun any more. */
void clopt_pool_stop(struct clopt_pool *pool);
void clopt_pool_fini(struct clopt_pool *pool);

/* Sees to it that so many workers, if there are seats, list the devices or have done so: drivers
 * are loaded before it is known which device is to be opened, and when. Untimed tasks take them. */
enum clopt_status clopt_pool_warm(struct clopt_pool *pool, size_t count, struct clopt_error *error);

/* Whether an idle worker has a device open. */
bool clopt_pool_has_idle(const struct clopt_pool *pool, size_t device);

/* Returns by how many seconds one more worker delays the others' opening a device: some drivers
 * open it for one process at a time. 0: none has been opened. */
double clopt_pool_opening_s(const struct clopt_pool *pool);

/* Begins a task on a device: there must be a seat without a task. */
enum clopt_status clopt_pool_begin(struct clopt_pool *pool, size_t device, struct clopt_task *task,
                                   struct clopt_error *error);

/* Lets a task go on, if it waits: its `next` is called without an answer. */
void clopt_pool_wake(struct clopt_pool *pool, struct clopt_task *task);

/* Whether the workers of untimed tasks can be paused: not while one sets its problem up, since
 * others may wait for the same inputs. */
bool clopt_pool_can_pause(struct clopt_pool *pool);

/* Pauses the workers of untimed tasks on a host (NULL: this one) and all that they started, or lets
 * all there that are paused go on. */
void clopt_pool_pause(struct clopt_pool *pool, const struct clopt_host *host, bool paused);

/* Whether a device's host is away: it is asked back. */
bool clopt_pool_is_away(const struct clopt_pool_device *device);

/* Ends a task's worker, and the task without a word. */
void clopt_pool_cancel(struct clopt_pool *pool, struct clopt_task *task);

/* Waits until a worker has answered or is lost, for some 100 ms at most; not at all where no task
 * is under way. CLOPT_DEVICE_LOST when a device cannot be opened again and again. */
enum clopt_status clopt_pool_wait(struct clopt_pool *pool, struct clopt_error *error);

/* Returns the seconds that a stage may take, and the key of [limits] that says so. */
double clopt_limits_stage(const struct clopt_limits *limits, enum clopt_stage stage,
                          const char **key);

/* Returns the memory that a worker on a host (NULL: this one) may take. */
uint64_t clopt_limits_memory(const struct clopt_pool *pool, const struct clopt_host *host);

/* Says, ten times a second, whether a seat's worker oversteps a limit of time, memory or the disk,
 * and which. `error` is all zero before. */
enum clopt_status clopt_limits_check(const struct clopt_pool *pool, struct clopt_seat *seat,
                                     struct clopt_error *error);

/* Accounts for the time in which some request is under way, or some device being opened, after
 * something has changed at a seat. */
void clopt_pool_note_busy(struct clopt_pool *pool, struct clopt_seat *seat);

/* Adds up what a worker says its stages took, and returns it. */
double clopt_pool_count_seconds(struct clopt_pool *pool, const json_t *answer);

/* Counts what stages took of a request that will not be answered, as its worker is lost or ended.
 */
void clopt_pool_count_lost(struct clopt_pool *pool, struct clopt_seat *seat);

/* Processor time that has been used by now in seconds: all that the processors had which clopt may
 * use, and of that what was used, NaN where the system does not tell; and that of clopt and its
 * workers. */
struct clopt_load {
    double all_s, used_s, own_s;
};
struct clopt_load clopt_pool_load(const struct clopt_pool *pool);

/* Returns what other programs have used between two such moments; NaN where it is unknown. */
double clopt_load_of_others(const struct clopt_load *from, const struct clopt_load *to);
