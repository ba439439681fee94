/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant of one kernel, for one problem: what a worker is asked to make, run and measure. */
#pragma once

#include "number/number.h"
#include "number/values.h"
#include "plugin/registry.h"

/* One optimization with its values. */
struct clopt_step {
    const struct clopt_plugin_entry *optimization;
    struct clopt_values *values;
    const struct clopt_kernel *kernel; /* that it changes; NULL: the trial's */
};

#define CLOPT_MAX_STEPS  16                    /* of a kernel, */
#define CLOPT_MOST_STEPS (4 * CLOPT_MAX_STEPS) /* and of all kernels that are changed together */

struct clopt_trial {
    const struct clopt_plugin_entry *app;
    struct clopt_values *inputs;
    uint64_t seed;
    enum clopt_objective objective; /* what its samples are of */
    uint64_t source_limit; /* bytes that the source may grow to; 0: as many as by default */
    /* Macros of the program that the study tunes, and their initial values; NULL: there are none */
    struct clopt_values *parameters;
    struct clopt_values *initial_parameters;
    const struct clopt_kernel *kernel; /* that the steps change, or the first of several ones */
    struct clopt_step steps[CLOPT_MOST_STEPS]; /* those of one kernel follow each other */
    size_t step_count;                         /* 0: the initial code */
    json_t *rival; /* a native program that solves the problem instead (rival.h); NULL: none */
};

void clopt_trial_fini(struct clopt_trial *trial);

void clopt_trial_copy(const struct clopt_trial *trial, struct clopt_trial *copy);

/* Takes all steps or the rival away, and gives parameters their initial value: the initial code is
 * left. */
void clopt_trial_clear(struct clopt_trial *trial);

/* Tells whether a trial is that of the initial code. */
bool clopt_trial_is_initial(const struct clopt_trial *trial);

/* Returns the app's alternative that a trial begins with; NULL: the app itself. */
const struct clopt_alternative *clopt_trial_alternative(const struct clopt_trial *trial);

/* Makes a step's values: all at the value that changes nothing, knobs unset. */
struct clopt_values *clopt_step_values_create(const struct clopt_plugin_entry *optimization);

/* Finds a kernel of an app; NULL: it has none of that name. */
const struct clopt_kernel *clopt_kernel_find(const struct clopt_plugin_entry *app,
                                             const char *name);

/* Whether a trial changes several kernels, by steps of their own. */
static inline bool clopt_trial_is_combined(const struct clopt_trial *trial)
{
    return trial->step_count && trial->steps[0].kernel;
}

/* One of the kernels that a trial changes, and its steps, from `first` to `end` (excluded). */
struct clopt_trial_part {
    const struct clopt_kernel *kernel;
    size_t first;
    size_t end;
    bool begun;
};

/* Goes on to the next part, at first of an empty one; false: that was the last. The initial code
 * has one part, without steps. */
bool clopt_trial_next_part(const struct clopt_trial *trial, struct clopt_trial_part *part);

/* Finds the knob by which an app carries out a parameter; NULL where it has none. */
const struct clopt_knob *clopt_knob_find(const struct clopt_plugin_entry *app,
                                         const struct clopt_plugin_entry *optimization,
                                         const char *parameter);

/* Tells whether a knob changes a kernel. */
bool clopt_knob_touches(const struct clopt_knob *knob, const char *kernel);

/* Tells whether a value (canonical; NULL: unset) of an optimization's parameter number `parameter`
 * leaves the initial code of an app as it is. */
bool clopt_value_changes_nothing(const struct clopt_plugin_entry *app,
                                 const struct clopt_plugin_entry *optimization, size_t parameter,
                                 const char *text);

/* Tells whether a step changes the kernel by itself, and not by knobs alone. */
bool clopt_step_rewrites(const struct clopt_step *step);

/* Tells whether a trial rewrites a kernel (NULL: any) by its steps. */
bool clopt_trial_rewrites(const struct clopt_trial *trial, const struct clopt_kernel *kernel);

/* Tells whether a trial is one of a kernel: of its own, and where knobs and parameters alone change
 * the program, of all others that these touch: they are one trial. One of several kernels is that
 * of the whole run. */
bool clopt_trial_is_of(const struct clopt_trial *trial, const struct clopt_kernel *kernel);

#define CLOPT_INITIAL_CODE "initial code" /* the name of its variant */

/* Writes the variant's stable name, "WG=64,TILE=8+geometry(block_size=32)+loops(unroll=4)", with
 * the parameters first, where values that change nothing are left out; "initial code" where nothing
 * is left. Several kernels have "STEPS in KERNEL, STEPS in KERNEL". For the caller to free. */
char *clopt_trial_name(const struct clopt_trial *trial);

/* Writes one step of it, "loops(unroll=4)", or "" where it changes nothing, for the caller. */
char *clopt_step_name(const struct clopt_trial *trial, const struct clopt_step *step);

/* Puts the name of a step in front of a message, where a variant has several; returns `status`. */
enum clopt_status clopt_step_fail(const struct clopt_trial *trial, const struct clopt_step *step,
                                  enum clopt_status status, struct clopt_error *error);

/* Collects the knobs that the steps set, for the app; the others have their initial value.
 * CLOPT_INFEASIBLE where the app has no such knob or the value is not legal for it. */
enum clopt_status clopt_trial_knobs(const struct clopt_trial *trial, struct clopt_values **knobs,
                                    struct clopt_error *error);

/* Makes the problem of an app with its initial code. It borrows what it is made of. */
struct clopt_problem clopt_problem_of(const struct clopt_plugin_entry *entry,
                                      const struct clopt_values *inputs, uint64_t seed);

/* Asks the app what it does with a kernel, before setup. CLOPT_INVALID: its inputs contradict. */
enum clopt_status clopt_trial_describe(const struct clopt_trial *trial,
                                       const struct clopt_values *knobs,
                                       const struct clopt_kernel *kernel,
                                       struct clopt_kernel_work *work, struct clopt_error *error);

/* Asks an optimization whether a step can be, before anything is rewritten. CLOPT_INFEASIBLE also
 * where its values mean nothing beside each other. */
struct clopt_transform;
enum clopt_status clopt_step_check(const struct clopt_transform *transform,
                                   const struct clopt_step *step, struct clopt_error *error);

/* Lets it change the kernel, where the step does more than setting knobs. */
enum clopt_status clopt_step_apply(struct clopt_transform *transform, const struct clopt_step *step,
                                   struct clopt_error *error);

/* The inputs of an app as a label for people, "size=512": those that are set and differ from the
 * initial value, or, where none does, those in front of the first file. For the caller to free. */
char *clopt_inputs_label(const struct clopt_plugin_entry *app, const struct clopt_values *inputs);

/* Tells how large a problem is: the product of its integers, or rather the logarithm of that. */
double clopt_inputs_size(const struct clopt_values *inputs);

/* Halves the inputs that look like sizes; `odd`: to an odd number. False: there are none. */
bool clopt_inputs_halve(struct clopt_values *inputs, const struct clopt_parameter *parameters,
                        bool odd);

/* Turn a trial into a message for a worker, and back; the caller ends it where that fails, too. */
json_t *clopt_trial_to_json(const struct clopt_trial *trial);
enum clopt_status clopt_trial_from_json(const json_t *json, const struct clopt_registry *registry,
                                        struct clopt_trial *trial, struct clopt_error *error);
