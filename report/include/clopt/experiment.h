/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a study from a program, as `clopt -c STUDY.ini` does: each variant in worker processes of
 * the clopt program, which is found where it was installed, or is what CLOPT_PROGRAM names. */
#pragma once

#include <clopt/error.h>

struct clopt_experiment;

/* What became of a variant. Texts are there until the callback returns. */
struct clopt_result_told {
    const char *app, *problem, *kernel, *device, *variant;
    const char *outcome; /* "ok", "build-failed", "wrong-result", ... */
    const char *reason;  /* NULL: it is ok */
    double time_ns;      /* of the kernel, the median; NaN: not measured, or not yet known */
    double speedup;      /* over the initial code; NaN: not known */
    bool best;           /* of its kernel, problem and device */
};

typedef void (*clopt_tell_result)(void *user, const struct clopt_result_told *result);

/* Begins with a study: the path of an INI file. The caller destroys it. */
CLOPT_API struct clopt_experiment *clopt_experiment_create(const char *study);
CLOPT_API void clopt_experiment_destroy(struct clopt_experiment *experiment);

/* Overrides a value of the study: "size.n=1024". "search.strategy=model" and "search.time=60s" make
 * it a tuning. */
CLOPT_API void clopt_experiment_set(struct clopt_experiment *experiment, const char *setting);

/* Runs it, with a store at this path: what is in there already is not done again. `tell` (may be
 * NULL) hears of each variant when its outcome is known. CLOPT_INTERRUPTED after SIGINT, SIGTERM or
 * SIGHUP, which it catches while it runs. One experiment runs at a time. */
CLOPT_API enum clopt_status clopt_experiment_run(struct clopt_experiment *experiment,
                                                 const char *store, clopt_tell_result tell,
                                                 void *user, struct clopt_error *error);

/* Reads the results of the newest run of a store: `tell` hears of each variant. */
CLOPT_API enum clopt_status clopt_experiment_read(const char *store, clopt_tell_result tell,
                                                  void *user, struct clopt_error *error);
