/* SPDX-License-Identifier: BSD-3-Clause */
/* A space of which every variant has been measured: searches are replayed in it. */
#pragma once

#include "search/reader.h"
#include "search/search.h"
#include "space/keys.h"

struct clopt_recording {
    char *name;   /* "convolution_kernel on NVIDIA A100"; empty: unknown */
    char **names; /* of the parameters */
    struct clopt_domain *domains;
    size_t width;             /* how many these are */
    struct clopt_keys points; /* the variants */
    struct clopt_recorded *results;
    size_t failed;    /* how many did */
    int64_t left_out; /* feasible variants that it lacks, where it is a part of a space */
    double best_ms;
    double cost_s; /* the mean */
};

/* Reads a file that may be a recording; `document` is NULL where it is a store. */
enum clopt_status clopt_recording_read_file(const char *path, json_t **document,
                                            struct clopt_error *error);

/* Reads a document of which some reader knows the format. CLOPT_INVALID says what it lacks; the
 * caller ends it then, too. */
enum clopt_status clopt_recording_init(struct clopt_recording *recording,
                                       const struct clopt_registry *registry,
                                       const json_t *document, struct clopt_error *error);
void clopt_recording_fini(struct clopt_recording *recording);

/* ---- searches in a recording ---- */

/* After a trial. */
struct clopt_replayed {
    double fraction; /* the recording's best time, divided by the best found; 0: none is right */
    double cost_s;   /* of all trials so far */
};

/* Runs a search until so many trials were made, or all; fills `trials`, which has room for
 * `budget`, and returns how many were made. */
size_t clopt_replay(const struct clopt_recording *recording, const struct clopt_strategy *strategy,
                    uint64_t seed, size_t budget, struct clopt_replayed *trials);
