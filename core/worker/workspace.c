/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem at hand on an opened device. */
#include "worker/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "worker/session.h"

enum clopt_status clopt_workspace_open(struct clopt_workspace *workspace,
                                       const struct clopt_device_info *device, size_t ordinal,
                                       const char *builds, struct clopt_error *error)
{
    clopt_stage_begin(&workspace->clock, CLOPT_STAGE_OPEN);
    enum clopt_status status = clopt_context_open(&workspace->context, device, ordinal, error);
    if (!status && builds && !(workspace->context.builds = strdup(builds)))
        status = clopt_fail_memory(error);
    return clopt_stage_end(&workspace->clock, status);
}

void clopt_workspace_close(struct clopt_workspace *workspace)
{
    clopt_workspace_leave(workspace);
    clopt_energy_close(workspace->energy);
    clopt_context_close(&workspace->context);
}

enum clopt_status clopt_workspace_open_energy(struct clopt_workspace *workspace,
                                              struct clopt_error *error)
{
    return workspace->energy ? CLOPT_OK
                             : clopt_energy_open(&workspace->context, &workspace->energy, error);
}

void clopt_workspace_leave(struct clopt_workspace *workspace)
{
    while (workspace->sessions)
        clopt_session_drop(workspace, workspace->sessions->id);
    while (workspace->buffers) {
        struct clopt_buffers *buffers = workspace->buffers;
        workspace->buffers = buffers->next;
        clopt_buffers_destroy(buffers);
    }
    if (workspace->is_set_up) {
        void (*teardown)(void *) = clopt_entry_app(workspace->app)->teardown;
        if (teardown)
            teardown(workspace->state);
        else
            free(workspace->state);
    }
    clopt_values_destroy(workspace->inputs);
    clopt_app_source_fini(&workspace->source);
    *workspace = (struct clopt_workspace){.context = workspace->context,
                                          .energy = workspace->energy,
                                          .clock = workspace->clock,
                                          .kernel_path = workspace->kernel_path};
}

bool clopt_workspace_holds(const struct clopt_workspace *workspace, const struct clopt_trial *trial)
{
    return workspace->app == trial->app && workspace->seed == trial->seed &&
           clopt_values_equal(workspace->inputs, trial->inputs);
}

struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace)
{
    const struct clopt_app *app = clopt_entry_app(workspace->app);
    return (struct clopt_problem){.app = workspace->app->plugin->name,
                                  .app_hash = workspace->app->hash,
                                  .inputs = workspace->inputs,
                                  .seed = workspace->seed,
                                  .definition = app->defined ? app->defined->definition : NULL};
}

enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(trial->app);
    enum clopt_status status =
        clopt_app_source_read(app, workspace->kernel_path, &workspace->source, error);
    if (status)
        return status;
    workspace->app = trial->app;
    workspace->seed = trial->seed;
    workspace->inputs = clopt_values_copy(trial->inputs);
    if (workspace->inputs)
        return CLOPT_OK;
    clopt_workspace_leave(workspace);
    return clopt_fail_memory(error);
}

enum clopt_status clopt_workspace_set_up(struct clopt_workspace *workspace,
                                         struct clopt_error *error)
{
    if (workspace->is_set_up)
        return CLOPT_OK;
    struct clopt_problem problem = clopt_workspace_problem(workspace);
    enum clopt_status status =
        clopt_entry_app(workspace->app)->setup(&problem, &workspace->state, error);
    workspace->is_set_up = !status;
    return status;
}

/* Takes the buffers at a link out of the list. */
static struct clopt_buffers *unlink_buffers(struct clopt_buffers **link)
{
    struct clopt_buffers *buffers = *link;
    *link = buffers->next;
    return buffers;
}

static struct clopt_buffers *put_first(struct clopt_workspace *workspace,
                                       struct clopt_buffers *buffers)
{
    buffers->next = workspace->buffers;
    workspace->buffers = buffers;
    return buffers;
}

struct clopt_buffers *clopt_workspace_find_buffers(struct clopt_workspace *workspace,
                                                   const struct clopt_buffers *wanted)
{
    for (struct clopt_buffers **link = &workspace->buffers; *link; link = &(*link)->next)
        if (clopt_buffers_are_alike(*link, wanted))
            return put_first(workspace, unlink_buffers(link));
    return NULL;
}

/* Drops the buffers used least recently while they take more than a quarter of the device. */
static void make_room(struct clopt_workspace *workspace)
{
    uint64_t most = workspace->context.info.global_memory_bytes / 4, total = 0;
    for (struct clopt_buffers **link = &workspace->buffers; *link;) {
        uint64_t bytes = (*link)->bytes;
        if (total + bytes > most) {
            clopt_buffers_destroy(unlink_buffers(link));
        } else {
            total += bytes;
            link = &(*link)->next;
        }
    }
}

enum clopt_status clopt_workspace_create_buffers(struct clopt_workspace *workspace,
                                                 const struct clopt_buffers *wanted,
                                                 struct clopt_buffers **buffers,
                                                 struct clopt_error *error)
{
    make_room(workspace);
    enum clopt_status status = clopt_buffers_create(&workspace->context, wanted, buffers, error);
    if (!status)
        put_first(workspace, *buffers);
    return status;
}
