/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches a variant for the first time, and verifies what it computes. An app without a reference
 * of its own learns it from a run on the device: of its `reference` or initial code. */
#include "process/clock.h"
#include "trial/observer.h"
#include "worker/session.h"

/* ---- the reference ---- */

/* What is run, and what it is made from. */
struct reference {
    struct clopt_extension extension;
    struct clopt_plugin_entry entry;
    struct clopt_app_source own_source;
    struct clopt_session *own_session;
    struct clopt_session *session; /* its own, or the one that waits */
};

/* Makes the variant that is run: the app's reference, or its initial code. */
static enum clopt_status create_session(struct reference *reference,
                                        const struct clopt_session *waiting)
{
    struct clopt_workspace *workspace = waiting->workspace;
    const struct clopt_app *app = waiting->app;
    const struct clopt_app_source *source = &workspace->source;
    struct clopt_error *error = waiting->error;
    CLOPT_OWNED(clopt_trial) trial = {0};
    clopt_trial_copy(&waiting->trial, &trial);
    clopt_trial_clear(&trial);
    if (app->defined->reference) {
        reference->extension = *workspace->app->extension;
        reference->extension.operations = app->defined->reference;
        reference->entry = *workspace->app;
        reference->entry.extension = &reference->extension;
        trial.app = &reference->entry;
        source = &reference->own_source;
        CLOPT_TRY(clopt_app_source_read(app->defined->reference, workspace->kernel_path,
                                        &reference->own_source, error));
    }
    trial.kernel = &trial.app->extension->app->kernels[0];
    CLOPT_TRY(clopt_session_create(workspace, source, &trial, NULL, &reference->own_session));
    reference->session = reference->own_session;
    return CLOPT_OK;
}

/* What the cache makes a file of. */
struct making {
    struct clopt_session *session;
    bool ran; /* so that the app has learned already, and its second run is in the buffers */
    struct clopt_verdict verdict; /* on that one */
};

/* Runs a variant over poisoned buffers, and times that where it may be a sample. */
static enum clopt_status run(struct clopt_session *session)
{
    const struct clopt_workspace *workspace = session->workspace;
    const struct clopt_context *context = &workspace->context;
    const enum clopt_clock_source source = context->clock.source;
    unsigned whole = session->kernel_count;
    if (!session->first_ns)
        return clopt_session_run_poisoned(session, NULL);
    memset(session->first_ns, 0, (whole + 2) * sizeof *session->first_ns);
    CLOPT_HELD(clopt_counting) waits =
        clopt_device_is_cpu(&context->info) ? clopt_waits_open(workspace->registry, context) : NULL;
    clopt_waits_begin(waits);
    enum clopt_status status = clopt_session_run_poisoned(session, session->first_ns);
    double share = clopt_waits_end(waits); /* compilation before the launch in it */
    session->first_ns[whole + 1] =
        session->most_ns > 0 ? 1 - session->least_ns / session->most_ns : share;
    bool wrong_clock = status && context->clock.source != source;
    return wrong_clock ? clopt_session_run_poisoned(session, NULL) : status;
}

/* Checks another run of what the app has learned from. */
static enum clopt_status check_again(struct clopt_session *session, struct clopt_verdict *verdict)
{
    enum clopt_status status = clopt_session_check(session, verdict);
    if (status != CLOPT_WRONG_RESULT || !verdict->text[0])
        return status;
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_SETUP); /* of which it is a part */
    return clopt_fail(session->error, status,
                      "not reproducible: a second run differs from the first, so that no variant "
                      "can be judged (is there a data race?): %s",
                      verdict->text);
}

/* Whether the app learns from an initial code that takes so long that the second run is the one
 * that is measured, in another process. */
static bool is_run_once(const struct clopt_session *session, int64_t began_ns)
{
    const struct clopt_workspace *workspace = session->workspace;
    double took_ns = session->most_ns > 0 ? session->most_ns : (double)(clopt_now_ns() - began_ns);
    return workspace->once_ns > 0 && took_ns > workspace->once_ns && !session->first_ns &&
           session->app == workspace->app->extension->app;
}

/* Builds it, unless it is built, and runs it twice: learns from one run, and checks the other. */
static enum clopt_status build_and_run(struct making *making)
{
    struct clopt_session *session = making->session;
    struct clopt_error *error = session->error;
    making->ran = true;
    enum clopt_status status = session->program ? CLOPT_OK : clopt_session_build(session);
    if (status == CLOPT_BUILD_FAILED && session->build.log)
        clopt_fail(error, status, "%s: %.1000s", error->message, session->build.log);
    int64_t began_ns = clopt_now_ns();
    if (status || clopt_session_run_poisoned(session, NULL) || clopt_session_learn(session) ||
        (!is_run_once(session, began_ns) && run(session)) ||
        clopt_buffers_check(session->buffers, true))
        return error->status;
    return check_again(session, &making->verdict);
}

/* Copies what a run has computed, one buffer after the other, out of them or back. */
static enum clopt_status copy_results(struct clopt_session *session, char *results, bool back,
                                      size_t *bytes)
{
    *bytes = 0;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &session->buffers->items[id];
        if (!clopt_buffer_is_computed(buffer))
            continue;
        if (results)
            CLOPT_TRY(back ? clopt_write(session, id, 0, buffer->bytes, results + *bytes)
                           : clopt_read(session, id, 0, buffer->bytes, results + *bytes));
        *bytes += buffer->bytes;
    }
    return CLOPT_OK;
}

