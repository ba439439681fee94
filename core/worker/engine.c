/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, builds, verifies and samples variants on one device. */
#include "worker/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "worker/findings.h"
#include "worker/peak.h"
#include "worker/reference.h"

/* A variant that is ready to run. */
struct slot {
    unsigned id;
    struct clopt_trial trial;
    struct clopt_variant variant; /* owned by the session when that is there */
    struct clopt_build build;
    char launch[CLOPT_HASH_SIZE];  /* what tells its launches from others of the program */
    struct clopt_session *session; /* NULL: made, but not built */
    unsigned batch;                /* runs a sample; 0: not known yet */
    struct slot *next;
};

struct clopt_engine {
    const struct clopt_registry *registry;
    const char *kernel_path;
    clopt_stage_begins begins;
    void *user;
    bool opened;
    struct clopt_context context;
    char *builds; /* the context's */

    struct clopt_workspace workspace;
    struct slot *slots; /* variants of the problem at hand */

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

enum clopt_status clopt_engine_create(const struct clopt_registry *registry,
                                      const char *kernel_path, clopt_stage_begins begins,
                                      void *user, struct clopt_engine **created,
                                      struct clopt_error *error)
{
    struct clopt_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return clopt_fail_memory(error);
    engine->registry = registry;
    engine->kernel_path = kernel_path;
    engine->begins = begins;
    engine->user = user;
    *created = engine;
    return CLOPT_OK;
}

static void slot_destroy(struct slot *slot)
{
    clopt_session_destroy(slot->session);
    clopt_build_fini(&slot->build);
    clopt_variant_fini(&slot->variant);
    clopt_trial_fini(&slot->trial);
    free(slot);
}

/* Forgets the problem at hand and its variants. */
static void forget_problem(struct clopt_engine *engine)
{
    while (engine->slots) {
        struct slot *slot = engine->slots;
        engine->slots = slot->next;
        slot_destroy(slot);
    }
    clopt_workspace_leave(&engine->workspace);
}

void clopt_engine_destroy(struct clopt_engine *engine)
{
    if (!engine)
        return;
    forget_problem(engine);
    if (engine->opened)
        clopt_context_close(&engine->context);
    free(engine->builds);
    free(engine);
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

const char *clopt_engine_source_path(const struct clopt_engine *engine)
{
    return engine->workspace.source.path;
}

const struct clopt_kernel *clopt_engine_kernels(const struct clopt_engine *engine)
{
    return clopt_entry_app(engine->workspace.app)->kernels;
}

const double *clopt_engine_stage_seconds(const struct clopt_engine *engine)
{
    return engine->seconds;
}

/* Sees to it that the trial's problem is the one at hand: its variants live and die with it. */
static enum clopt_status enter(struct clopt_engine *engine, const struct clopt_trial *trial,
                               struct clopt_error *error)
{
    if (clopt_workspace_holds(&engine->workspace, trial))
        return CLOPT_OK;
    forget_problem(engine);
    return clopt_workspace_enter(&engine->workspace, trial, engine->kernel_path, error);
}

static struct slot *find_slot(struct clopt_engine *engine, unsigned id, struct clopt_error *error)
{
    for (struct slot *slot = engine->slots; slot; slot = slot->next)
        if (slot->id == id)
            return slot;
    clopt_fail(error, CLOPT_FAILED, "variant number %u has not been made here", id);
    return NULL;
}

static struct slot *find_built(struct clopt_engine *engine, unsigned id, struct clopt_error *error)
{
    struct slot *slot = find_slot(engine, id, error);
    if (!slot || slot->session)
        return slot;
    clopt_fail(error, CLOPT_FAILED, "variant number %u has not been built here", id);
    return NULL;
}

void clopt_engine_drop(struct clopt_engine *engine, unsigned id)
{
    for (struct slot **link = &engine->slots; *link; link = &(*link)->next)
        if ((*link)->id == id) {
            struct slot *slot = *link;
            *link = slot->next;
            slot_destroy(slot);
            return;
        }
}

/* Rewrites the source of a slot's trial, or takes over what another process made of it. */
static enum clopt_status make_variant(struct clopt_engine *engine, struct slot *slot,
                                      struct clopt_variant *made, struct clopt_error *error)
{
    if (made) {
        slot->variant = *made;
        *made = (struct clopt_variant){0};
        return CLOPT_OK;
    }
    begin(engine, CLOPT_STAGE_MAKE);
    return end(engine, clopt_variant_make(&slot->trial, &engine->workspace.source,
                                          &engine->context.info, &slot->variant, error));
}

enum clopt_status clopt_engine_make(struct clopt_engine *engine, unsigned id,
                                    struct clopt_trial *trial, struct clopt_variant *made,
                                    const struct clopt_variant **variant, struct clopt_error *error)
{
    clopt_engine_drop(engine, id);
    struct slot *slot = calloc(1, sizeof *slot);
    if (!slot) {
        clopt_trial_fini(trial);
        return clopt_fail_memory(error);
    }
    slot->id = id;
    slot->trial = *trial;
    *trial = (struct clopt_trial){0};
    enum clopt_status status = enter(engine, &slot->trial, error);
    if (!status)
        status = make_variant(engine, slot, made, error);
    if (status) {
        slot_destroy(slot);
        return status;
    }
    *variant = &slot->variant;
    slot->next = engine->slots;
    engine->slots = slot;
    return CLOPT_OK;
}

/* Returns the hash of what a source includes; NULL where it includes nothing. */
static const char *included(const struct clopt_app_source *source)
{
    return source->includes ? source->hash : NULL;
}

/* Hashes what tells the launches of a program apart, as far as drivers may compile for them. */
static void hash_launch(const struct clopt_engine *engine, const struct slot *slot,
                        char launch[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, engine->workspace.app->plugin->name);
    clopt_sha256_add_string(&hash, engine->workspace.app->hash);
    for (size_t i = 0; i < engine->workspace.inputs->count; i++) {
        clopt_sha256_add_string(&hash, engine->workspace.inputs->items[i].name);
        clopt_sha256_add_string(&hash, engine->workspace.inputs->items[i].text);
    }
    clopt_sha256_add_string(&hash, slot->variant.fingerprint);
    clopt_sha256_end(&hash, launch);
}

enum clopt_status clopt_engine_build(struct clopt_engine *engine, unsigned id,
                                     const struct clopt_build **build, struct clopt_error *error)
{
    *build = NULL;
    struct slot *slot = find_slot(engine, id, error);
    if (!slot)
        return error->status;
    cl_program program = NULL;
    clopt_build_fini(&slot->build);
    begin(engine, CLOPT_STAGE_BUILD);
    enum clopt_status status =
        end(engine, clopt_build_program(&engine->context, slot->variant.source,
                                        slot->variant.options, included(&engine->workspace.source),
                                        &slot->build, &program, error));
    *build = &slot->build;
    if (status)
        return status;
    hash_launch(engine, slot, slot->launch);
    clopt_build_find_launch(&engine->context, slot->launch, &slot->build);
    return clopt_session_create(&engine->context, clopt_entry_app(engine->workspace.app),
                                &engine->workspace, slot->trial.kernel, &slot->variant, program,
                                &slot->session, error);
}

bool clopt_engine_recall(struct clopt_engine *engine, unsigned id, const struct clopt_build **build)
{
    struct clopt_error none;
    struct slot *slot = find_slot(engine, id, &none);
    if (!slot || slot->session)
        return false;
    char launch[CLOPT_HASH_SIZE];
    hash_launch(engine, slot, launch);
    clopt_build_fini(&slot->build);
    *build = &slot->build;
    return clopt_build_recall(&engine->context, slot->variant.source, slot->variant.options,
                              included(&engine->workspace.source), launch, &slot->build);
}

enum clopt_status clopt_engine_save(struct clopt_engine *engine, unsigned id, const char *path,
                                    struct clopt_error *error)
{
    struct slot *slot = find_built(engine, id, error);
    if (!slot)
        return error->status;
    unsigned char *binary = NULL;
    size_t bytes = 0;
    begin(engine, CLOPT_STAGE_BUILD); /* some drivers compile only now */
    enum clopt_status status =
        end(engine, clopt_program_binary(slot->session->program, &binary, &bytes, error));
    if (!status)
        status = clopt_file_write(path, binary, bytes, error);
    free(binary);
    return status;
}

/* Finds or makes the buffers that a session needs. */
static enum clopt_status get_buffers(struct clopt_engine *engine, struct clopt_session *session,
                                     struct clopt_buffers **buffers, struct clopt_error *error)
{
    *buffers = clopt_workspace_find_buffers(&engine->workspace, session);
    if (*buffers)
        return CLOPT_OK;
    begin(engine, CLOPT_STAGE_SETUP);
    return end(engine, clopt_workspace_make_buffers(&engine->workspace, session, buffers, error));
}

/* Sees to it that the app knows what is right, before a variant is judged. */
static enum clopt_status learn_reference(struct clopt_engine *engine, const struct slot *slot,
                                         struct clopt_error *error)
{
    if (!clopt_entry_app(engine->workspace.app)->learn)
        return CLOPT_OK;
    begin(engine, CLOPT_STAGE_SETUP);
    return end(engine,
               clopt_reference_learn(&engine->workspace, &engine->context, engine->kernel_path,
                                     &slot->trial, slot->session, error));
}

/* Launches a variant once, untimed. */
static enum clopt_status launch(struct clopt_engine *engine, struct slot *slot,
                                struct clopt_error *error)
{
    struct clopt_buffers *buffers;
    enum clopt_status status = get_buffers(engine, slot->session, &buffers, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_LAUNCH);
    status = end(engine, clopt_session_verify_launch(slot->session, buffers, error));
    struct clopt_error finding = {0}; /* says more than the error that it may have led to */
    if (clopt_findings_check(&finding)) {
        *error = finding;
        status = finding.status;
    }
    if (!status)
        clopt_build_note_launch(&engine->context, slot->launch, &slot->build,
                                slot->session->deferred_ns);
    return status;
}

/* Launches a variant that was verified before, and compares digests. */
static enum clopt_status recognize(struct clopt_engine *engine, struct slot *slot,
                                   const char *known, char digest[CLOPT_HASH_SIZE], bool *same,
                                   struct clopt_error *error)
{
    enum clopt_status status = launch(engine, slot, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_VERIFY);
    return end(engine, clopt_session_recognize(slot->session, known, digest, same, error));
}

/* Launches a variant and lets the app check what it computes. */
static enum clopt_status verify(struct clopt_engine *engine, struct slot *slot, char *digest,
                                struct clopt_verdict *verdict, struct clopt_error *error)
{
    bool same;
    enum clopt_status status = learn_reference(engine, slot, error);
    if (!status)
        status = launch(engine, slot, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_VERIFY);
    if (digest)
        status = clopt_session_recognize(slot->session, NULL, digest, &same, error);
    if (!status)
        status = clopt_session_verify_result(slot->session, verdict, error);
    return end(engine, status);
}

enum clopt_status clopt_engine_set_up(struct clopt_engine *engine, unsigned id,
                                      struct clopt_error *error)
{
    struct clopt_buffers *buffers;
    struct slot *slot = find_built(engine, id, error);
    return slot ? get_buffers(engine, slot->session, &buffers, error) : error->status;
}

enum clopt_status clopt_engine_verify(struct clopt_engine *engine, unsigned id, const char *known,
                                      char *digest, struct clopt_verdict *verdict,
                                      int64_t *deferred_ns, struct clopt_error *error)
{
    bool same = false;
    enum clopt_status status = CLOPT_OK;
    struct slot *slot = find_built(engine, id, error);
    if (!slot)
        return error->status;
    if (known)
        status = recognize(engine, slot, known, digest, &same, error);
    if (same)
        *verdict = (struct clopt_verdict){.right = true, .text = "the same as was verified before"};
    else if (!status)
        status = verify(engine, slot, digest, verdict, error);
    *deferred_ns = slot->build.deferred_ns;
    return status;
}

enum clopt_status clopt_engine_sample(struct clopt_engine *engine, unsigned id, size_t count,
                                      int64_t max_ns, struct clopt_sample_block *block,
                                      struct clopt_error *error)
{
    *block = (struct clopt_sample_block){0};
    struct slot *slot = find_built(engine, id, error);
    if (!slot)
        return error->status;
    struct clopt_buffers *buffers;
    enum clopt_status status = get_buffers(engine, slot->session, &buffers, error);
    if (status)
        return status;
    begin(engine, CLOPT_STAGE_SAMPLE);
    return end(engine, clopt_samples_take(slot->session, buffers, &slot->batch, count, max_ns,
                                          block, error));
}

/* Finds a variant whose last run is to be told of. */
static struct slot *find_run(struct clopt_engine *engine, unsigned id, struct clopt_error *error)
{
    struct slot *slot = find_built(engine, id, error);
    if (slot)
        slot->session->error = (struct clopt_error){0};
    return slot;
}

enum clopt_status clopt_engine_summarize(struct clopt_engine *engine, unsigned id, FILE *stream,
                                         struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(engine->workspace.app);
    if (!app->summarize)
        return CLOPT_OK;
    struct slot *slot = find_run(engine, id, error);
    if (!slot)
        return error->status;
    enum clopt_status status =
        app->summarize(engine->workspace.state, &slot->session->problem, slot->session, stream);
    if (status)
        *error = slot->session->error;
    return status;
}

enum clopt_status clopt_engine_write(struct clopt_engine *engine, unsigned id, unsigned result,
                                     FILE *stream, struct clopt_error *error)
{
    const struct clopt_app *app = clopt_entry_app(engine->workspace.app);
    struct slot *slot = find_run(engine, id, error);
    if (!slot)
        return error->status;
    enum clopt_status status =
        app->write(engine->workspace.state, &slot->session->problem, slot->session, result, stream);
    if (status)
        *error = slot->session->error;
    return status;
}

enum clopt_status clopt_engine_describe(struct clopt_engine *engine, unsigned id,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_kernel_work *work, struct clopt_error *error)
{
    struct slot *slot = find_built(engine, id, error);
    if (!slot)
        return error->status;
    *work = (struct clopt_kernel_work){0};
    return clopt_entry_app(engine->workspace.app)
        ->describe(&slot->session->problem, engine->workspace.state, kernel, work, error);
}
