/* SPDX-License-Identifier: BSD-3-Clause */
/* The SQLite database that keeps every outcome of a study. doc/store.md documents its schema. */
#pragma once

#include "file/sha256.h"
#include "number/ratio.h"
#include "trial/rate.h"

struct clopt_store;

/* Opens a store for writing and creates it where there is none; one writer at a time: a second one
 * is told so. What a store of an earlier release lacks is added; a newer one, or a file that is no
 * store, is refused. Each call below is one
 * transaction, unless it comes between clopt_store_begin() and clopt_store_finish(): whatever
 * kills the process, what a transaction has stored stays. */
enum clopt_status clopt_store_open(const char *path, struct clopt_store **store,
                                   struct clopt_error *error);

/* Opens a store for reading, also while another process writes it: what one of an earlier release
 * lacks has no rows, or its default. A file that is empty, no store, or newer is refused. */
enum clopt_status clopt_store_open_read(const char *path, struct clopt_store **store,
                                        struct clopt_error *error);
void clopt_store_close(struct clopt_store *store);
CLOPT_HOLDER(clopt_store, clopt_store_close);

/* Closes a store, and removes it if this opening has created it and it holds no run: the study was
 * refused before it began. */
void clopt_store_discard(struct clopt_store *store);

/* Make one transaction of all calls in between. clopt_store_finish() commits where `status` is
 * CLOPT_OK, else takes back what they have stored; it returns the final status. A transaction
 * within another one is part of that. */
enum clopt_status clopt_store_begin(struct clopt_store *store, struct clopt_error *error);
enum clopt_status clopt_store_finish(struct clopt_store *store, enum clopt_status status,
                                     struct clopt_error *error);

/* Whether some process had the store open for writing when this one opened it. */
bool clopt_store_is_written(const struct clopt_store *store);

/* Records a run of a study: `config` is its effective configuration, `not_chosen` how many of its
 * trials a sample leaves out, `not_feasible` how many of these were drawn and are infeasible.
 * Devices, problems and variants that are put afterwards belong to this run, whose rows a report
 * shows, in the order in which they were put. */
enum clopt_status clopt_store_put_run(struct clopt_store *store, const char *title,
                                      const char *config, uint64_t seed, uint64_t not_chosen,
                                      uint64_t not_feasible, struct clopt_error *error);

/* Marks the run as ended, with CLOPT_OK or why it ended early; so many trials were not reached. */
enum clopt_status clopt_store_end_run(struct clopt_store *store, enum clopt_status status,
                                      uint64_t not_reached, struct clopt_error *error);

/* Put a device or a problem, or find the equal one that is there. */
enum clopt_status clopt_store_put_device(struct clopt_store *store, const char *label,
                                         const struct clopt_device_info *device, int64_t *id,
                                         struct clopt_error *error);
enum clopt_status clopt_store_put_problem(struct clopt_store *store, const char *app,
                                          const char *label, const char *inputs_json, int64_t *id,
                                          struct clopt_error *error);

/* What became of a trial. */
enum clopt_outcome {
    CLOPT_OUTCOME_PENDING, /* nothing yet, or samples are not complete */
    CLOPT_OUTCOME_OK,
    CLOPT_OUTCOME_INFEASIBLE,
    CLOPT_OUTCOME_BUILD_FAILED,
    CLOPT_OUTCOME_WRONG_RESULT,
    CLOPT_OUTCOME_CRASHED,
    CLOPT_OUTCOME_TIMEOUT,
    CLOPT_OUTCOME_OUT_OF_RESOURCES,
    CLOPT_OUTCOME_DEVICE_LOST,
};

/* "ok", "build-failed" and so on; and back (CLOPT_OUTCOME_PENDING for an unknown word). */
const char *clopt_outcome_name(enum clopt_outcome outcome);
enum clopt_outcome clopt_outcome_from_name(const char *name);

/* The outcome that a status means: CLOPT_OUTCOME_CRASHED for CLOPT_FAILED,
 * CLOPT_OUTCOME_PENDING where the status says nothing about the variant (interrupted, no plugin).
 */
enum clopt_outcome clopt_outcome_from_status(enum clopt_status status);

/* What an app said of a trial's result. */
struct clopt_store_verdict {
    bool right;
    double error;
    double bound;
    char *text;
};

