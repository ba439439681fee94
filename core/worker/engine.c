/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, builds, verifies and samples variants on one device. */
#include "worker/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "opencl/listing.h"
#include "worker/findings.h"
#include "worker/peak.h"
#include "worker/reference.h"

struct clopt_engine {
    clopt_stage_begins begins;
    void *user;
    bool opened;
    struct clopt_context context;
    char *builds; /* the context's */
    struct clopt_workspace workspace;
    struct clopt_session *sessions; /* variants of the problem at hand */
    enum clopt_stage stage;
    int64_t stage_began_ns;
    double seconds[CLOPT_STAGES];
};

/* Begins a stage. */
static void begin(struct clopt_engine *engine, enum clopt_stage stage)
{
    engine->stage = stage;
    engine->stage_began_ns = clopt_now_ns();
    if (engine->begins)
        engine->begins(engine->user, stage);
}

/* Ends the stage that began last, and hands its status through. */
static enum clopt_status end(struct clopt_engine *engine, enum clopt_status status)
{
    int64_t now = clopt_now_ns();
    engine->seconds[engine->stage] += (double)(now - engine->stage_began_ns) * 1e-9;
    return status;
}

enum clopt_status clopt_engine_create(const char *kernel_path, clopt_stage_begins begins,
                                      void *user, struct clopt_engine **created,
                                      struct clopt_error *error)
{
    struct clopt_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return clopt_fail_memory(error);
    engine->workspace.context = &engine->context;
    engine->workspace.kernel_path = kernel_path;
    engine->begins = begins;
    engine->user = user;
    *created = engine;
    return CLOPT_OK;
}

/* Drops the problem at hand and its variants. */
static void leave(struct clopt_engine *engine)
{
    while (engine->sessions)
        clopt_engine_drop(engine, engine->sessions->id);
    clopt_workspace_leave(&engine->workspace);
}

void clopt_engine_destroy(struct clopt_engine *engine)
{
    if (!engine)
        return;
    leave(engine);
    if (engine->opened)
        clopt_context_close(&engine->context);
    free(engine->builds);
    free(engine);
}

enum clopt_status clopt_engine_list(struct clopt_engine *engine, struct clopt_device_info **devices,
                                    size_t *count, struct clopt_error *error)
{
    begin(engine, CLOPT_STAGE_OPEN);
    return end(engine, clopt_device_list(NULL, devices, NULL, count, error));
}

enum clopt_status clopt_engine_open(struct clopt_engine *engine,
                                    const struct clopt_device_info *device, size_t ordinal,
                                    const char *builds, struct clopt_error *error)
{
    begin(engine, CLOPT_STAGE_OPEN);
    enum clopt_status status = clopt_context_open(&engine->context, device, ordinal, error);
    engine->opened = !status;
    if (!status && builds && !(engine->builds = strdup(builds)))
        status = clopt_fail_memory(error);
    engine->context.builds = engine->builds;
    return end(engine, status);
}

enum clopt_status clopt_engine_measure_peaks(struct clopt_engine *engine, struct clopt_peaks *peaks,
                                             struct clopt_error *error)
{
    begin(engine, CLOPT_STAGE_PEAKS);
    return end(engine, clopt_peaks_measure(&engine->context, peaks, error));
}

const struct clopt_device_info *clopt_engine_device(const struct clopt_engine *engine)
{
    return &engine->context.info;
}

const double *clopt_engine_stage_seconds(const struct clopt_engine *engine)
{
    return engine->seconds;
}

struct clopt_session *clopt_engine_find(struct clopt_engine *engine, unsigned id,
                                        struct clopt_error *error)
{
    for (struct clopt_session *session = engine->sessions; session; session = session->next)
        if (session->id == id)
            return session;
    clopt_fail(error, CLOPT_FAILED, "variant number %u has not been made here", id);
    return NULL;
}

void clopt_engine_drop(struct clopt_engine *engine, unsigned id)
{
    for (struct clopt_session **link = &engine->sessions; *link; link = &(*link)->next)
        if ((*link)->id == id) {
            struct clopt_session *session = *link;
            *link = session->next;
            clopt_session_destroy(session);
            return;
        }
}

