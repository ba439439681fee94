/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, builds, verifies and samples variants on one device, in this process. */
#ifndef CLOPT_WORKER_ENGINE_H
#define CLOPT_WORKER_ENGINE_H

#include <stdio.h>

#include "protocol/stage.h"
#include "trial/rate.h"
#include "worker/sampling.h"

struct clopt_engine;

/* Called when a stage begins. */
typedef void (*clopt_stage_begins)(void *user, enum clopt_stage stage);

/* `kernel_path` must outlive the engine. `begins` may be NULL. */
enum clopt_status clopt_engine_create(const char *kernel_path, clopt_stage_begins begins,
                                      void *user, struct clopt_engine **engine,
                                      struct clopt_error *error);
void clopt_engine_destroy(struct clopt_engine *engine);

/* Opens the device; once an engine. Programs are cached in the folder `builds` (NULL: nowhere). */
enum clopt_status clopt_engine_open(struct clopt_engine *engine,
                                    const struct clopt_device_info *device, size_t ordinal,
                                    const char *builds, struct clopt_error *error);

/* Measures what the opened device can do at most: see worker/peak.h. */
enum clopt_status clopt_engine_measure_peaks(struct clopt_engine *engine, struct clopt_peaks *peaks,
                                             struct clopt_error *error);

/* Makes a variant under the number `id`: takes up its problem, where that is not at hand yet, and
 * rewrites the source as clopt_session_create() does. One problem at a time: a trial of another one
 * drops all variants of the one before. The variant stays the engine's. */
enum clopt_status clopt_engine_make(struct clopt_engine *engine, unsigned id,
                                    struct clopt_trial *trial, struct clopt_variant *made,
                                    const struct clopt_variant **variant,
                                    struct clopt_error *error);

/* Builds a variant that has been made, or loads it where it was built before. `build` stays the
 * engine's, while it has the variant; after a failure, it tells the time and the log. NULL: there
 * is no such variant. */
enum clopt_status clopt_engine_build(struct clopt_engine *engine, unsigned id,
                                     const struct clopt_build **build, struct clopt_error *error);

/* Finds out what a variant that has been made cost to build, without building it. NULL where it was
 * not both built and launched before. */
const struct clopt_build *clopt_engine_recall(struct clopt_engine *engine, unsigned id);

/* Writes the binary of a built variant, as the driver hands it out, to a file. */
enum clopt_status clopt_engine_save(struct clopt_engine *engine, unsigned id, const char *path,
                                    struct clopt_error *error);

/* Sets up the problem of a built variant, ahead of its launch: makes its inputs, and buffers. */
enum clopt_status clopt_engine_set_up(struct clopt_engine *engine, unsigned id,
                                      struct clopt_error *error);

/* Runs a built variant once, untimed, and checks its result. `known` (or NULL) is the digest of a
 * result of this variant that was right: where the run computes the same, that is enough; where it
 * does not, the app checks it. `digest` (NULL: not wanted, and nothing is known) gets the run's, of
 * CLOPT_HASH_SIZE. `deferred_ns` gets the compilation that the driver put off until the first
 * launch, as measured when that was compiled. */
enum clopt_status clopt_engine_verify(struct clopt_engine *engine, unsigned id, const char *known,
                                      char *digest, struct clopt_verdict *verdict,
                                      int64_t *deferred_ns, struct clopt_error *error);

/* Takes samples of a verified variant until there are `count`, or `max_ns` have passed, but at
 * least one. The caller frees block->times_ns. */
enum clopt_status clopt_engine_sample(struct clopt_engine *engine, unsigned id, size_t count,
                                      int64_t max_ns, struct clopt_sample_block *block,
                                      struct clopt_error *error);

/* Lets the app print the result of the last run of a variant as lines `name: value`; apps without
 * such a result print nothing. */
enum clopt_status clopt_engine_summarize(struct clopt_engine *engine, unsigned id, FILE *stream,
                                         struct clopt_error *error);

/* Lets the app, which must have this operation, write the result of the last run of a variant. */
enum clopt_status clopt_engine_write(struct clopt_engine *engine, unsigned id, unsigned result,
                                     FILE *stream, struct clopt_error *error);

/* Says what a kernel of a built variant's app does in a run. */
enum clopt_status clopt_engine_describe(struct clopt_engine *engine, unsigned id,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_kernel_work *work, struct clopt_error *error);

/* Return the path of the kernels of the problem at hand, and the kernel table of its app. */
const char *clopt_engine_source_path(const struct clopt_engine *engine);
const struct clopt_kernel *clopt_engine_kernels(const struct clopt_engine *engine);

/* Drops a variant. */
void clopt_engine_drop(struct clopt_engine *engine, unsigned id);

/* Returns the seconds that stages have taken so far. */
const double *clopt_engine_stage_seconds(const struct clopt_engine *engine);

const struct clopt_device_info *clopt_engine_device(const struct clopt_engine *engine);

#endif
