/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant, built on one device: what an app's operations get to see as clopt_session. */
#ifndef CLOPT_WORKER_SESSION_H
#define CLOPT_WORKER_SESSION_H

#include <clopt/app.h>

#include "opencl/context.h"
#include "trial/variant.h"
#include "worker/digest.h"

/* One enqueued kernel. */
struct clopt_launch_record {
    unsigned kernel;
    cl_event event;
};

#define CLOPT_MAX_SAMPLERS 20 /* filters, addressing, coordinates */

struct clopt_workspace;

struct clopt_session {
    struct clopt_context *context;
    const struct clopt_app *app;
    struct clopt_problem problem;
    struct clopt_workspace *workspace; /* has the app's state */
    struct clopt_variant variant;
    unsigned changed_kernel; /* the index of the kernel that the variant's NDRange change is for */
    cl_program program;
    cl_kernel *kernels;
    unsigned kernel_count;
    struct clopt_buffers *buffers; /* of the current activation; not owned */
    struct clopt_buffers
        *wanted; /* what the app has asked for; nothing is created. NULL: not yet */
    struct clopt_launch_record *launches;
    size_t launch_count;
    size_t launch_capacity;
    cl_sampler samplers[CLOPT_MAX_SAMPLERS]; /* by number; NULL: not needed so far */
    bool *launched; /* a kernel's first launch compiles on some devices: set once it is over */
    int64_t deferred_ns;
    struct clopt_error error;
};

/* Times of one run of the app. */
struct clopt_run_times {
    double *kernels_ns; /* START to END, summed over the launches of each kernel; caller's memory */
    double whole_ns;    /* START of the first launch to END of the last */
};

/* Makes the kernels of a built program. The session owns variant, program and kernels from then on;
 * on failure, too. `workspace` has the problem; `app` is its app or that app's reference. */
enum clopt_status clopt_session_create(struct clopt_context *context, const struct clopt_app *app,
                                       struct clopt_workspace *workspace,
                                       const struct clopt_kernel *changed_kernel,
                                       struct clopt_variant *variant, cl_program program,
                                       struct clopt_session **session, struct clopt_error *error);
void clopt_session_destroy(struct clopt_session *session);

/* Runs the app once over buffers that the app has prepared: restores their contents, launches,
 * waits and collects the times (NULL: not wanted). */
enum clopt_status clopt_session_run(struct clopt_session *session, struct clopt_buffers *buffers,
                                    struct clopt_run_times *times, struct clopt_error *error);

/* Runs the app once, untimed, over poisoned buffers. */
enum clopt_status clopt_session_verify_launch(struct clopt_session *session,
                                              struct clopt_buffers *buffers,
                                              struct clopt_error *error);

/* Lets the app learn what is right from that run. */
enum clopt_status clopt_session_learn(struct clopt_session *session, struct clopt_error *error);

/* Whether that run left its guards intact, and computed what the digest `known` is of. `digest`
 * gets that of the run. */
enum clopt_status clopt_session_recognize(struct clopt_session *session, const char *known,
                                          char digest[CLOPT_HASH_SIZE], bool *same,
                                          struct clopt_error *error);

/* Lets the app check the result of that run, and checks the guards. An answer that is wrong is
 * CLOPT_WRONG_RESULT; the verdict is filled in either case. */
enum clopt_status clopt_session_verify_result(struct clopt_session *session,
                                              struct clopt_verdict *verdict,
                                              struct clopt_error *error);

/* Forgets the launches recorded so far. */
void clopt_session_forget_launches(struct clopt_session *session);

/* Waits for the launches recorded so far, adds up their times and forgets them. */
enum clopt_status clopt_session_collect(struct clopt_session *session,
                                        struct clopt_run_times *times);

#endif
