/* SPDX-License-Identifier: BSD-3-Clause */
/* What pays on which class of devices, from many stores: what is found, and shown. */
#pragma once

#include "model/regression.h"
#include "shared/device_class.h"
#include "view/analysis.h"

/* Which optimization pays on which class of devices, on how many kernels, and when. */
extern clopt_analysis_writer clopt_report_guidelines;

/* Of the initial code's profile, in the order of clopt_guideline_features. */
#define CLOPT_GUIDELINE_FEATURES 10

struct clopt_guideline_feature {
    const char *name;  /* in profiles */
    const char *words; /* "its loops iterate" */
    const char *unit;  /* behind a number: " times" */
    enum { CLOPT_GUIDELINE_SHARE, CLOPT_GUIDELINE_COUNT, CLOPT_GUIDELINE_LOGARITHM } kind;
    double plus; /* of a logarithm: what was added to the number */
};

extern const struct clopt_guideline_feature clopt_guideline_features[CLOPT_GUIDELINE_FEATURES];

/* ---- a rule: one question that tells on which kernels something pays ---- */

struct clopt_guideline_rule {
    size_t feature;
    double threshold;
    bool above;         /* it pays above the threshold; else up to it */
    bool asked;         /* it pays on some kernels, and on others not */
    size_t hits, count; /* of the kernels, each left out once: how many were foretold */
    double base;        /* the share of the larger class, which needs no rule */
    double probability; /* that without a rule so many are foretold, by two tests */
    bool holds;         /* it is more than that */
};

/* Finds the question that tells kernels apart by targets of 0 and 1; false where there is none. */
bool clopt_guideline_rule_find(const struct clopt_observations *kernels,
                               struct clopt_guideline_rule *rule);

/* Chooses which rules hold, so that of all that do at most one in twenty is expected to be chance;
 * returns of how many it was asked: those of too few kernels take nothing from the others (Gilbert,
 * A modified false discovery rate multiple-comparisons procedure for discrete data, Applied
 * Statistics 54, 2005). */
size_t clopt_guideline_rules_choose(struct clopt_guideline_rule *rules, size_t count);

/* ---- what is found ---- */

struct clopt_guideline_kernel {
    const char *label;                         /* "lud lud_internal" */
    double features[CLOPT_GUIDELINE_FEATURES]; /* NaN: not known */
};

struct clopt_guideline_device {
    const struct clopt_results_device *about;
    const char *plain; /* "NVIDIA H200", "PoCL" */
    const char *label; /* the same, unlike those of others */
    size_t group;      /* the number of its class */
};

/* An optimization, one of its parameters, several together, or all macros of kernels. */
struct clopt_guideline_key {
    const char *optimization; /* "": macros; "loops+memory": together */
    const char *parameter;    /* NULL: all of the optimization */
    const char *label;        /* "geometry(granularity=...)" */
};

/* What a key gives for a kernel and problem on a device, where that is decided: the best variant
 * that has it, over the best one of those, and the initial code, that have not, and set nothing
 * else. */
struct clopt_guideline_gain {
    size_t kernel, device, key;
    enum clopt_objective objective;
    const char *store;
    const struct clopt_results_problem *problem;
    const struct clopt_results_row *row, *over;
    const char *value; /* of the parameter; NULL: the key has none */
    struct clopt_interval gain;
    bool pays; /* the gain is beyond its interval and the noise */
};

/* What a key comes to on the devices of a class, or on one of them. A kernel with several sizes or
 * devices has the mean of its gains, and it pays there where that is a gain and half of them or
 * more surely gain. */
struct clopt_guideline {
    size_t class;  /* of devices */
    size_t device; /* SIZE_MAX: all of the class */
    size_t key;
    enum clopt_objective objective;
    size_t tried, pays;           /* kernels */
    struct clopt_interval paying; /* geometric mean of those that it pays on; of fewer than three
                                   * their range instead of its interval */
    struct clopt_interval all;    /* and of all */
    const char *value;            /* the best one most often, where it pays; NULL: none */
    size_t value_count;           /* of so many kernels, sizes and devices */
    size_t value_total;           /* of these */
    bool found;                   /* a rule, of the kernels with profiles */
    struct clopt_guideline_rule rule;
};

/* A kernel with a problem, of a store. */
struct clopt_guideline_subject {
    const struct clopt_results *results;
    const struct clopt_results_table *table;
    const char *store;
    size_t kernel;
};

struct clopt_guidelines {
    struct clopt_document *document;
    struct clopt_arena arena; /* of labels */
    struct clopt_results **results;
    size_t result_count;
    struct clopt_guideline_subject *subjects;
    size_t subject_count;
    struct clopt_guideline_kernel *kernels;
    size_t kernel_count;
    struct clopt_guideline_device *devices;
    size_t device_count;
    struct clopt_guideline_key *keys;
    size_t key_count;
    struct clopt_guideline_gain *gains;
    size_t gain_count;
    struct clopt_guideline *items; /* by class, device, objective; what pays on most comes first */
    size_t count;
    size_t asked; /* of how many of them it was asked whether a rule holds */
};

/* Returns the number of a device, which is new or known from another store. */
size_t clopt_guidelines_device(struct clopt_guidelines *guidelines,
                               const struct clopt_results_device *device);

/* Keeps a text that is given up for as long as the guidelines. */
char *clopt_guidelines_keep(struct clopt_guidelines *guidelines, char *text);

/* Adds the gains of a kernel that no newer run of its store has. */
void clopt_guidelines_add(struct clopt_guidelines *guidelines,
                          const struct clopt_guideline_subject *subject);

/* Make the guidelines of all gains; show them, and which device is best for which kernel. */
void clopt_guidelines_find(struct clopt_guidelines *guidelines);
void clopt_guidelines_show(struct clopt_guidelines *guidelines);
void clopt_guidelines_show_devices(struct clopt_guidelines *guidelines);
