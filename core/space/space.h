/* SPDX-License-Identifier: BSD-3-Clause */
/* Every trial of a study, by number: a space of millions costs no memory. */
#ifndef CLOPT_SPACE_SPACE_H
#define CLOPT_SPACE_SPACE_H

#include "space/study.h"
#include "trial/trial.h"

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

#endif
