/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets an app that has no reference of its own learn it from a run on the device. */
#include "worker/reference.h"

#include <stdio.h>

/* What is run, and what it is made from. */
struct reference {
    struct clopt_plugin plugin;
    struct clopt_plugin_entry entry;
    struct clopt_app_source own_source;
    struct clopt_session *own_session;
    struct clopt_session *session; /* its own, or the one that waits */
};

/* Makes the variant that is run: the app's reference, or its initial code. */
static enum clopt_status create_session(struct reference *reference,
                                        const struct clopt_session *waiting,
                                        struct clopt_error *error)
{
    struct clopt_workspace *workspace = waiting->workspace;
    const struct clopt_app *app = waiting->app;
    const struct clopt_app_source *source = &workspace->source;
    struct clopt_trial trial;
    enum clopt_status status = clopt_trial_copy(&waiting->trial, &trial, error);
    if (!status)
        status = clopt_trial_clear(&trial, error);
    if (!status && app->defined->reference) {
        reference->plugin = *workspace->app->plugin;
        reference->plugin.operations = app->defined->reference;
        reference->entry = *workspace->app;
        reference->entry.plugin = &reference->plugin;
        trial.app = &reference->entry;
        source = &reference->own_source;
        status = clopt_app_source_read(app->defined->reference, workspace->kernel_path,
                                       &reference->own_source, error);
    }
    if (status) {
        clopt_trial_fini(&trial);
        return status;
    }
    trial.kernel = &clopt_entry_app(trial.app)->kernels[0];
    status = clopt_session_create(workspace, source, &trial, NULL, &reference->own_session, error);
    reference->session = reference->own_session;
    return status;
}

/* Runs it twice: learns from the first run, and checks the second. */
static enum clopt_status run_twice(struct clopt_session *session, struct clopt_error *error)
{
    struct clopt_verdict verdict = {0};
    enum clopt_status status = clopt_session_run_poisoned(session, error);
    if (!status)
        status = clopt_session_learn(session, error);
    if (!status)
        status = clopt_session_run_poisoned(session, error);
    if (!status)
        status = clopt_session_check(session, &verdict, error);
    if (status == CLOPT_WRONG_RESULT && verdict.text[0])
        clopt_fail(error, status,
                   "not reproducible: a second run differs from the first, so that no variant can "
                   "be judged (is there a data race?): %s",
                   verdict.text);
    return status;
}

/* Builds it, unless it is built, and runs it. */
static enum clopt_status build_and_run(struct clopt_session *session, struct clopt_error *error)
{
    enum clopt_status status = session->program ? CLOPT_OK : clopt_session_build(session, error);
    if (status == CLOPT_BUILD_FAILED && session->build.log)
        clopt_fail(error, status, "%s: %.1000s", error->message, session->build.log);
    return status ? status : run_twice(session, error);
}

/* ---- the cache ---- */

/* Copies what a run has computed, one buffer after the other, out of them or back. */
static enum clopt_status copy_results(struct clopt_session *session, char *results, bool back,
                                      size_t *bytes)
{
    enum clopt_status status = CLOPT_OK;
    session->error = (struct clopt_error){0};
    *bytes = 0;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        const struct clopt_device_buffer *buffer = &session->buffers->items[id];
        if (!clopt_buffer_is_computed(buffer))
            continue;
        if (results && back)
            status = clopt_write(session, id, 0, buffer->bytes, results + *bytes);
        else if (results)
            status = clopt_read(session, id, 0, buffer->bytes, results + *bytes);
        *bytes += buffer->bytes;
    }
    return status;
}

/* What the cache makes a file of. */
struct making {
    struct clopt_session *session;
    bool ran; /* so that the app has learned already */
};

static enum clopt_status fill(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct making *making = user;
    making->ran = true;
    enum clopt_status status = build_and_run(making->session, error);
    if (!status && copy_results(making->session, data, false, &bytes))
        status = clopt_session_fail(making->session, making->session->error.status, "read", error);
    return status;
}

/* Learns from what is cached, or runs the reference and caches what it computes. */
static enum clopt_status learn(struct clopt_session *session, struct clopt_error *error)
{
    struct making making = {.session = session};
    struct clopt_problem problem = clopt_workspace_problem(session->workspace);
    const void *results;
    size_t bytes;
    char what[16 + CLOPT_HASH_SIZE];
    copy_results(session, NULL, false, &bytes);
    if (bytes == 0)
        return build_and_run(session, error);
    snprintf(what, sizeof what, "reference %s", session->build.launch_key);
    enum clopt_status status = clopt_cached(&problem, what, bytes, fill, &making, &results, error);
    if (status || making.ran) {
        clopt_cached_release(status ? NULL : results, bytes);
        return status;
    }
    if (copy_results(session, (char *)results, true, &bytes))
        status = clopt_session_fail(session, session->error.status, "write", error);
    clopt_cached_release(results, bytes);
    return status ? status : clopt_session_learn(session, error);
}

/* Makes what is run, and learns from it. */
static enum clopt_status make_and_learn(struct clopt_session *waiting, struct clopt_error *error)
{
    struct reference reference = {.session = waiting};
    bool own = waiting->app->defined->reference || !clopt_trial_is_initial(&waiting->trial);
    enum clopt_status status = own ? create_session(&reference, waiting, error) : CLOPT_OK;
    if (!status)
        status = clopt_session_make_buffers(reference.session, error);
    if (!status)
        status = learn(reference.session, error);
    clopt_session_destroy(reference.own_session);
    clopt_app_source_fini(&reference.own_source);
    return status;
}

enum clopt_status clopt_reference_learn(struct clopt_session *waiting, struct clopt_error *error)
{
    struct clopt_workspace *workspace = waiting->workspace;
    struct clopt_error *why = &workspace->learn_error;
    if (!waiting->app->defined || !waiting->app->defined->learn)
        return CLOPT_OK;
    enum clopt_status status = clopt_workspace_set_up(workspace, error);
    if (status)
        return status;
    if (!workspace->learned && make_and_learn(waiting, why))
        clopt_fail_within(why, "%s",
                          waiting->app->defined->reference ? "reference" : "initial code");
    workspace->learned = true;
    if (why->status)
        *error = *why;
    return why->status;
}
