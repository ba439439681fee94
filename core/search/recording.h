/* SPDX-License-Identifier: BSD-3-Clause */
/* A space of which every variant has been measured: searches are replayed in it. */
#ifndef CLOPT_SEARCH_RECORDING_H
#define CLOPT_SEARCH_RECORDING_H

#include <jansson.h>

#include <clopt/error.h>

#include "search/points.h"
#include "search/space.h"

/* What became of a variant. */
struct clopt_recorded {
    double time_ms; /* NaN: it failed */
    double cost_s;  /* of compiling, verifying and measuring it, as far as it is recorded */
};

struct clopt_recording {
    char *name;   /* "convolution_kernel on NVIDIA A100"; empty: unknown */
    char **names; /* of the parameters */
    struct clopt_domain *domains;
    struct clopt_points points; /* the variants */
    struct clopt_recorded *results;
    size_t failed;    /* how many did */
    int64_t left_out; /* feasible variants that it lacks, where it is a part of a space */
    double best_ms;
    double cost_s; /* the mean */
};

/* Reads a file that may be a recording; `document` is NULL where it is a store. */
enum clopt_status clopt_recording_read_file(const char *path, json_t **document,
                                            struct clopt_error *error);

/* Reads a recorded space of clopt, a cache file of Kernel Tuner, or a T4 document. CLOPT_INVALID
 * says what it lacks. */
enum clopt_status clopt_recording_init(struct clopt_recording *recording, const json_t *document,
                                       struct clopt_error *error);
void clopt_recording_fini(struct clopt_recording *recording);

/* Returns the space to search, which belongs to the recording. */
struct clopt_search_space clopt_recording_space(const struct clopt_recording *recording);

/* Returns the result of a point; NULL: it is not feasible. */
const struct clopt_recorded *clopt_recording_find(const struct clopt_recording *recording,
                                                  const size_t *point);

#endif
