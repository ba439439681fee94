/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant, built on one device. */
#include "worker/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "opencl/name.h"
#include "source/token.h"
#include "worker/workspace.h"

static unsigned count_kernels(const struct clopt_app *app)
{
    unsigned count = 0;
    while (app->kernels[count].name)
        count++;
    return count;
}

static enum clopt_status create_kernels(struct clopt_session *session, struct clopt_error *error)
{
    for (unsigned k = 0; k < session->kernel_count; k++) {
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

enum clopt_status clopt_session_create(struct clopt_context *context, const struct clopt_app *app,
                                       struct clopt_workspace *workspace,
                                       const struct clopt_kernel *changed_kernel,
                                       struct clopt_variant *variant, cl_program program,
                                       struct clopt_session **created, struct clopt_error *error)
{
    struct clopt_session *session = calloc(1, sizeof *session);
    if (!session) {
        clopt_variant_fini(variant);
        clReleaseProgram(program);
        return clopt_fail_memory(error);
    }
    *session = (struct clopt_session){
        .context = context, .app = app, .workspace = workspace, .program = program};
    session->variant = *variant;
    *variant = (struct clopt_variant){0};
    session->problem = clopt_workspace_problem(workspace, session->variant.knobs);
    session->problem.parameters = session->variant.parameters;
    session->changed_kernel = (unsigned)(changed_kernel - app->kernels);
    session->kernel_count = count_kernels(app);
    session->kernels = calloc(session->kernel_count, sizeof *session->kernels);
    session->launched = calloc(session->kernel_count, sizeof *session->launched);
    enum clopt_status status = session->kernels && session->launched
                                   ? create_kernels(session, error)
                                   : clopt_fail_memory(error);
    if (status)
        clopt_session_destroy(session);
    else
        *created = session;
    return status;
}

void clopt_session_destroy(struct clopt_session *session)
{
    if (!session)
        return;
    free(session->wanted);
    clopt_session_forget_launches(session);
    for (unsigned k = 0; session->kernels && k < session->kernel_count; k++)
        if (session->kernels[k])
            clReleaseKernel(session->kernels[k]);
    for (unsigned i = 0; i < CLOPT_MAX_SAMPLERS; i++)
        if (session->samplers[i])
            clReleaseSampler(session->samplers[i]);
    if (session->program)
        clReleaseProgram(session->program);
    clopt_variant_fini(&session->variant);
    free(session->kernels);
    free(session->launched);
    free(session->launches);
    free(session);
}

const struct clopt_device_info *clopt_session_device(const struct clopt_session *session)
{
    return &session->context->info;
}

struct clopt_error *clopt_session_error(struct clopt_session *session)
{
    return &session->error;
}

bool clopt_session_is_approximate(const struct clopt_session *session)
{
    static const char *const options[] = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strstr(session->variant.options, options[i]))
            return true;
    for (const char *at = session->variant.source;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return false;
        if (token.kind == CLOPT_TOKEN_NAME &&
            (strncmp(token.text, "native_", 7) == 0 || strncmp(token.text, "half_", 5) == 0))
            return true;
    }
}

/* Hands over the error of a session: an app may fail without having said why. */
static enum clopt_status hand_over(struct clopt_session *session, enum clopt_status status,
                                   const char *operation, struct clopt_error *error)
{
    if (!session->error.message[0])
        clopt_fail(&session->error, status, "%s failed without saying why", operation);
    *error = session->error;
    error->status = status;
    return status;
}

static enum clopt_status launch_and_collect(struct clopt_session *session,
                                            struct clopt_run_times *times,
                                            struct clopt_error *error)
{
    session->error = (struct clopt_error){0};
    enum clopt_status status =
        session->app->launch(session->workspace->state, &session->problem, session);
    if (!status)
        status = clopt_session_collect(session, times);
    if (status) {
        clopt_session_forget_launches(session);
        return hand_over(session, status, "launch", error);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_session_run(struct clopt_session *session, struct clopt_buffers *buffers,
                                    struct clopt_run_times *times, struct clopt_error *error)
{
    session->buffers = buffers;
    enum clopt_status status = clopt_buffers_restore(buffers, error);
    if (!status)
        status = launch_and_collect(session, times, error);
    return status;
}

enum clopt_status clopt_session_verify_launch(struct clopt_session *session,
                                              struct clopt_buffers *buffers,
                                              struct clopt_error *error)
{
    session->buffers = buffers;
    enum clopt_status status = clopt_buffers_poison(buffers, error);
    if (!status)
        status = launch_and_collect(session, NULL, error);
    return status;
}

enum clopt_status clopt_session_learn(struct clopt_session *session, struct clopt_error *error)
{
    enum clopt_status status =
        session->app->learn(session->workspace->state, &session->problem, session);
    return status ? hand_over(session, status, "learn", error) : CLOPT_OK;
}

enum clopt_status clopt_session_recognize(struct clopt_session *session, const char *known,
                                          char digest[CLOPT_HASH_SIZE], bool *same,
                                          struct clopt_error *error)
{
    *same = false;
    enum clopt_status status = clopt_buffers_check_guards(session->buffers, error);
    if (!status)
        status = clopt_buffers_digest(session->buffers, digest, error);
    *same = !status && known && strcmp(digest, known) == 0;
    return status;
}

enum clopt_status clopt_session_verify_result(struct clopt_session *session,
                                              struct clopt_verdict *verdict,
                                              struct clopt_error *error)
{
    *verdict = (struct clopt_verdict){.error = NAN};
    enum clopt_status status = clopt_buffers_check_guards(session->buffers, error);
    if (status)
        return status;
    status = session->app->check(session->workspace->state, &session->problem, session, verdict);
    if (status)
        return hand_over(session, status, "check", error);
    /* A bound that the error does not meet, NaN included, is not right, whatever the app says. */
    if (!(verdict->error <= verdict->bound))
        verdict->right = false;
    if (!verdict->right)
        return clopt_fail(error, CLOPT_WRONG_RESULT, "%s: error %g, allowed %g", verdict->text,
                          verdict->error, verdict->bound);
    return CLOPT_OK;
}
