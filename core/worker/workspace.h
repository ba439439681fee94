/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem that an engine has at hand: the app's state, its kernels' source, and its buffers. */
#ifndef CLOPT_WORKER_WORKSPACE_H
#define CLOPT_WORKER_WORKSPACE_H

#include "worker/session.h"

struct clopt_buffer_set;

/* All zero: no problem is at hand. */
struct clopt_workspace {
    const struct clopt_plugin_entry *app;
    struct clopt_values *inputs;
    uint64_t seed;
    bool is_set_up;
    void *state; /* the app's, once it is */
    struct clopt_app_source source;
    bool learned;                  /* or tried to: reference.h */
    struct clopt_error ignorance;  /* why it could not be learned what is right */
    struct clopt_buffer_set *sets; /* the one used last first */
};

/* Whether a trial's problem is the one at hand. */
bool clopt_workspace_holds(const struct clopt_workspace *workspace,
                           const struct clopt_trial *trial);

/* Takes a trial's problem up: reads the kernels. That is enough for rewriting and building. The
 * workspace must be empty. */
enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial, const char *kernel_path,
                                        struct clopt_error *error);

/* Lets the app make its inputs, where it has not yet. */
enum clopt_status clopt_workspace_set_up(struct clopt_workspace *workspace,
                                         struct clopt_error *error);

/* Forgets the problem and all that belongs to it. */
void clopt_workspace_leave(struct clopt_workspace *workspace);

/* The problem as an app sees it; `knobs` may be NULL. It borrows from both. */
struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace,
                                             const struct clopt_values *knobs);

/* Finds the buffers that a session needs; NULL where there are none yet, or where the app has not
 * been asked which. */
struct clopt_buffers *clopt_workspace_find_buffers(struct clopt_workspace *workspace,
                                                   const struct clopt_session *session);

/* Lets the app make its inputs, asks it for the buffers, and finds or makes them. */
enum clopt_status clopt_workspace_make_buffers(struct clopt_workspace *workspace,
                                               struct clopt_session *session,
                                               struct clopt_buffers **buffers,
                                               struct clopt_error *error);

#endif
