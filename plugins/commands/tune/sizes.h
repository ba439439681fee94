/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes over which `clopt tune --sizes` searches, and who wins there. */
#pragma once

#include "results/results.h"
#include "space/study.h"

/* A size of the study, and its values, the smallest first. */
struct clopt_size_axis {
    char *name;
    int64_t *values;
    bool *chosen; /* each value: it is tuned, */
    bool *fresh;  /* or comes next */
    size_t count;
};

struct clopt_size_axes {
    struct clopt_size_axis *items;
    size_t count;
};

/* Reads "n = pow2 128..4096; m = 64, 128". */
enum clopt_status clopt_size_axes_read(const char *text, struct clopt_size_axes *axes,
                                       struct clopt_error *error);
void clopt_size_axes_fini(struct clopt_size_axes *axes);

/* Refuses names that the study has no size for. */
enum clopt_status clopt_size_axes_check(const struct clopt_size_axes *axes,
                                        const struct clopt_study *study, struct clopt_error *error);

/* Returns the next section of the study that gives a size values, which `*at` remembers (NULL: from
 * the beginning), for the caller to free; NULL after the last. */
char *clopt_size_axis_section(const struct clopt_size_axis *axis, const struct clopt_study *study,
                              const char **at);

/* Chooses the ends, and the value in the middle between them. */
void clopt_size_axes_begin(struct clopt_size_axes *axes);

/* Chooses what a run has tuned already. */
void clopt_size_axes_take(struct clopt_size_axes *axes, const struct clopt_results *results);

/* Appends "128, 512, 4096": the values that are marked; all where `marked` is NULL. */
void clopt_size_axis_append(struct clopt_text *text, const struct clopt_size_axis *axis,
                            const bool *marked);

size_t clopt_size_axis_count(const struct clopt_size_axis *axis, const bool *marked);

/* Returns the number of the value that a problem has; SIZE_MAX: none of them. */
size_t clopt_size_axis_find(const struct clopt_size_axis *axis,
                            const struct clopt_results_problem *problem);

/* Returns the number of the value between two that is nearest to their geometric mean; `first`:
 * there is none. */
size_t clopt_size_axis_middle(const struct clopt_size_axis *axis, size_t first, size_t last);

/* Marks as fresh at most `most` values of one size, each between two that are chosen whose winners
 * differ: either loses more than `precision` where the other one wins. The size is the one where
 * most is lost; NULL: there is none. */
struct clopt_size_axis *clopt_size_axes_divide(struct clopt_size_axes *axes,
                                               const struct clopt_results *results,
                                               double precision, size_t most);

/* What won at some size. */
struct clopt_size_winners {
    struct clopt_start *items;
    size_t count;
};

/* Adds what won in a run, and who came near to it with other work-groups. */
void clopt_size_winners_add(struct clopt_size_winners *winners,
                            const struct clopt_results *results);
void clopt_size_winners_fini(struct clopt_size_winners *winners);

/* Returns how many there are of the kernel, and the type of device, that has most. */
size_t clopt_size_winners_most(const struct clopt_size_winners *winners);
