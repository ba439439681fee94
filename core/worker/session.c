/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant on one device. */
#include "worker/session.h"

#include <math.h>

#include "opencl/name.h"
#include "text/changed_lines.h"
#include "text/token.h"
#include "trial/observer.h"
#include "trial/rival.h"
#include "worker/pages.h"

/* Names the program and its launches, as far as drivers may compile for them. */
static void name_build(struct clopt_session *session, const struct clopt_app_source *source)
{
    const struct clopt_workspace *workspace = session->workspace;
    const struct clopt_variant *variant = &session->variant;
    char launch[CLOPT_HASH_SIZE];
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, workspace->app->extension->name);
    clopt_sha256_add_string(&hash, workspace->app->hash);
    for (size_t i = 0; i < workspace->inputs->count; i++) {
        clopt_sha256_add_string(&hash, workspace->inputs->items[i].name);
        clopt_sha256_add_string(&hash, workspace->inputs->items[i].text);
    }
    clopt_sha256_add_string(&hash, variant->fingerprint);
    clopt_sha256_end(&hash, launch);
    session->build =
        (struct clopt_build){.context = &workspace->context,
                             .source = variant->compiled ? variant->compiled : variant->source,
                             .options = variant->options,
                             .included = source->includes ? source->hash : NULL,
                             .launch = launch};
    clopt_build_init(&session->build);
}

/* Whether a program may compute less precisely than OpenCL asks for, not by clopt's own steps. */
static bool is_approximate(const char *source, const struct clopt_variant *variant)
{
    if (strstr(variant->options, "-cl-fast-relaxed-math") ||
        strstr(variant->options, "-cl-unsafe-math-optimizations"))
        return true;
    for (struct clopt_token token; (token = clopt_token_next(&source)).kind != CLOPT_TOKEN_END;)
        if (token.kind == CLOPT_TOKEN_NAME &&
            (strncmp(token.text, "native_", 7) == 0 || strncmp(token.text, "half_", 5) == 0))
            return true;
    return false;
}

/* Makes a rival another program than the initial code, whose problem it solves. */
static enum clopt_status name_rival(struct clopt_session *session)
{
    struct clopt_variant *variant = &session->variant;
    const json_t *rival = session->trial.rival;
    const char *kernel_path = session->workspace->kernel_path;
    struct clopt_error *error = session->error;
    char *lines = NULL;
    const struct clopt_rival *known;
    bool failed = clopt_rival_find(session->workspace->registry, clopt_rival_text(rival, "kind"),
                                   &known, error) ||
                  known->key(rival, kernel_path, NULL, variant->fingerprint, error) ||
                  known->lines(rival, kernel_path, &lines, error);
    free(variant->source);
    variant->source = lines;
    if (!failed)
        variant->lines_changed = clopt_changed_lines_count("", lines);
    return failed ? error->status : CLOPT_OK;
}

enum clopt_status clopt_session_create(struct clopt_workspace *workspace,
                                       const struct clopt_app_source *source,
                                       struct clopt_trial *trial, struct clopt_variant *made,
                                       struct clopt_session **created)
{
    CLOPT_HELD(clopt_session) session = clopt_calloc(1, sizeof *session);
    session->workspace = workspace;
    session->error = workspace->error;
    session->trial = *trial;
    session->app = trial->app->extension->app;
    *trial = (struct clopt_trial){0};
    if (made) {
        session->variant = *made;
        *made = (struct clopt_variant){0};
    } else {
        CLOPT_TRY(clopt_variant_make(&session->trial, source, &workspace->context.info,
                                     &session->variant, workspace->error));
        if (session->trial.rival)
            CLOPT_TRY(name_rival(session));
    }
    session->problem = clopt_workspace_problem(workspace);
    session->problem.knobs = session->variant.knobs;
    session->problem.parameters = session->trial.parameters;
    source = clopt_app_source_of(source, &session->trial);
    session->problem.is_approximate = is_approximate(source->text, &session->variant);
    name_build(session, source);
    *created = session;
    session = NULL;
    return CLOPT_OK;
}