static enum clopt_status fill(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct making *making = user;
    (void)error; /* the session's */
    CLOPT_TRY(build_and_run(making));
    return copy_results(making->session, data, false, &bytes);
}

/* Learns from what is cached, or runs the reference and caches what it computes. */
static enum clopt_status learn(struct making *making)
{
    struct clopt_session *session = making->session;
    struct clopt_problem problem = clopt_workspace_problem(session->workspace);
    const void *results = NULL;
    size_t bytes;
    char what[16 + CLOPT_HASH_SIZE];
    copy_results(session, NULL, false, &bytes);
    if (bytes == 0)
        return build_and_run(making);
    snprintf(what, sizeof what, "reference %s", session->build.launch_key);
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_cached(&problem, what, bytes, fill, making, &results, session->error));
    if (!making->ran)
        status = copy_results(session, (char *)results, true, &bytes);
    clopt_cached_release(results, bytes);
    return status || making->ran ? status : clopt_session_learn(session);
}

/* Makes what is run, and learns from it. */
static enum clopt_status make_and_learn(struct clopt_session *waiting, struct making *making)
{
    struct reference reference = {.session = waiting};
    bool own = waiting->app->defined->reference || !clopt_trial_is_initial(&waiting->trial);
    bool failed = (own && create_session(&reference, waiting)) ||
                  clopt_session_make_buffers(reference.session);
    making->session = reference.session;
    failed = failed || learn(making);
    making->ran &= !own;
    clopt_session_destroy(reference.own_session);
    clopt_app_source_fini(&reference.own_source);
    return failed ? waiting->error->status : CLOPT_OK;
}

/* Lets the app learn what is right for the problem at hand, once: what was learned on this device
 * is cached, and other processes, of later studies, too, learn it from there. Fails again as it did
 * before. CLOPT_WRONG_RESULT: two runs disagree, or one writes outside of its buffers. Whether it
 * was the one that waits which ran, and what its second run is worth, is left in `making`. */
static enum clopt_status learn_once(struct clopt_session *waiting, struct making *making)
{
    struct clopt_workspace *workspace = waiting->workspace;
    struct clopt_error *why = &workspace->learning.error;
    if (!waiting->app->defined || !waiting->app->defined->learn)
        return CLOPT_OK;
    clopt_workspace_begin(workspace, CLOPT_STAGE_SETUP);
    CLOPT_TRY(clopt_workspace_set_up(workspace));
    if (!workspace->learning.tried && make_and_learn(waiting, making)) {
        clopt_fail_within(waiting->error, "%s",
                          waiting->app->defined->reference ? "reference" : "initial code");
        *why = *waiting->error;
    }
    workspace->learning.tried = true;
    if (why->status)
        *waiting->error = *why;
    return why->status;
}

/* ---- the variant ---- */

/* Whether an observer finds that the first launch was wrong. */
static bool find_wrong(const struct clopt_session *session, struct clopt_error *finding)
{
    const struct clopt_registry *registry = session->workspace->registry;
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_OBSERVER, i)); i++) {
        const struct clopt_observer *observer = entry->extension->operations;
        if (observer->launched && observer->launched(finding))
            return true;
    }
    return false;
}

/* Ends the first launch of a variant, which went so, and takes its digest (NULL: not wanted). */
static enum clopt_status end_launch(struct clopt_session *session, enum clopt_status status,
                                    char *digest)
{
    struct clopt_error finding = {0}; /* says more than the error that it may have led to */
    if (find_wrong(session, &finding)) {
        *session->error = finding;
        return finding.status;
    }
    CLOPT_TRY(status);
    if (!session->rival)
        clopt_build_note_launch(&session->build, session->deferred_ns);
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_VERIFY);
    CLOPT_TRY(clopt_buffers_check(session->buffers, true));
    return digest ? clopt_buffers_digest(session->buffers, digest) : CLOPT_OK;
}

/* Launches a variant once. */
static enum clopt_status launch(struct clopt_session *session, char *digest)
{
    CLOPT_TRY(clopt_session_make_buffers(session));
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_LAUNCH);
    return end_launch(session, run(session), digest);
}

/* Whether the initial code is verified with what the app learned from another run of it. */
static bool is_second_run(const struct clopt_session *session)
{
    const struct clopt_defined *defined = session->app->defined;
    return defined && defined->learn && !defined->reference && session->batch == 0 &&
           clopt_trial_is_initial(&session->trial);
}

enum clopt_status clopt_session_verify(struct clopt_session *session, const char *known,
                                       char *digest, struct clopt_verdict *verdict)
{
    struct making making = {0};
    const struct clopt_defined *defined = session->app->defined;
    bool learned = !defined || !defined->learn || session->workspace->learning.tried;
    if (known)
        CLOPT_TRY(launch(session, digest));
    if (known && strcmp(digest, known) == 0) {
        *verdict = (struct clopt_verdict){.right = true, .text = "the same as was verified before"};
        return CLOPT_OK;
    }
    /* The app has to know what is right before it checks this, and learns it in these buffers. */
    CLOPT_TRY(learn_once(session, &making));
    *verdict = making.verdict;
    if (making.ran)
        return end_launch(session, CLOPT_OK, digest);
    if (!known || !learned)
        CLOPT_TRY(launch(session, digest));
    if (!is_second_run(session))
        return clopt_session_check(session, verdict);
    enum clopt_status status = check_again(session, verdict);
    return status ? clopt_fail_within(session->error, "initial code") : CLOPT_OK;
}