enum clopt_status clopt_engine_make(struct clopt_engine *engine, unsigned id,
                                    struct clopt_trial *trial, struct clopt_variant *made,
                                    struct clopt_session **session, struct clopt_error *error)
{
    struct clopt_workspace *workspace = &engine->workspace;
    enum clopt_status status = CLOPT_OK;
    clopt_engine_drop(engine, id);
    if (!clopt_workspace_holds(workspace, trial)) {
        leave(engine);
        status = clopt_workspace_enter(workspace, trial, error);
    }
    if (status) {
        clopt_trial_fini(trial);
        return status;
    }
    if (!made)
        begin(engine, CLOPT_STAGE_MAKE);
    status = clopt_session_create(workspace, &workspace->source, trial, made, session, error);
    if (!made)
        end(engine, status);
    if (status)
        return status;
    (*session)->id = id;
    (*session)->next = engine->sessions;
    engine->sessions = *session;
    return CLOPT_OK;
}

enum clopt_status clopt_engine_build(struct clopt_engine *engine, struct clopt_session *session,
                                     struct clopt_error *error)
{
    begin(engine, CLOPT_STAGE_BUILD);
    return end(engine, clopt_session_build(session, error));
}

static enum clopt_status check_built(const struct clopt_session *session, struct clopt_error *error)
{
    return session->program
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_FAILED, "variant number %u is not built", session->id);
}

enum clopt_status clopt_engine_save(struct clopt_engine *engine,
                                    const struct clopt_session *session, const char *path,
                                    struct clopt_error *error)
{
    unsigned char *binary = NULL;
    size_t bytes = 0;
    enum clopt_status status = check_built(session, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_BUILD); /* some drivers compile only now */
    status = end(engine, clopt_program_binary(session->program, &binary, &bytes, error));
    if (!status)
        status = clopt_file_write(path, binary, bytes, error);
    free(binary);
    return status;
}

enum clopt_status clopt_engine_set_up(struct clopt_engine *engine, struct clopt_session *session,
                                      struct clopt_error *error)
{
    enum clopt_status status = check_built(session, error);
    if (status || clopt_session_has_buffers(session))
        return status;
    begin(engine, CLOPT_STAGE_SETUP);
    return end(engine, clopt_session_make_buffers(session, error));
}

/* Launches a variant once, untimed. */
static enum clopt_status launch(struct clopt_engine *engine, struct clopt_session *session,
                                struct clopt_error *error)
{
    enum clopt_status status = clopt_engine_set_up(engine, session, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_LAUNCH);
    status = end(engine, clopt_session_run_poisoned(session, error));
    struct clopt_error finding = {0}; /* says more than the error that it may have led to */
    if (clopt_findings_check(&finding)) {
        *error = finding;
        status = finding.status;
    }
    if (!status)
        clopt_build_note_launch(&session->build, &engine->context, session->deferred_ns);
    return status;
}

/* Launches a variant and takes the digest (NULL: not wanted) of what it computes. */
static enum clopt_status launch_and_digest(struct clopt_engine *engine,
                                           struct clopt_session *session, char *digest,
                                           struct clopt_error *error)
{
    enum clopt_status status = launch(engine, session, error);
    if (status || !digest)
        return status;
    begin(engine, CLOPT_STAGE_VERIFY);
    return end(engine, clopt_session_digest(session, digest, error));
}

/* Launches a variant and lets the app, which has to know what is right, check what it computes. */
static enum clopt_status check(struct clopt_engine *engine, struct clopt_session *session,
                               char *digest, struct clopt_verdict *verdict,
                               struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (session->app->defined && session->app->defined->learn) {
        begin(engine, CLOPT_STAGE_SETUP);
        status = end(engine, clopt_reference_learn(session, error));
    }
    if (!status)
        status = launch_and_digest(engine, session, digest, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_VERIFY);
    return end(engine, clopt_session_check(session, verdict, error));
}

enum clopt_status clopt_engine_verify(struct clopt_engine *engine, struct clopt_session *session,
                                      const char *known, char *digest,
                                      struct clopt_verdict *verdict, struct clopt_error *error)
{
    enum clopt_status status = known ? launch_and_digest(engine, session, digest, error) : CLOPT_OK;
    if (status)
        return status;
    if (!known || strcmp(digest, known) != 0)
        return check(engine, session, digest, verdict, error);
    *verdict = (struct clopt_verdict){.right = true, .text = "the same as was verified before"};
    return CLOPT_OK;
}

enum clopt_status clopt_engine_sample(struct clopt_engine *engine, struct clopt_session *session,
                                      size_t count, int64_t max_ns,
                                      struct clopt_sample_block *block, struct clopt_error *error)
{
    *block = (struct clopt_sample_block){0};
    enum clopt_status status = clopt_engine_set_up(engine, session, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_SAMPLE);
    return end(engine, clopt_samples_take(session, count, max_ns, block, error));
}