/* Drops the launches recorded so far. */
static void drop_launches(struct clopt_session *session)
{
    for (size_t i = 0; i < session->launch_count; i++)
        clReleaseEvent(session->launches[i].event);
    session->launch_count = 0;
}

void clopt_session_destroy(struct clopt_session *session)
{
    if (!session)
        return;
    drop_launches(session);
    for (unsigned k = 0; session->kernels && k < session->kernel_count; k++)
        if (session->kernels[k])
            clReleaseKernel(session->kernels[k]);
    if (session->zeroed)
        clReleaseMemObject(session->zeroed);
    for (unsigned i = 0; i < CLOPT_MAX_SAMPLERS; i++)
        if (session->samplers[i])
            clReleaseSampler(session->samplers[i]);
    if (session->program)
        clReleaseProgram(session->program);
    if (session->rival)
        session->rival->destroy(session->rival_state);
    if (session->observer && session->observer->end)
        session->observer->end(session);
    clopt_build_fini(&session->build);
    clopt_variant_fini(&session->variant);
    clopt_trial_fini(&session->trial);
    free(session->wanted);
    free(session->kernels);
    free(session->launched);
    free(session->first_ns);
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
    struct clopt_session **link = &workspace->sessions;
    while (*link && (*link)->id != id)
        link = &(*link)->next;
    struct clopt_session *session = *link;
    if (session)
        *link = session->next;
    clopt_session_destroy(session);
}

enum clopt_status clopt_session_make(struct clopt_workspace *workspace, unsigned id,
                                     struct clopt_trial *trial, struct clopt_variant *made,
                                     struct clopt_session **session)
{
    clopt_session_drop(workspace, id);
    CLOPT_TRY(clopt_workspace_enter(workspace, trial));
    if (!made)
        clopt_workspace_begin(workspace, CLOPT_STAGE_MAKE);
    CLOPT_TRY(clopt_session_create(workspace, &workspace->source, trial, made, session));
    (*session)->id = id;
    (*session)->next = workspace->sessions;
    workspace->sessions = *session;
    return CLOPT_OK;
}

/* ---- building ---- */

static enum clopt_status create_kernels(struct clopt_session *session)
{
    while (session->app->kernels[session->kernel_count].name)
        session->kernel_count++;
    session->kernels = clopt_calloc(session->kernel_count, sizeof *session->kernels);
    session->launched = clopt_calloc(session->kernel_count, sizeof *session->launched);
    for (unsigned k = 0; session->program && k < session->kernel_count; k++) {
        const char *name = session->app->kernels[k].name;
        cl_int code;
        cl_kernel kernel = clCreateKernel(session->program, name, &code);
        if (clopt_check_cl(session->error, "clCreateKernel", code)) {
            if (code == CL_INVALID_KERNEL_NAME)
                clopt_fail(session->error, CLOPT_BUILD_FAILED,
                           "%s: the program has no such __kernel", session->error->message);
            return clopt_fail_within(session->error, "%s", name);
        }
        session->kernels[k] = kernel;
    }
    return CLOPT_OK;
}

static enum clopt_status build_rival(struct clopt_session *session)
{
    CLOPT_TRY(clopt_rival_find(session->workspace->registry,
                               clopt_rival_text(session->trial.rival, "kind"), &session->rival,
                               session->error));
    return session->rival->build(session);
}

enum clopt_status clopt_session_build(struct clopt_session *session)
{
    CLOPT_TRY(session->observer ? CLOPT_OK /* at their first launches */
              : session->trial.rival
                  ? build_rival(session)
                  : clopt_build_make(&session->build, &session->program, session->error));
    return create_kernels(session);
}

/* ---- what the app does ---- */

struct clopt_error *clopt_session_error(struct clopt_session *session)
{
    return session->error;
}

/* Hands a session to an operation of the app, without an error of what was done before. */
static struct clopt_session *lend(struct clopt_session *session)
{
    session->error->status = CLOPT_OK;
    return session;
}

