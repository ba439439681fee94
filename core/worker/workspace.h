/* SPDX-License-Identifier: BSD-3-Clause */
/* An opened device, and the problem at hand there: the app's state, its kernels' source, its
 * buffers and the variants that have been made of it. */
#pragma once

#include "protocol/stage.h"
#include "trial/variant.h"
#include "worker/buffers.h"
#include "worker/counting.h"

struct clopt_session;

struct clopt_workspace {
    struct clopt_error *error; /* the caller's: says why a call has failed */
    struct clopt_context context;
    const struct clopt_registry *registry; /* whose counters count; not owned */
    struct clopt_counting *energy;         /* NULL: not opened */
    struct {
        enum clopt_stage now; /* since then, unless that is 0 */
        int64_t began_ns;
        double seconds[CLOPT_STAGES];                       /* that they have taken */
        void (*begins)(void *user, enum clopt_stage stage); /* called for each; may be NULL */
        void *user;
    } stages;
    const char *plugin_path; /* for workers of its own; these two are not owned */
    const char *kernel_path;
    double once_ns;        /* what takes longer is run once where others are run twice; or 0 */
    bool seeks_quiet;      /* for samples: clopt_samples_take() */
    double disturbed;      /* the share of samples of late that were */
    double proven_ns;      /* the shortest of variants that were right after samples; 0: none */
    uint64_t memory_bytes; /* that the process may take; 0: not known */
    const struct clopt_plugin_entry *app; /* NULL: no problem is at hand */
    struct clopt_values *inputs;
    uint64_t seed;
    bool is_set_up;
    void *state; /* the app's, once it is */
    struct clopt_app_source source;
    struct {
        bool tried;
        struct clopt_error error;   /* why it could not be done */
    } learning;                     /* what is right: verification.c */
    struct clopt_buffers *buffers;  /* of variants that ask for others; the last used come first */
    struct clopt_session *sessions; /* the variants */
};

/* Opens the device, once. Programs are cached in the folder `builds` (NULL: nowhere). */
enum clopt_status clopt_workspace_open(struct clopt_workspace *workspace,
                                       const struct clopt_device_info *device, size_t ordinal,
                                       const char *builds);
void clopt_workspace_close(struct clopt_workspace *workspace);

/* Opens a counter of the device's energy, unless it is open. */
enum clopt_status clopt_workspace_open_energy(struct clopt_workspace *workspace);

/* Begins a stage, unless it has begun, and ends the one before; CLOPT_STAGES: none begins. */
void clopt_workspace_begin(struct clopt_workspace *workspace, enum clopt_stage stage);

/* Takes a trial's problem up, unless it is at hand: drops the one before with all its variants, and
 * reads the kernels. That is enough for rewriting and building. */
enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial);

/* Lets the app make its inputs, where it has not yet. */
enum clopt_status clopt_workspace_set_up(struct clopt_workspace *workspace);

/* The problem as an app sees it, without a variant. It borrows from the workspace. */
struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace);

/* Finds buffers like those wanted, or creates them. */
enum clopt_status clopt_workspace_get_buffers(struct clopt_workspace *workspace,
                                              const struct clopt_buffers *wanted,
                                              struct clopt_buffers **buffers);
