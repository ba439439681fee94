/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem that an engine has at hand. */
#include "worker/workspace.h"

#include <stdlib.h>

#include "base/text.h"

/* The buffers of variants that ask for the same ones: others need other sizes, because of knobs or
 * of the study's parameters. */
struct clopt_buffer_set {
    struct clopt_buffers buffers;
    struct clopt_buffer_set *next; /* the most recently used one comes first */
};

static void set_destroy(struct clopt_buffer_set *set)
{
    clopt_buffers_fini(&set->buffers);
    free(set);
}

void clopt_workspace_leave(struct clopt_workspace *workspace)
{
    while (workspace->sets) {
        struct clopt_buffer_set *set = workspace->sets;
        workspace->sets = set->next;
        set_destroy(set);
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
    *workspace = (struct clopt_workspace){0};
}

bool clopt_workspace_holds(const struct clopt_workspace *workspace, const struct clopt_trial *trial)
{
    return workspace->app == trial->app && workspace->seed == trial->seed &&
           clopt_values_equal(workspace->inputs, trial->inputs);
}

struct clopt_problem clopt_workspace_problem(const struct clopt_workspace *workspace,
                                             const struct clopt_values *knobs)
{
    return (struct clopt_problem){.app = workspace->app->plugin->name,
                                  .app_hash = workspace->app->hash,
                                  .inputs = workspace->inputs,
                                  .knobs = knobs,
                                  .seed = workspace->seed,
                                  .definition = clopt_entry_app(workspace->app)->definition};
}

enum clopt_status clopt_workspace_enter(struct clopt_workspace *workspace,
                                        const struct clopt_trial *trial, const char *kernel_path,
                                        struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(trial->app);
    enum clopt_status status = clopt_app_source_read(app, kernel_path, &workspace->source, error);
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
    struct clopt_problem problem = clopt_workspace_problem(workspace, NULL);
    enum clopt_status status =
        clopt_entry_app(workspace->app)->setup(&problem, &workspace->state, error);
    workspace->is_set_up = !status;
    return status;
}

/* Makes the app ask for the buffers of a session. */
static enum clopt_status prepare(struct clopt_workspace *workspace, struct clopt_session *session,
                                 struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(workspace->app);
    session->wanted = calloc(1, sizeof *session->wanted);
    if (!session->wanted)
        return clopt_fail_memory(error);
    session->buffers = session->wanted;
    session->error = (struct clopt_error){0};
    enum clopt_status status = app->prepare(workspace->state, &session->problem, session);
    if (status) {
        if (!session->error.message[0])
            clopt_fail(&session->error, status, "prepare failed without saying why");
        *error = session->error;
        error->status = status;
        free(session->wanted);
        session->wanted = NULL;
    }
    session->buffers = NULL;
    return status;
}

/* Drops the buffers used least recently while they take more than a quarter of the device. */
static void make_room(struct clopt_workspace *workspace, const struct clopt_session *session)
{
    size_t most = (size_t)(session->context->info.global_memory_bytes / 4);
    size_t total = 0;
    for (struct clopt_buffer_set **link = &workspace->sets; *link;) {
        struct clopt_buffer_set *set = *link;
        total += set->buffers.bytes;
        if (total > most) {
            *link = set->next;
            total -= set->buffers.bytes;
            set_destroy(set);
        } else {
            link = &set->next;
        }
    }
}

struct clopt_buffers *clopt_workspace_find_buffers(struct clopt_workspace *workspace,
                                                   const struct clopt_session *session)
{
    struct clopt_buffer_set **link = session->wanted ? &workspace->sets : NULL;
    for (; link && *link; link = &(*link)->next) {
        struct clopt_buffer_set *set = *link;
        if (!clopt_buffers_are_alike(&set->buffers, session->wanted))
            continue;
        *link = set->next;
        set->next = workspace->sets;
        workspace->sets = set;
        return &set->buffers;
    }
    return NULL;
}

/* Creates the buffers that a session wants. */
static enum clopt_status create_buffers(struct clopt_workspace *workspace,
                                        const struct clopt_session *session,
                                        struct clopt_buffers **buffers, struct clopt_error *error)
{
    make_room(workspace, session);
    struct clopt_buffer_set *set = calloc(1, sizeof *set);
    if (!set)
        return clopt_fail_memory(error);
    set->buffers = *session->wanted;
    set->buffers.context = session->context;
    enum clopt_status status = clopt_buffers_create(&set->buffers, error);
    if (status) {
        set_destroy(set);
        return status;
    }
    set->next = workspace->sets;
    workspace->sets = set;
    *buffers = &set->buffers;
    return CLOPT_OK;
}

enum clopt_status clopt_workspace_make_buffers(struct clopt_workspace *workspace,
                                               struct clopt_session *session,
                                               struct clopt_buffers **buffers,
                                               struct clopt_error *error)
{
    enum clopt_status status = clopt_workspace_set_up(workspace, error);
    if (!status && !session->wanted)
        status = prepare(workspace, session, error);
    if (status)
        return status;
    *buffers = clopt_workspace_find_buffers(workspace, session);
    return *buffers ? CLOPT_OK : create_buffers(workspace, session, buffers, error);
}
