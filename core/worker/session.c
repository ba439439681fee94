/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant on one device. */
#include "worker/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/changed_lines.h"
#include "base/sha256.h"
#include "base/text.h"
#include "frontend/token.h"
#include "opencl/name.h"
#include "trial/rival.h"
#include "worker/digest.h"
#include "worker/layout.h"
#include "worker/rival.h"

/* Names the program and its launches, as far as drivers may compile for them. */
static void name_build(struct clopt_session *session, const struct clopt_app_source *source)
{
    const struct clopt_workspace *workspace = session->workspace;
    char launch[CLOPT_HASH_SIZE];
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, workspace->app->plugin->name);
    clopt_sha256_add_string(&hash, workspace->app->hash);
    for (size_t i = 0; i < workspace->inputs->count; i++) {
        clopt_sha256_add_string(&hash, workspace->inputs->items[i].name);
        clopt_sha256_add_string(&hash, workspace->inputs->items[i].text);
    }
    clopt_sha256_add_string(&hash, session->variant.fingerprint);
    clopt_sha256_end(&hash, launch);
    clopt_build_init(&session->build, &workspace->context, session->variant.source,
                     session->variant.options, source->includes ? source->hash : NULL, launch);
}

/* Whether a program may compute less precisely than OpenCL asks for. */
static bool is_approximate(const struct clopt_variant *variant)
{
    static const char *const options[] = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strstr(variant->options, options[i]))
            return true;
    for (const char *at = variant->source;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return false;
        if (token.kind == CLOPT_TOKEN_NAME &&
            (strncmp(token.text, "native_", 7) == 0 || strncmp(token.text, "half_", 5) == 0))
            return true;
    }
}

/* Makes a rival another program than the initial code, whose problem it solves. */
static enum clopt_status name_rival(struct clopt_session *session, struct clopt_error *error)
{
    struct clopt_variant *variant = &session->variant;
    char *lines = NULL;
    const char *kernel_path = session->workspace->kernel_path;
    enum clopt_status status =
        clopt_rival_key(session->trial.rival, kernel_path, NULL, variant->fingerprint, error);
    if (!status)
        status = clopt_rival_lines(session->trial.rival, kernel_path, &lines, error);
    if (!status)
        status = clopt_changed_lines_count("", lines, &variant->lines_changed, error);
    free(variant->source);
    variant->source = lines;
    return status;
}

enum clopt_status clopt_session_create(struct clopt_workspace *workspace,
                                       const struct clopt_app_source *source,
                                       struct clopt_trial *trial, struct clopt_variant *made,
                                       struct clopt_session **created, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_session *session = calloc(1, sizeof *session);
    if (!session) {
        clopt_trial_fini(trial);
        return clopt_fail_memory(error);
    }
    session->workspace = workspace;
    session->trial = *trial;
    session->app = clopt_entry_app(trial->app);
    session->changed_kernel = (unsigned)(trial->kernel - session->app->kernels);
    *trial = (struct clopt_trial){0};
    if (made) {
        session->variant = *made;
        *made = (struct clopt_variant){0};
    } else {
        status = clopt_variant_make(&session->trial, source, &workspace->context.info,
                                    &session->variant, error);
        if (!status && session->trial.rival)
            status = name_rival(session, error);
    }
    if (status) {
        clopt_session_destroy(session);
        return status;
    }
    session->problem = clopt_workspace_problem(workspace);
    session->problem.knobs = session->variant.knobs;
    session->problem.parameters = session->variant.parameters;
    session->problem.is_approximate = is_approximate(&session->variant);
    name_build(session, source);
    *created = session;
    return CLOPT_OK;
}

void clopt_session_destroy(struct clopt_session *session)
{
    if (!session)
        return;
    clopt_session_drop_launches(session);
    for (unsigned k = 0; session->kernels && k < session->kernel_count; k++)
        if (session->kernels[k])
            clReleaseKernel(session->kernels[k]);
    for (unsigned i = 0; i < CLOPT_MAX_SAMPLERS; i++)
        if (session->samplers[i])
            clReleaseSampler(session->samplers[i]);
    if (session->program)
        clReleaseProgram(session->program);
    clopt_rival_destroy(session->rival);
    clopt_build_fini(&session->build);
    clopt_variant_fini(&session->variant);
    clopt_trial_fini(&session->trial);
    json_decref(session->trace);
    free(session->wanted);
    free(session->kernels);
    free(session->launched);
    free(session->launches);
    free(session);
}

/* ---- the variants of the problem at hand ---- */

