/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant on one device: what an app's operations get to see as clopt_session. */
#pragma once

#include "opencl/build.h"
#include "worker/workspace.h"

/* One enqueued kernel. */
struct clopt_launch_record {
    unsigned kernel;
    cl_event event;
    int64_t called_ns; /* when it was launched */
    int64_t ended_ns;  /* when it was over, of one that was waited for */
};

#define CLOPT_MAX_SAMPLERS 20 /* filters, addressing, coordinates */

struct clopt_session {
    unsigned id;
    struct clopt_session *next; /* of the workspace's */
    struct clopt_workspace *workspace;
    struct clopt_error *error;   /* the workspace's: says why a call for this variant has failed */
    const struct clopt_app *app; /* the workspace's, or that one's reference */
    struct clopt_trial trial;
    struct clopt_variant variant;
    struct clopt_problem problem;
    struct clopt_build build;
    cl_program program; /* NULL: not built */
    cl_kernel *kernels;
    unsigned kernel_count;
    struct clopt_buffers *wanted;  /* what the app has asked for, not created; NULL: not yet */
    struct clopt_buffers *buffers; /* of the current run; the workspace's */
    struct clopt_launch_record *launches;
    size_t launch_count;
    cl_sampler samplers[CLOPT_MAX_SAMPLERS]; /* by number; NULL: not needed so far */
    cl_mem zeroed; /* what a variant's launches take beside the app's buffers; NULL: not made yet */
    uint64_t zeroed_bytes;
    unsigned zeroed_kernel; /* whose launches have it */
    bool *launched; /* a kernel's first launch compiles on some devices: set once it is over */
    int64_t deferred_ns;
    double least_ns, most_ns; /* that its kernels' first launches took; 0: not known */
    struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS]; /* of the launch at hand */
    double permuted_ns; /* in the last run over poisoned buffers, until it could be read back */
    double *first_ns;   /* what the one that was verified took: each kernel, the whole run, and the
                         * share of it that threads waited; NULL: it is not timed */
    unsigned batch;     /* runs a sample; 0: not known yet */
    enum clopt_clock_source batch_source; /* of the times that it was chosen by */
    char digest[CLOPT_HASH_SIZE];         /* of the results that were verified; "": none were */
    bool proven;                          /* they were the same after samples */
    struct clopt_believed believed;
    const struct clopt_rival *rival; /* runs instead of kernels (trial/rival.h); NULL: not built */
    void *rival_state;
    struct clopt_counting *counting;       /* of each launch; NULL: nothing does */
    const struct clopt_observer *observer; /* runs it (trial/observer.h); NULL: nothing does */
    void *observing;                       /* that one's */
};

/* Makes the variant of a trial: rewrites the source of its app's kernels, unless it comes `made`
 * already, by another process (NULL: it does not). Takes contents of trial and made out of them,
 * which the caller ends in any case. The source may be another one than the workspace's. */
enum clopt_status clopt_session_create(struct clopt_workspace *workspace,
                                       const struct clopt_app_source *source,
                                       struct clopt_trial *trial, struct clopt_variant *made,
                                       struct clopt_session **session);
void clopt_session_destroy(struct clopt_session *session);
CLOPT_HOLDER(clopt_session, clopt_session_destroy);

/* Makes a variant under the number `id`, instead of the one that has it: takes up its problem,
 * where that is not at hand yet, and goes on as clopt_session_create(). */
enum clopt_status clopt_session_make(struct clopt_workspace *workspace, unsigned id,
                                     struct clopt_trial *trial, struct clopt_variant *made,
                                     struct clopt_session **session);

/* Finds a variant that has been made (NULL: there is none), and drops one. */
struct clopt_session *clopt_session_find(const struct clopt_workspace *workspace, unsigned id);
void clopt_session_drop(struct clopt_workspace *workspace, unsigned id);

/* Builds the program, or loads it where it was built before, and makes its kernels. session->build
 * tells the time and the log, after a failure, too. */
enum clopt_status clopt_session_build(struct clopt_session *session);

/* Sets up the problem of a built variant: has the app make inputs, and finds or creates buffers. */
enum clopt_status clopt_session_make_buffers(struct clopt_session *session);

/* Runs the app once: restores the contents of the buffers, launches and waits. Adds to `times_ns`
 * (NULL: not wanted) what the launches of each kernel took, then the time from the begin of the
 * first launch to the end of the last, by the device's clock. Where its events turn out to be
 * wrong, that is CLOPT_INFEASIBLE, and the next run goes by another clock. */
enum clopt_status clopt_session_run(struct clopt_session *session, double *times_ns);

/* The same over poisoned buffers. */
enum clopt_status clopt_session_run_poisoned(struct clopt_session *session, double *times_ns);

/* Lets the app learn what is right from what is in the buffers. */
enum clopt_status clopt_session_learn(struct clopt_session *session);

/* Lets the app check the result of a run. An answer that is wrong is
 * CLOPT_WRONG_RESULT; the verdict is filled in either case. */
enum clopt_status clopt_session_check(struct clopt_session *session, struct clopt_verdict *verdict);

/* Runs a built variant once and checks its result. `known` (or NULL) is the digest of a
 * result of this variant that was right: where the run computes the same, that is enough; where it
 * does not, the app checks it. `digest` (NULL: not wanted, and nothing is known) gets the run's, of
 * CLOPT_HASH_SIZE. */
enum clopt_status clopt_session_verify(struct clopt_session *session, const char *known,
                                       char *digest, struct clopt_verdict *verdict);

/* Runs a variant that is made by the observer of that name, or the first that runs kernels (NULL),
 * and says which; `found` gets its first finding, for the caller to free, or nothing. */
enum clopt_status clopt_session_observe(struct clopt_session *session, const char *name,
                                        const char **by, char **found);

/* Let the app, which must have the operation, say what the last run computed as lines `name:
 * value`, and write a result of it. */
enum clopt_status clopt_session_summarize(struct clopt_session *session, FILE *stream);
enum clopt_status clopt_session_write(struct clopt_session *session, unsigned result, FILE *stream);

/* Waits for the launches recorded so far, and adds their times as clopt_session_run() does. */
enum clopt_status clopt_session_collect(struct clopt_session *session, double *times_ns);
