/* SPDX-License-Identifier: BSD-3-Clause */
/* Every trial of a study, by number: a space of millions costs no memory. */
#pragma once

#include "space/permutation.h"
#include "space/study.h"

/* A group is one app with one problem on one device: trials of a group compete with each other. */
struct clopt_space_group {
    size_t app; /* indices in the study */
    size_t problem;
    size_t device;
};

size_t clopt_space_group_count(const struct clopt_study *study);
struct clopt_space_group clopt_space_group(const struct clopt_study *study, size_t group);

struct clopt_composition;

/* A kernel in a group: whose variants there are. */
struct clopt_subspace {
    const struct clopt_study *study;
    const struct clopt_study_app *app;
    const struct clopt_kernel *kernel;
    const struct clopt_composition *composition; /* its variants, as points */
    size_t group;
    struct clopt_space_group where;
    size_t number; /* of the kernel, among those of the app that are optimized */
};

struct clopt_subspace clopt_subspace(const struct clopt_study *study, size_t group, size_t kernel);

/* How many trials a group has: for each kernel the initial code, then its variants; where the study
 * asks for a sample, those that are chosen, and where it asks for a search, none. */
uint64_t clopt_space_count(const struct clopt_study *study, size_t group);

/* How many it has together with those that are not chosen. */
uint64_t clopt_space_count_all(const struct clopt_study *study, size_t group);

/* Returns the number of a kernel's initial code among them. */
uint64_t clopt_space_first(const struct clopt_study *study, size_t group, size_t kernel);

/* Makes trial number `index` of a group; trial 0 of each kernel is the initial code. The caller
 * ends it with clopt_trial_fini(). */
enum clopt_status clopt_space_trial(const struct clopt_study *study, size_t group, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error);

/* Counts all variants of a kernel, chosen or not, and makes one of them by its number. */
uint64_t clopt_space_variant_count(const struct clopt_subspace *space);
enum clopt_status clopt_space_variant(const struct clopt_subspace *space, uint64_t number,
                                      struct clopt_trial *trial, struct clopt_error *error);

/* ---- the order in which trials are tried ---- */

/* Shards deal the shuffled trials out like cards, and the next group where the last one ended: the
 * largest shard has one trial more than the smallest. */
struct clopt_space_order {
    struct clopt_permutation all;
    uint64_t first; /* position of the shard's first trial among all */
    uint64_t step;
    uint64_t count; /* of the shard's trials */
};

struct clopt_space_order clopt_space_order_make(const struct clopt_study *study, size_t group);

/* Returns the number, in its group, of the trial that is the `position`-th (below count). */
uint64_t clopt_space_order_at(const struct clopt_space_order *order, uint64_t position);

/* ---- the variants that [combine] sample chooses ---- */

/* Chooses the samples of all kernels in all groups, where the study asks for any: variants in an
 * order that the seed makes, the same for all problems and devices, without those that are
 * infeasible. `devices` has one entry for each device of the study. `notices` is told of a kernel
 * with fewer feasible variants than were asked for. Else the infeasible are chosen, too. */
enum clopt_status clopt_study_draw_samples(struct clopt_study *study,
                                           const struct clopt_device_info *devices, FILE *notices,
                                           struct clopt_error *error);

/* Counts the variants of a group that were drawn and left out. */
uint64_t clopt_study_count_infeasible(const struct clopt_study *study, size_t group);