struct clopt_session *clopt_session_find(const struct clopt_workspace *workspace, unsigned id)
{
    struct clopt_session *session = workspace->sessions;
    while (session && session->id != id)
        session = session->next;
    return session;
}

void clopt_session_drop(struct clopt_workspace *workspace, unsigned id)
{
    struct clopt_session *session = clopt_session_find(workspace, id);
    if (!session)
        return;
    struct clopt_session **link = &workspace->sessions;
    while (*link != session)
        link = &(*link)->next;
    *link = session->next;
    clopt_session_destroy(session);
}

enum clopt_status clopt_session_make(struct clopt_workspace *workspace, unsigned id,
                                     struct clopt_trial *trial, struct clopt_variant *made,
                                     struct clopt_session **session, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    clopt_session_drop(workspace, id);
    if (!clopt_workspace_holds(workspace, trial)) {
        clopt_workspace_leave(workspace);
        status = clopt_workspace_enter(workspace, trial, error);
    }
    if (status) {
        clopt_trial_fini(trial);
        return status;
    }
    if (!made)
        clopt_stage_begin(&workspace->clock, CLOPT_STAGE_MAKE);
    status = clopt_session_create(workspace, &workspace->source, trial, made, session, error);
    if (!made)
        clopt_stage_end(&workspace->clock, status);
    if (status)
        return status;
    (*session)->id = id;
    (*session)->next = workspace->sessions;
    workspace->sessions = *session;
    return CLOPT_OK;
}

/* ---- building ---- */

static enum clopt_status create_kernels(struct clopt_session *session, struct clopt_error *error)
{
    while (session->app->kernels[session->kernel_count].name)
        session->kernel_count++;
    session->kernels = calloc(session->kernel_count, sizeof *session->kernels);
    session->launched = calloc(session->kernel_count, sizeof *session->launched);
    if (!session->kernels || !session->launched)
        return clopt_fail_memory(error);
    for (unsigned k = 0; session->program && k < session->kernel_count; k++) {
        const char *name = session->app->kernels[k].name;
        cl_int code;
        session->kernels[k] = clCreateKernel(session->program, name, &code);
        if (code != CL_SUCCESS) {
            session->kernels[k] = NULL;
            clopt_fail_cl(error, "clCreateKernel", code);
            if (code == CL_INVALID_KERNEL_NAME)
                clopt_fail(error, CLOPT_BUILD_FAILED, "%s: the program has no such __kernel",
                           error->message);
            return clopt_fail_within(error, "%s", name);
        }
    }
    return CLOPT_OK;
}

enum clopt_status clopt_session_build(struct clopt_session *session, struct clopt_error *error)
{
    struct clopt_workspace *workspace = session->workspace;
    enum clopt_status status = CLOPT_OK;
    clopt_stage_begin(&workspace->clock, CLOPT_STAGE_BUILD);
    if (session->trial.rival)
        status = clopt_rival_build(session, error);
    else
        status = clopt_build_make(&session->build, &workspace->context, &session->program, error);
    if (!status)
        status = create_kernels(session, error);
    return clopt_stage_end(&workspace->clock, status);
}

struct clopt_error *clopt_session_error(struct clopt_session *session)
{
    return &session->error;
}

enum clopt_status clopt_session_fail(struct clopt_session *session, enum clopt_status status,
                                     const char *operation, struct clopt_error *error)
{
    if (!session->error.message[0])
        clopt_fail(&session->error, status, "%s failed without saying why", operation);
    *error = session->error;
    error->status = status;
    return status;
}

/* ---- buffers ---- */

/* Makes the app ask for its buffers. */
static enum clopt_status ask_for_buffers(struct clopt_session *session, struct clopt_error *error)
{
    session->wanted = calloc(1, sizeof *session->wanted);
    if (!session->wanted)
        return clopt_fail_memory(error);
    session->buffers = session->wanted;
    session->error = (struct clopt_error){0};
    const struct clopt_app *app = clopt_entry_app(session->workspace->app);
    enum clopt_status status = app->prepare(session->workspace->state, &session->problem, session);
    session->buffers = NULL;
    if (!status)
        return CLOPT_OK;
    free(session->wanted);
    session->wanted = NULL;
    return clopt_session_fail(session, status, "prepare", error);
}

/* Whether the workspace has the buffers that runs need; then they get those. */
static bool has_buffers(struct clopt_session *session)
{
    session->buffers =
        session->wanted ? clopt_workspace_find_buffers(session->workspace, session->wanted) : NULL;
    return session->buffers != NULL;
}

