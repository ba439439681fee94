/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem at hand on an opened device. */
#include "worker/workspace.h"

#include "process/clock.h"
#include "worker/session.h"

enum clopt_status clopt_workspace_open(struct clopt_workspace *workspace,
                                       const struct clopt_device_info *device, size_t ordinal,
                                       const char *builds)
{
    clopt_workspace_begin(workspace, CLOPT_STAGE_OPEN);
    CLOPT_TRY(clopt_context_open(&workspace->context, device, ordinal, workspace->error));
    workspace->context.builds = builds ? clopt_strdup(builds) : NULL;
    return CLOPT_OK;
}

enum clopt_status clopt_workspace_open_energy(struct clopt_workspace *workspace)
{
    return workspace->energy
               ? CLOPT_OK
               : clopt_counting_open(workspace->registry, &workspace->context, CLOPT_COUNTS_ENERGY,
                                     1, &workspace->energy, workspace->error);
}

void clopt_workspace_begin(struct clopt_workspace *workspace, enum clopt_stage stage)
{
    int64_t now = clopt_now_ns();
    if (workspace->stages.began_ns && workspace->stages.now == stage)
        return;
    if (workspace->stages.began_ns)
        workspace->stages.seconds[workspace->stages.now] +=
            (double)(now - workspace->stages.began_ns) * 1e-9;
    workspace->stages.now = stage;
    workspace->stages.began_ns = stage == CLOPT_STAGES ? 0 : now;
    if (stage != CLOPT_STAGES && workspace->stages.begins)
        workspace->stages.begins(workspace->stages.user, stage);
}

/* ---- the problem ---- */

static void tear_down(struct clopt_workspace *workspace)
{
    void (*teardown)(void *) = workspace->app->extension->app->teardown;
    if (teardown)
        teardown(workspace->state);
    else
        free(workspace->state);
    workspace->state = NULL;
}

/* Drops the problem and all that belongs to it. */
static void leave(struct clopt_workspace *workspace)
{
    while (workspace->sessions)
        clopt_session_drop(workspace, workspace->sessions->id);
    while (workspace->buffers) {
        struct clopt_buffers *buffers = workspace->buffers;
        workspace->buffers = buffers->next;
        clopt_buffers_destroy(buffers);
    }
    if (workspace->is_set_up)
        tear_down(workspace);
    clopt_values_destroy(workspace->inputs);
    clopt_app_source_fini(&workspace->source);
    workspace->app = NULL;
    workspace->inputs = NULL;
    workspace->is_set_up = workspace->learning.tried = false;
    workspace->learning.error.status = CLOPT_OK;
    workspace->proven_ns = 0;
}

void clopt_workspace_close(struct clopt_workspace *workspace)
{
    leave(workspace);
    clopt_counting_close(workspace->energy);
    clopt_context_close(&workspace->context);
}

struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace)
{
    struct clopt_problem problem =
        clopt_problem_of(workspace->app, workspace->inputs, workspace->seed);
    problem.memory_bytes = workspace->memory_bytes;
    return problem;
}

enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial)
{
    if (workspace->app == trial->app && workspace->seed == trial->seed &&
        clopt_values_equal(workspace->inputs, trial->inputs))
        return CLOPT_OK;
    leave(workspace);
    CLOPT_TRY(clopt_app_source_read(trial->app->extension->app, workspace->kernel_path,
                                    &workspace->source, workspace->error));
    workspace->inputs = clopt_values_copy(trial->inputs);
    workspace->app = trial->app;
    workspace->seed = trial->seed;
    return CLOPT_OK;
}

enum clopt_status clopt_workspace_set_up(struct clopt_workspace *workspace)
{
    if (workspace->is_set_up)
        return CLOPT_OK;
    struct clopt_problem problem = clopt_workspace_problem(workspace);
    clopt_workspace_begin(workspace, CLOPT_STAGE_SETUP);
    enum clopt_status status =
        workspace->app->extension->app->setup(&problem, &workspace->state, workspace->error);
    workspace->is_set_up = !status;
    if (status && workspace->state)
        tear_down(workspace);
    return status;
}

/* ---- its buffers ---- */

/* Takes the buffers at a link out of the list. */
static struct clopt_buffers *unlink_buffers(struct clopt_buffers **link)
{
    struct clopt_buffers *buffers = *link;
    *link = buffers->next;
    return buffers;
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

enum clopt_status clopt_workspace_get_buffers(struct clopt_workspace *workspace,
                                              const struct clopt_buffers *wanted,
                                              struct clopt_buffers **buffers)
{
    struct clopt_buffers **link = &workspace->buffers;
    while (*link && !clopt_buffers_are_alike(*link, wanted))
        link = &(*link)->next;
    if (*link) {
        *buffers = unlink_buffers(link);
    } else {
        make_room(workspace);
        clopt_workspace_begin(workspace, CLOPT_STAGE_SETUP);
        CLOPT_TRY(clopt_buffers_create(&workspace->context, wanted, buffers, workspace->error));
    }
    (*buffers)->next = workspace->buffers;
    workspace->buffers = *buffers;
    return CLOPT_OK;
}
