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

/* Lists all devices, ahead of one that is opened. The caller frees the list. */
enum clopt_status clopt_engine_list(struct clopt_engine *engine, struct clopt_device_info **devices,
                                    size_t *count, struct clopt_error *error);

/* Opens the device; once an engine. Programs are cached in the folder `builds` (NULL: nowhere). */
enum clopt_status clopt_engine_open(struct clopt_engine *engine,
                                    const struct clopt_device_info *device, size_t ordinal,
                                    const char *builds, struct clopt_error *error);

/* Measures what the opened device can do at most: see worker/peak.h. */
enum clopt_status clopt_engine_measure_peaks(struct clopt_engine *engine, struct clopt_peaks *peaks,
                                             struct clopt_error *error);

/* Makes a variant under the number `id`, instead of the one that has it: takes up its problem,
 * where that is not at hand yet, and rewrites the source as clopt_session_create() does. One
 * problem at a time: a trial of another one drops all variants of the one before. */
enum clopt_status clopt_engine_make(struct clopt_engine *engine, unsigned id,
                                    struct clopt_trial *trial, struct clopt_variant *made,
                                    struct clopt_session **session, struct clopt_error *error);

/* Finds a variant that has been made; NULL with an error where there is none. */
struct clopt_session *clopt_engine_find(struct clopt_engine *engine, unsigned id,
                                        struct clopt_error *error);
void clopt_engine_drop(struct clopt_engine *engine, unsigned id);

/* Builds a variant, or loads it where it was built before. session->build tells the time and the
 * log, after a failure, too. */
enum clopt_status clopt_engine_build(struct clopt_engine *engine, struct clopt_session *session,
                                     struct clopt_error *error);

/* Writes the binary of a built variant, as the driver hands it out, to a file. */
enum clopt_status clopt_engine_save(struct clopt_engine *engine,
                                    const struct clopt_session *session, const char *path,
                                    struct clopt_error *error);

/* Sets up the problem of a built variant, ahead of its launch: makes its inputs, and buffers. */
enum clopt_status clopt_engine_set_up(struct clopt_engine *engine, struct clopt_session *session,
                                      struct clopt_error *error);

/* Runs a built variant once, untimed, and checks its result. `known` (or NULL) is the digest of a
 * result of this variant that was right: where the run computes the same, that is enough; where it
 * does not, the app checks it. `digest` (NULL: not wanted, and nothing is known) gets the run's, of
 * CLOPT_HASH_SIZE. */
enum clopt_status clopt_engine_verify(struct clopt_engine *engine, struct clopt_session *session,
                                      const char *known, char *digest,
                                      struct clopt_verdict *verdict, struct clopt_error *error);

/* Takes samples of a verified variant until there are `count`, or `max_ns` have passed, but at
 * least one. The caller frees block->times_ns. */
enum clopt_status clopt_engine_sample(struct clopt_engine *engine, struct clopt_session *session,
                                      size_t count, int64_t max_ns,
                                      struct clopt_sample_block *block, struct clopt_error *error);

/* Returns the seconds that stages have taken so far. */
const double *clopt_engine_stage_seconds(const struct clopt_engine *engine);

const struct clopt_device_info *clopt_engine_device(const struct clopt_engine *engine);

#endif