enum clopt_status clopt_session_make_buffers(struct clopt_session *session,
                                             struct clopt_error *error)
{
    struct clopt_workspace *workspace = session->workspace;
    if (has_buffers(session))
        return CLOPT_OK;
    clopt_stage_begin(&workspace->clock, CLOPT_STAGE_SETUP);
    enum clopt_status status = clopt_workspace_set_up(workspace, error);
    if (!status && !session->wanted)
        status = ask_for_buffers(session, error);
    if (!status && !has_buffers(session))
        status =
            clopt_workspace_create_buffers(workspace, session->wanted, &session->buffers, error);
    return clopt_stage_end(&workspace->clock, status);
}

/* ---- runs ---- */

static enum clopt_status launch_and_collect(struct clopt_session *session,
                                            struct clopt_run_times *times,
                                            struct clopt_error *error)
{
    session->error = (struct clopt_error){0};
    if (session->rival)
        return clopt_rival_solve(session, times ? &times->whole_ns : NULL, error);
    enum clopt_status status =
        session->app->launch(session->workspace->state, &session->problem, session);
    if (!status)
        status = clopt_session_collect(session, times);
    if (!status)
        return CLOPT_OK;
    clopt_session_drop_launches(session);
    return clopt_session_fail(session, status, "launch", error);
}

enum clopt_status clopt_session_run(struct clopt_session *session, struct clopt_run_times *times,
                                    struct clopt_error *error)
{
    enum clopt_status status =
        session->rival ? CLOPT_OK : clopt_buffers_restore(session->buffers, error);
    return status ? status : launch_and_collect(session, times, error);
}

enum clopt_status clopt_session_run_poisoned(struct clopt_session *session,
                                             struct clopt_error *error)
{
    enum clopt_status status = clopt_buffers_poison(session->buffers, error);
    session->buffers->permuted_ns = 0;
    session->buffers->times_permuting = true;
    if (!status)
        status = launch_and_collect(session, NULL, error);
    if (!status)
        status = clopt_twins_settle(session->buffers, error);
    session->buffers->times_permuting = false;
    session->permuted_ns = session->buffers->permuted_ns;
    return status || !session->rival ? status : clopt_rival_fetch(session, error);
}

enum clopt_status clopt_session_learn(struct clopt_session *session, struct clopt_error *error)
{
    session->error = (struct clopt_error){0};
    enum clopt_status status =
        session->app->defined->learn(session->workspace->state, &session->problem, session);
    return status ? clopt_session_fail(session, status, "learn", error) : CLOPT_OK;
}

enum clopt_status clopt_session_digest(struct clopt_session *session, char digest[CLOPT_HASH_SIZE],
                                       struct clopt_error *error)
{
    enum clopt_status status = clopt_buffers_check_guards(session->buffers, error);
    return status ? status : clopt_buffers_digest(session->buffers, digest, error);
}

enum clopt_status clopt_session_check(struct clopt_session *session, struct clopt_verdict *verdict,
                                      struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(session->workspace->app);
    *verdict = (struct clopt_verdict){.error = NAN};
    enum clopt_status status = clopt_buffers_check_guards(session->buffers, error);
    if (status)
        return status;
    status = app->check(session->workspace->state, &session->problem, session, verdict);
    if (status)
        return clopt_session_fail(session, status, "check", error);
    /* A bound that the error does not meet, NaN included, is not right, whatever the app says. */
    if (!(verdict->error <= verdict->bound))
        verdict->right = false;
    if (!verdict->right)
        return clopt_fail(error, CLOPT_WRONG_RESULT, "%s: error %g, allowed %g", verdict->text,
                          verdict->error, verdict->bound);
    return CLOPT_OK;
}

enum clopt_status clopt_session_summarize(struct clopt_session *session, FILE *stream,
                                          struct clopt_error *error)
{
    session->error = (struct clopt_error){0};
    enum clopt_status status =
        session->app->summarize(session->workspace->state, &session->problem, session, stream);
    return status ? clopt_session_fail(session, status, "summarize", error) : CLOPT_OK;
}

enum clopt_status clopt_session_write(struct clopt_session *session, unsigned result, FILE *stream,
                                      struct clopt_error *error)
{
    session->error = (struct clopt_error){0};
    enum clopt_status status =
        session->app->write(session->workspace->state, &session->problem, session, result, stream);
    return status ? clopt_session_fail(session, status, "write", error) : CLOPT_OK;
}

enum clopt_status clopt_session_describe(const struct clopt_session *session,
                                         const struct clopt_kernel *kernel,
                                         struct clopt_kernel_work *work, struct clopt_error *error)
{
    *work = (struct clopt_kernel_work){0};
    return session->app->describe(&session->problem, session->workspace->state, kernel, work,
                                  error);
}
