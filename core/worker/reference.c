/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets an app that has no reference of its own learn it from a run on the device. */
#include "worker/reference.h"

#include "worker/build.h"

/* What is run, and what it is made from. */
struct reference {
    struct clopt_plugin plugin;
    struct clopt_plugin_entry entry;
    struct clopt_trial trial; /* borrows from the one that waits */
    struct clopt_app_source own_source;
    const struct clopt_app_source *source;
    struct clopt_session *session;
};

/* Makes the trial: the app's initial code, or that of its reference. */
static enum clopt_status init_trial(struct reference *reference, struct clopt_workspace *workspace,
                                    const char *kernel_path, const struct clopt_trial *trial,
                                    struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(workspace->app);
    const struct clopt_app *program = app->reference ? app->reference : app;
    reference->plugin = *workspace->app->plugin;
    reference->plugin.operations = program;
    reference->entry = *workspace->app;
    reference->entry.plugin = &reference->plugin;
    reference->trial = (struct clopt_trial){.app = &reference->entry,
                                            .inputs = workspace->inputs,
                                            .seed = workspace->seed,
                                            .parameters = trial->initial_parameters,
                                            .initial_parameters = trial->initial_parameters,
                                            .kernel = &program->kernels[0]};
    reference->source = &workspace->source;
    if (program == app)
        return CLOPT_OK;
    reference->source = &reference->own_source;
    return clopt_app_source_read(program, kernel_path, &reference->own_source, error);
}

static enum clopt_status build_session(struct reference *reference,
                                       struct clopt_workspace *workspace,
                                       struct clopt_context *context, struct clopt_error *error)
{
    struct clopt_variant variant;
    cl_program program = NULL;
    struct clopt_build build = {0};
    enum clopt_status status =
        clopt_variant_make(&reference->trial, reference->source, &context->info, &variant, error);
    if (status)
        return status;
    status = clopt_build_program(context, variant.source, variant.options,
                                 reference->source->includes ? reference->source->hash : NULL,
                                 &build, &program, error);
    if (status == CLOPT_BUILD_FAILED && build.log)
        clopt_fail(error, status, "%s: %.1000s", error->message, build.log);
    clopt_build_fini(&build);
    if (status) {
        clopt_variant_fini(&variant);
        return status;
    }
    return clopt_session_create(context, clopt_entry_app(&reference->entry), workspace,
                                reference->trial.kernel, &variant, program, &reference->session,
                                error);
}

/* Runs twice: learns from the first run, and checks the second. */
static enum clopt_status run(struct clopt_session *session, struct clopt_workspace *workspace,
                             struct clopt_error *error)
{
    struct clopt_buffers *buffers = clopt_workspace_find_buffers(workspace, session);
    enum clopt_status status =
        buffers ? CLOPT_OK : clopt_workspace_make_buffers(workspace, session, &buffers, error);
    struct clopt_verdict verdict = {0};
    if (!status)
        status = clopt_session_verify_launch(session, buffers, error);
    if (!status)
        status = clopt_session_learn(session, error);
    if (!status)
        status = clopt_session_verify_launch(session, buffers, error);
    if (!status)
        status = clopt_session_verify_result(session, &verdict, error);
    if (status == CLOPT_WRONG_RESULT && verdict.text[0])
        clopt_fail(error, status,
                   "not reproducible: a second run differs from the first, so that no variant can "
                   "be judged (is there a data race?): %s",
                   verdict.text);
    return status;
}

/* Builds the reference, and runs it. */
static enum clopt_status build_and_run(struct clopt_workspace *workspace,
                                       struct clopt_context *context, const char *kernel_path,
                                       const struct clopt_trial *trial, struct clopt_error *error)
{
    struct reference reference = {0};
    enum clopt_status status = init_trial(&reference, workspace, kernel_path, trial, error);
    if (!status)
        status = build_session(&reference, workspace, context, error);
    if (!status)
        status = run(reference.session, workspace, error);
    clopt_session_destroy(reference.session);
    clopt_app_source_fini(&reference.own_source);
    return status;
}

enum clopt_status clopt_reference_learn(struct clopt_workspace *workspace,
                                        struct clopt_context *context, const char *kernel_path,
                                        const struct clopt_trial *trial,
                                        struct clopt_session *session, struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(workspace->app);
    struct clopt_error *why = &workspace->ignorance;
    if (!app->learn)
        return CLOPT_OK;
    enum clopt_status status = clopt_workspace_set_up(workspace, error);
    if (status)
        return status;
    if (!workspace->learned) {
        bool built = clopt_trial_is_initial(trial) && !app->reference;
        status = built ? run(session, workspace, why)
                       : build_and_run(workspace, context, kernel_path, trial, why);
        if (status)
            clopt_fail_within(why, "%s", app->reference ? "reference" : "initial code");
        workspace->learned = true;
    }
    if (why->status)
        *error = *why;
    return why->status;
}
