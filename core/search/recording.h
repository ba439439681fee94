/* SPDX-License-Identifier: BSD-3-Clause */
/* A space of which every variant has been measured: searches are replayed in it. */
#pragma once

#include <jansson.h>

#include "search/search.h"

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
 * says what it lacks; the caller ends it then, too. */
enum clopt_status clopt_recording_init(struct clopt_recording *recording, const json_t *document,
                                       struct clopt_error *error);
void clopt_recording_fini(struct clopt_recording *recording);

/* ---- what the formats of recordings have in common ---- */

/* A variant as a document has it. */
struct clopt_recording_entry {
    const json_t *configuration; /* an object; it may have members besides the parameters */
    struct clopt_recorded result;
};

struct clopt_recording_entries {
    struct clopt_recording_entry *items;
    size_t count;
    json_t *keys;  /* names of the parameters */
    json_t *owned; /* configurations that are not the document's; NULL: none */
    char *name;
};

/* Reads the variants of a document, whichever format it has, which the caller ends in any case. */
enum clopt_status clopt_recording_read(const json_t *document,
                                       struct clopt_recording_entries *entries,
                                       struct clopt_error *error);
/* Reads those of a space that clopt has recorded. */
enum clopt_status clopt_recording_read_space(const json_t *document,
                                             struct clopt_recording_entries *entries,
                                             struct clopt_error *error);
void clopt_recording_entries_fini(struct clopt_recording_entries *entries);

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