/* Hands through what such an operation has returned: it may have failed without having said why. */
static enum clopt_status take_back(struct clopt_session *session, const char *operation,
                                   enum clopt_status status)
{
    if (status && !session->error->status)
        clopt_fail(session->error, status, "%s failed without saying why", operation);
    if (status)
        session->error->status = status;
    return status;
}

/* Makes the app ask for its buffers. */
static enum clopt_status ask_for_buffers(struct clopt_session *session)
{
    struct clopt_workspace *workspace = session->workspace;
    session->wanted = clopt_calloc(1, sizeof *session->wanted);
    session->buffers = session->wanted;
    enum clopt_status status = take_back(session, "prepare",
                                         workspace->app->extension->app->prepare(
                                             workspace->state, &session->problem, lend(session)));
    session->buffers = NULL;
    if (status) {
        free(session->wanted);
        session->wanted = NULL;
    }
    return status;
}

enum clopt_status clopt_session_make_buffers(struct clopt_session *session)
{
    struct clopt_workspace *workspace = session->workspace;
    session->buffers = NULL;
    if (!session->wanted) {
        clopt_workspace_begin(workspace, CLOPT_STAGE_SETUP);
        if (clopt_workspace_set_up(workspace) || ask_for_buffers(session))
            return session->error->status;
    }
    return clopt_workspace_get_buffers(workspace, session->wanted, &session->buffers);
}

static enum clopt_status launch_and_collect(struct clopt_session *session, double *times_ns)
{
    if (session->rival)
        return session->rival->solve(session, times_ns ? times_ns + session->kernel_count : NULL);
    enum clopt_status status = take_back(
        session, "launch",
        session->app->launch(session->workspace->state, &session->problem, lend(session)));
    status = status ? status : clopt_session_collect(session, times_ns);
    drop_launches(session);
    return status;
}

enum clopt_status clopt_session_run(struct clopt_session *session, double *times_ns)
{
    CLOPT_TRY(session->rival ? CLOPT_OK : clopt_buffers_restore(session->buffers));
    return launch_and_collect(session, times_ns);
}

enum clopt_status clopt_session_run_poisoned(struct clopt_session *session, double *times_ns)
{
    struct clopt_buffers *buffers = session->buffers;
    enum clopt_status status = clopt_buffers_poison(buffers);
    clopt_pages_watch(); /* the compiler may have handled signals since */
    buffers->permuted_ns = 0;
    buffers->times_permuting = true;
    if (!status)
        status = launch_and_collect(session, times_ns);
    if (!status)
        status = clopt_duplicates_settle(buffers);
    buffers->times_permuting = false;
    session->permuted_ns = buffers->permuted_ns;
    return status || !session->rival ? status : session->rival->fetch(session);
}

enum clopt_status clopt_session_learn(struct clopt_session *session)
{
    return take_back(
        session, "learn",
        session->app->defined->learn(session->workspace->state, &session->problem, lend(session)));
}

enum clopt_status clopt_session_check(struct clopt_session *session, struct clopt_verdict *verdict)
{
    struct clopt_workspace *workspace = session->workspace;
    const struct clopt_app *app = workspace->app->extension->app;
    *verdict = (struct clopt_verdict){.error = NAN};
    CLOPT_TRY(take_back(session, "check",
                        app->check(workspace->state, &session->problem, lend(session), verdict)));
    /* A bound that the error does not meet, NaN included, is not right, whatever the app says. */
    if (!(verdict->error <= verdict->bound))
        verdict->right = false;
    if (!verdict->right)
        return clopt_fail(session->error, CLOPT_WRONG_RESULT, "%s: error %g, allowed %g",
                          verdict->text, verdict->error, verdict->bound);
    return CLOPT_OK;
}

enum clopt_status clopt_session_summarize(struct clopt_session *session, FILE *stream)
{
    return take_back(session, "summarize",
                     session->app->summarize(session->workspace->state, &session->problem,
                                             lend(session), stream));
}

enum clopt_status clopt_session_write(struct clopt_session *session, unsigned result, FILE *stream)
{
    return take_back(session, "write",
                     session->app->write(session->workspace->state, &session->problem,
                                         lend(session), result, stream));
}
