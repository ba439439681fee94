/* SPDX-License-Identifier: BSD-3-Clause */
/* An opened device, and the problem at hand there: the app's state, its kernels' source, its
 * buffers and the variants that have been made of it. */
#ifndef CLOPT_WORKER_WORKSPACE_H
#define CLOPT_WORKER_WORKSPACE_H

#include "opencl/energy.h"
#include "trial/variant.h"
#include "worker/buffers.h"
#include "worker/stage_clock.h"

struct clopt_session;

struct clopt_workspace {
    struct clopt_context context;
    struct clopt_energy *energy; /* NULL: not opened */
    struct clopt_stage_clock clock;
    const char *kernel_path;              /* not owned */
    const struct clopt_plugin_entry *app; /* NULL: no problem is at hand */
    struct clopt_values *inputs;
    uint64_t seed;
    bool is_set_up;
    void *state; /* the app's, once it is */
    struct clopt_app_source source;
    bool learned;                   /* or tried to: reference.h */
    struct clopt_error learn_error; /* why it could not be learned what is right */
    struct clopt_buffers *buffers;  /* of variants that ask for others; the last used come first */
    struct clopt_session *sessions; /* the variants */
};

/* Opens the device, once. Programs are cached in the folder `builds` (NULL: nowhere). */
enum clopt_status clopt_workspace_open(struct clopt_workspace *workspace,
                                       const struct clopt_device_info *device, size_t ordinal,
                                       const char *builds, struct clopt_error *error);
/* Opens the device's energy counter, unless it is open. */
enum clopt_status clopt_workspace_open_energy(struct clopt_workspace *workspace,
                                              struct clopt_error *error);
void clopt_workspace_close(struct clopt_workspace *workspace);

/* Whether a trial's problem is the one at hand. */
bool clopt_workspace_holds(const struct clopt_workspace *workspace,
                           const struct clopt_trial *trial);

/* Takes a trial's problem up: reads the kernels. That is enough for rewriting and building. No
 * problem must be at hand. */
enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial, struct clopt_error *error);

/* Lets the app make its inputs, where it has not yet. */
enum clopt_status clopt_workspace_set_up(struct clopt_workspace *workspace,
                                         struct clopt_error *error);

/* Drops the problem and all that belongs to it. */
void clopt_workspace_leave(struct clopt_workspace *workspace);

/* The problem as an app sees it, without a variant. It borrows from the workspace. */
struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace);

/* Finds buffers like those wanted; NULL where there are none. */
struct clopt_buffers *clopt_workspace_find_buffers(struct clopt_workspace *workspace,
                                                   const struct clopt_buffers *wanted);

/* Creates them. */
enum clopt_status clopt_workspace_create_buffers(struct clopt_workspace *workspace,
                                                 const struct clopt_buffers *wanted,
                                                 struct clopt_buffers **buffers,
                                                 struct clopt_error *error);

#endif