/* One trial. Texts are NULL where there is nothing to say; times are 0 where unknown. */
struct clopt_store_trial {
    int64_t id;
    char key[CLOPT_HASH_SIZE];
    int64_t device;
    int64_t problem;
    enum clopt_outcome outcome;
    bool abandoned;    /* clearly slower than the best: few samples, or none, */
    double least_ns;   /* where its first launch took longer than this; else 0 */
    bool complete;     /* needs no more samples */
    char *fingerprint; /* of what was built: equal ones are aliases of each other */
    char *stage;       /* where it failed: setup, build, launch, verify, sample */
    char *reason;      /* why it failed */
    int signal;        /* that killed the worker, or 0 */
    struct clopt_store_verdict verdict;
    struct clopt_store_build {
        int64_t ns;          /* as measured when it was compiled, */
        bool kept;           /* which was earlier than this trial: the program had been kept */
        int64_t deferred_ns; /* compile time hidden in the first launch (SUBMIT to START) */
        char *options;
        char *log; /* the compiler's, cut to 64 KiB, where it failed or warned */
    } build;
    char *source; /* of the variant, where it failed; NULL where it is as made */
    int lines_changed;
};

void clopt_store_trial_fini(struct clopt_store_trial *trial);

/* Finds a trial by key: `trial->id` is 0 where there is none. */
enum clopt_status clopt_store_find_trial(struct clopt_store *store, const char *key,
                                         struct clopt_store_trial *trial,
                                         struct clopt_error *error);

/* Writes a trial: a new row (and its id) where `id` is 0, else what has changed in its row. */
enum clopt_status clopt_store_put_trial(struct clopt_store *store, struct clopt_store_trial *trial,
                                        struct clopt_error *error);

/* Finds a trial that has been measured and is the same program, by its fingerprint; 0: none. */
enum clopt_status clopt_store_find_duplicate(struct clopt_store *store, int64_t device,
                                             int64_t problem, const char *fingerprint,
                                             int64_t *trial, struct clopt_error *error);

/* Forgets the outcome and samples of a trial, so that it is measured again. */
enum clopt_status clopt_store_reset_trial(struct clopt_store *store, int64_t trial,
                                          struct clopt_error *error);

/* Says under which kernel and name the current run's reports show a trial. `kernel` is the one that
 * the variant changes; `name` is clopt_trial_name()'s, "initial code" for the baseline; `ordinal`
 * orders the rows, and is the same on all devices. `trial_json` is what makes the trial again. A
 * variant that the run shows already is left alone. */
struct clopt_store_variant {
    int64_t trial; /* 0: infeasible by `reason` before it became a trial; no reason: to come */
    int64_t device;
    int64_t problem;
    const char *kernel;
    const char *name;
    const char *trial_json;
    const char *reason;
    int64_t ordinal;
};
enum clopt_status clopt_store_put_variants(struct clopt_store *store,
                                           const struct clopt_store_variant *variants, size_t count,
                                           struct clopt_error *error);

/* Samples of one trial in one worker process, all kernels of one run of the app. `kernels` names
 * the columns of `times_ns` (`count` times each): the app's kernels, then "" for the whole run
 * (start of the first launch to end of the last). A sample averaged over several runs in a batch
 * is one time. */
struct clopt_store_samples {
    int64_t trial;
    int64_t process; /* a number that no other worker process of this store has */
    const char *const *kernels;
    size_t kernel_count;
    const double *const *times_ns;
    size_t count;
};
enum clopt_status clopt_store_put_samples(struct clopt_store *store,
                                          const struct clopt_store_samples *samples,
                                          struct clopt_error *error);

/* Returns a new number for a worker process of a host (NULL: this one). */
enum clopt_status clopt_store_next_process(struct clopt_store *store, const char *host,
                                           int64_t *process, struct clopt_error *error);

/* Reads all samples of a trial for one kernel ("" for the whole run), in the order taken. The
 * caller frees both arrays. */
enum clopt_status clopt_store_get_samples(struct clopt_store *store, int64_t trial,
                                          const char *kernel, double **times_ns, uint32_t **process,
                                          size_t *count, struct clopt_error *error);

/* What one kernel does in one run. */
struct clopt_store_work {
    enum clopt_arithmetic arithmetic; /* CLOPT_ARITHMETIC_COUNT: unknown, as in older stores */
    double operations;                /* 0: unknown */
    double bytes;                     /* 0: unknown */
};

/* How long a run permutes buffers of a variant that has their elements in another order. */
#define CLOPT_COUNTER_PERMUTING "permuting"

/* Whether a trial, or one that is the same program, has counters of a source. */
enum clopt_status clopt_store_has_counters(struct clopt_store *store, int64_t trial,
                                           const char *source, bool *has,
                                           struct clopt_error *error);

/* What a run has named as the best of a kernel, what that costs (clopt_field_name()), and why it
 * ended: "all 44 variants were tried". It knew all that the store has of the kernel. */
struct clopt_store_named {
    int64_t trial;              /* 0: nothing */
    struct clopt_regret regret; /* NaN where nothing was named */
    char *ending;
    bool earlier; /* it was named by a run before, which did not know this run's variants */
};

/* Chooses the run that is read: its number, or 0, the newest. */
void clopt_store_choose_run(struct clopt_store *store, int64_t run);
