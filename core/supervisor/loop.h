/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tasks in worker processes, under limits; whatever a worker does, the loop goes on. */
#ifndef CLOPT_SUPERVISOR_LOOP_H
#define CLOPT_SUPERVISOR_LOOP_H

#include <signal.h>

#include "space/study.h"
#include "supervisor/process.h"

/* Where no device has to be opened. */
#define CLOPT_NO_DEVICE SIZE_MAX

/* How a worker was lost. */
struct clopt_loss {
    struct clopt_error error; /* says why and in which stage, in words */
    enum clopt_stage stage;   /* CLOPT_STAGE_OPEN: the device could not be opened, which is no fault
                               * of   the task */
    int signal;               /* that ended it, or 0 */
};

/* What one worker does for the study. */
struct clopt_task {
    /* Returns the next request, given the answer to the one before (NULL at first); NULL ends the
     * task, and the worker is free again. */
    json_t *(*next)(struct clopt_task *task, const json_t *answer);
    /* Called instead of `next` when the worker is lost: `parts` is what had arrived of the answer
     * (NULL: nothing), `loss` says why. The task is over. */
    void (*lost)(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss);
    enum clopt_stage stage; /* that the worker began last for a request; CLOPT_STAGE_OPEN: none */
    bool untimed; /* measures nothing; the threads of several such workers are not to be pinned to
                   * the same cores, since some runtimes compile in them */
    bool fresh;   /* wants a process that has done nothing else, which ends with the task */
    bool spoiled; /* set by `next`: something failed that may have left the worker unfit */
    bool waiting; /* set by `next` with no request: keeps its worker until it is woken */
    int64_t paused_ns; /* how long the worker was paused while it worked on the last answer */
};

/* A place for a worker process. */
struct clopt_seat {
    struct clopt_process process;
    size_t device; /* that its worker has open, or is opening */
    bool opened;
    struct clopt_task *task; /* NULL: idle */
};

/* A device as the loop knows it. */
struct clopt_loop_device {
    struct clopt_device_info info;
    size_t ordinal;
    const char *oclgrind; /* the program, where the device is Oclgrind's; else NULL */
};

struct clopt_loop {
    struct clopt_process_settings settings;
    struct clopt_limits limits;
    uint64_t memory_bytes; /* the limit in force */
    const struct clopt_loop_device *devices;
    struct clopt_seat *seats;
    size_t seat_count;
    size_t opened;                /* workers that have opened a device */
    unsigned open_failures;       /* in a row */
    double seconds[CLOPT_STAGES]; /* what workers spent in stages */
    double start_s;               /* what workers took to start, before they opened a device */
    double requests_s;            /* what all requests took together */
    double busy_s;                /* wall time in which some request was under way, until then: */
    int64_t busy_since_ns;        /* 0: no request is under way */
};

enum clopt_status clopt_loop_init(struct clopt_loop *loop,
                                  const struct clopt_process_settings *settings,
                                  const struct clopt_limits *limits, size_t seat_count,
                                  struct clopt_error *error);

/* Ends all workers; nothing can be begun any more. */
void clopt_loop_stop(struct clopt_loop *loop);
void clopt_loop_fini(struct clopt_loop *loop);

/* Returns a seat without a task: one whose worker has the device open, or for a task that wants a
 * fresh process one without a worker, rather than another. NULL if all are taken. */
struct clopt_seat *clopt_loop_idle_seat(struct clopt_loop *loop, size_t device, bool fresh);

/* Begins a task on a device in a seat that is idle. */
enum clopt_status clopt_loop_begin(struct clopt_loop *loop, struct clopt_seat *seat, size_t device,
                                   struct clopt_task *task, struct clopt_error *error);

/* Lets a task that waits go on: its `next` is called without an answer. */
void clopt_loop_wake(struct clopt_loop *loop, struct clopt_task *task);

/* Whether a task's worker can be paused: not while it sets its problem up, since others may wait
 * for the same inputs. */
bool clopt_loop_can_pause(const struct clopt_loop *loop, const struct clopt_task *task);

/* Pauses a task's worker and all that it started, or lets them go on. */
void clopt_loop_pause(struct clopt_loop *loop, const struct clopt_task *task, bool paused);

/* Ends a task's worker, and the task without a word. */
void clopt_loop_cancel(struct clopt_loop *loop, const struct clopt_task *task);

/* Whether any seat has a task. */
bool clopt_loop_is_busy(const struct clopt_loop *loop);

/* Waits for something to happen, at most so long, and deals with it. CLOPT_DEVICE_LOST when a
 * device cannot be opened again and again. */
enum clopt_status clopt_loop_turn(struct clopt_loop *loop, int timeout_ms,
                                  struct clopt_error *error);

/* Returns the wall time in which some request was under way. */
double clopt_loop_busy_seconds(const struct clopt_loop *loop);

/* Returns the processor time that clopt has used by now, in seconds: this process, and its workers.
 */
double clopt_loop_used_seconds(const struct clopt_loop *loop);

/* What a worker was asked alone, and what it said. */
struct clopt_reply {
    json_t *answer;           /* as far as it came; NULL: not at all. The caller's reference */
    struct clopt_error cause; /* why there is no more, or what the answer says has failed */
    enum clopt_stage stage;   /* that began last */
};

/* Asks a new worker, which has a device open (CLOPT_NO_DEVICE: none), for one thing, and waits
 * until it has answered or is lost, or `*stop` (may be NULL) is set: that is CLOPT_INTERRUPTED as
 * the cause. Fails only where the loop does. Drops the reference to the request. */
enum clopt_status clopt_loop_ask(struct clopt_loop *loop, size_t device, json_t *request,
                                 const volatile sig_atomic_t *stop, struct clopt_reply *reply,
                                 struct clopt_error *error);

/* Asks which devices there are. The caller frees the list. */
enum clopt_status clopt_loop_list_devices(struct clopt_loop *loop,
                                          struct clopt_device_info **devices, size_t *count,
                                          struct clopt_error *error);

#endif
