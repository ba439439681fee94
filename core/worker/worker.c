/* SPDX-License-Identifier: BSD-3-Clause */
/* The worker process. */
#include "worker/worker.h"

#include <math.h>

#include "file/file.h"
#include "opencl/listing.h"
#include "process/clock.h"
#include "protocol/message.h"
#include "text/json.h"
#include "trial/observer.h"
#include "trial/rate.h"
#include "worker/pages.h"
#include "worker/sampling.h"

#define FAR 2 /* times slower: one sample shows that */

struct worker {
    int file;
    struct clopt_workspace workspace;
    const struct clopt_registry *registry;
    json_t *request; /* the one at hand, with its answer, and why it failed */
    json_t *answer;
    struct clopt_error error;
    double seconds[CLOPT_STAGES];  /* told already */
    enum clopt_clock_source clock; /* the same */
    json_t *part; /* of the answer, to be sent when the next stage begins; or NULL */
};

/* ---- what a request has, and its answer gets ---- */

static const json_t *get(const struct worker *worker, const char *key)
{
    return json_object_get(worker->request, key);
}

static const char *get_text(const struct worker *worker, const char *key)
{
    return json_string_value(get(worker, key));
}

static int64_t get_number(const struct worker *worker, const char *key)
{
    return (int64_t)json_integer_value(get(worker, key));
}

static bool wants(const struct worker *worker, const char *key)
{
    return json_is_true(get(worker, key));
}

static void tell(struct worker *worker, const char *key, json_t *value)
{
    json_object_set_new(worker->answer, key, value);
}

static void note_stage(void *user, enum clopt_stage stage)
{
    struct worker *worker = user;
    clopt_message_send(worker->file + 1,
                       json_pack("{s:s,s:I,s:o*}", "stage", clopt_stage_name(stage), "began_ns",
                                 (json_int_t)clopt_now_ns(), "part", worker->part),
                       NULL);
    worker->part = NULL;
}

/* Has what is known by now sent with the note of the next stage, ahead of the rest of an answer: it
 * counts where that stage ends the worker. */
static void send_early(struct worker *worker)
{
    if (!worker->part)
        worker->part = json_object();
    json_object_update(worker->part, worker->answer);
    json_object_clear(worker->answer);
}

/* ---- devices ---- */

static enum clopt_status serve_list(struct worker *worker)
{
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    size_t count = 0;
    CLOPT_TRY(clopt_device_list(NULL, &devices, NULL, &count, &worker->error));
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, clopt_device_to_json(&devices[i]));
    tell(worker, "devices", list);
    return CLOPT_OK;
}

static enum clopt_status serve_open(struct worker *worker)
{
    struct clopt_device_info device;
    worker->workspace.memory_bytes = (uint64_t)get_number(worker, "memory");
    CLOPT_TRY(clopt_device_from_json(get(worker, "device"), &device, &worker->error));
    CLOPT_TRY(clopt_workspace_open(&worker->workspace, &device,
                                   (size_t)get_number(worker, "ordinal"),
                                   get_text(worker, "builds")));
    tell(worker, "device", clopt_device_to_json(&worker->workspace.context.info));
    return CLOPT_OK;
}

/* Tells the device's clock, once it is known, and where it becomes another one. */
static void tell_clock(struct worker *worker)
{
    const struct clopt_clock *clock = &worker->workspace.context.clock;
    if (clock->source != worker->clock)
        tell(worker, "clock", clopt_clock_to_json(clock));
    worker->clock = clock->source;
}

/* Has a counter measure the device, once its clock is known. */
static enum clopt_status measure(struct worker *worker, enum clopt_counter_use use,
                                 const char *answer)
{
    struct clopt_context *context = &worker->workspace.context;
    json_t *rates = NULL;
    CLOPT_TRY(clopt_clock_measure(worker->registry, context, &worker->error));
    CLOPT_TRY(clopt_counter_measure(worker->registry, context, use, &rates, &worker->error));
    json_object_set_new(rates, "clock", clopt_clock_to_json(&context->clock));
    tell(worker, answer, rates);
    return CLOPT_OK;
}

static enum clopt_status serve_peaks(struct worker *worker)
{
    return measure(worker, CLOPT_MEASURES_PEAKS, "peaks");
}

static enum clopt_status serve_access(struct worker *worker)
{
    return measure(worker, CLOPT_MEASURES_ACCESS, "access");
}

/* Whether energy can be read. */
static enum clopt_status serve_energy(struct worker *worker)
{
    return clopt_workspace_open_energy(&worker->workspace);
}

/* ---- the stages of a trial ---- */

/* Returns the observer after number `*at` that a request names; NULL: there is none. */
static const struct clopt_observer *next_observer(const struct worker *worker, size_t *at)
{
    const struct clopt_plugin_entry *entry;
    const char *name;
    while ((name = json_string_value(json_array_get(get(worker, "observers"), (*at)++))))
        if (!clopt_registry_find(worker->registry, CLOPT_KIND_OBSERVER, name, &entry, NULL))
            return entry->extension->operations;
    return NULL;
}

/* Lets the observers of a request look at the variant. */
static void observe(struct worker *worker, struct clopt_session *session, bool built)
{
    const struct clopt_observed observed = {.trial = &session->trial,
                                            .source = &worker->workspace.source,
                                            .variant = &session->variant,
                                            .initial = wants(worker, "initial")};
    const struct clopt_observer *observer;
    for (size_t at = 0; (observer = next_observer(worker, &at));)
        if (built ? observer->built : observer->made)
            (built ? observer->built : observer->made)(&observed, worker->answer);
}

/* Tells what another process needs, which is to build or to report the variant. */
static enum clopt_status tell_variant(struct worker *worker, struct clopt_session *session)
{
    const struct clopt_variant *variant = &session->variant;
    json_t *names = json_array();
    for (const struct clopt_kernel *kernel = session->app->kernels; kernel->name; kernel++)
        json_array_append_new(names, json_string(kernel->name));
    json_array_append_new(names, json_string(""));
    tell(worker, "kernels", names);
    observe(worker, session, false);
    json_auto_t *json = clopt_variant_to_json(variant);
    return clopt_message_set_variant(worker->answer, json)
               ? CLOPT_OK
               : clopt_fail(&worker->error, CLOPT_INVALID, "the kernel's source is not UTF-8");
}

/* Makes the variant of a request: rewrites its source, unless another process has done so. */
static enum clopt_status make(struct worker *worker, struct clopt_session **session)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_variant) made = {0};
    const json_t *known = clopt_message_get_variant(worker->request);
    CLOPT_TRY(
        clopt_trial_from_json(get(worker, "trial"), worker->registry, &trial, &worker->error));
    if (known)
        CLOPT_TRY(clopt_variant_from_json(known, &trial, &made, &worker->error));
    CLOPT_TRY(clopt_session_make(&worker->workspace, (unsigned)get_number(worker, "id"), &trial,
                                 known ? &made : NULL, session));
    return known ? CLOPT_OK : tell_variant(worker, *session);
}

/* Builds the variant of a request. `recalled`: only what it cost is told, since it was built and
 * launched before, and the request wants no more. */
static enum clopt_status build(struct worker *worker, struct clopt_session *session, bool *recalled)
{
    const struct clopt_build *build = &session->build;
    enum clopt_status status = CLOPT_OK;
    *recalled = wants(worker, "recall") && !session->program && !session->trial.rival &&
                clopt_build_recall(&session->build);
    if (!*recalled) {
        clopt_workspace_begin(&worker->workspace, CLOPT_STAGE_BUILD);
        status = clopt_session_build(session);
    }
    json_object_update_new(
        worker->answer,
        clopt_json_object("build_ns:i cached:b launched:b deferred_ns:i log:S built:b",
                          build->build_ns, build->cached, build->launched, build->deferred_ns,
                          build->log, !status));
    /* Only now: what no compiler can read may not be read here, either. */
    if (!status)
        observe(worker, session, true);
    return status;
}

/* JSON has no infinity and no NaN: they go as text. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_string(isnan(value) ? "nan" : "inf");
}

/* Tells the work that the kernels do. */
static enum clopt_status tell_work(struct worker *worker, const struct clopt_session *session)
{
    json_t *work = json_object();
    tell(worker, "work", work);
    for (const struct clopt_kernel *kernel = session->app->kernels; kernel->name; kernel++) {
        struct clopt_kernel_work part = {0};
        CLOPT_TRY(session->app->describe(&session->problem, worker->workspace.state, kernel, &part,
                                         &worker->error));
        json_object_set_new(work, kernel->name,
                            json_pack("[s,f,f]", clopt_arithmetic_name(part.arithmetic),
                                      part.operations, part.bytes));
    }
    return CLOPT_OK;
}

static enum clopt_status verify(struct worker *worker, struct clopt_session *session)
{
    struct clopt_verdict verdict = {.error = NAN};
    struct clopt_workspace *workspace = &worker->workspace;
    workspace->once_ns = json_number_value(get(worker, "once_ns"));
    if (workspace->once_ns > 0 && !wants(worker, "drop") && !session->rival && !session->first_ns) {
        CLOPT_TRY(clopt_clock_measure(worker->registry, &workspace->context, &worker->error));
        session->first_ns = clopt_calloc(session->kernel_count + 2, sizeof *session->first_ns);
    }
    enum clopt_status status =
        clopt_session_verify(session, get_text(worker, "known"), session->digest, &verdict);
    json_object_update_new(worker->answer,
                           clopt_json_object("deferred_ns:i verified:b error:o bound:o text:s",
                                             session->build.deferred_ns, !status && verdict.right,
                                             number(verdict.error), number(verdict.bound),
                                             verdict.text));
    CLOPT_TRY(status);
    tell(worker, "digest", json_string(session->digest));
    tell(worker, "launch_ns", json_pack("[f,f]", session->least_ns, session->most_ns));
    bool permutes = false;
    for (size_t i = 0; i < session->variant.change_count; i++)
        permutes |= session->variant.changes[i].change.layout_count > 0;
    if (permutes)
        tell(worker, "permuted_ns", json_real(session->permuted_ns));
    return wants(worker, "work") ? tell_work(worker, session) : CLOPT_OK;
}

/* Verifies once more, after samples, of which the shortest took so long: a kernel may count its
 * launches, or keep results. Where the best alone is asked for, what is far slower than another one
 * that was right then is not worth it. */
static enum clopt_status verify_again(struct worker *worker, struct clopt_session *session,
                                      double least_ns)
{
    struct clopt_verdict verdict;
    char digest[CLOPT_HASH_SIZE];
    double *proven_ns = &worker->workspace.proven_ns;
    if (wants(worker, "winner_only") && *proven_ns > 0 && least_ns > FAR * *proven_ns)
        return CLOPT_OK;
    session->buffers->keeps_scratch = true;
    enum clopt_status status = clopt_session_verify(session, session->digest, digest, &verdict);
    if (session->buffers)
        session->buffers->keeps_scratch = false;
    CLOPT_TRY(status ? clopt_fail_within(session->error, "after its samples") : status);
    session->proven = true;
    *proven_ns = *proven_ns > 0 ? fmin(*proven_ns, least_ns) : least_ns;
    return CLOPT_OK;
}

static enum clopt_status sample(struct worker *worker, struct clopt_session *session)
{
    struct clopt_sample_block block;
    int64_t wanted = get_number(worker, "count");
    enum clopt_objective objective = CLOPT_OBJECTIVE_TIME;
    clopt_objective_find(get_text(worker, "objective"), &objective);
    worker->workspace.seeks_quiet = wants(worker, "seek_quiet");
    enum clopt_status status = clopt_samples_take(
        session, objective, wanted > 0 ? (size_t)wanted : 1, get_number(worker, "max_ns"), &block);
    bool again = !session->proven && session->digest[0] && !session->rival && !block.verified &&
                 !wants(worker, "reproducible");
    status = status || !again ? status : verify_again(worker, session, block.least_ns);
    if (!status) {
        json_t *times = json_array();
        for (size_t row = 0; row < block.count; row++) {
            json_t *cells = json_array();
            for (size_t column = 0; column < block.columns; column++)
                json_array_append_new(cells,
                                      json_real(block.times_ns[row * block.columns + column]));
            json_array_append_new(times, cells);
        }
        tell(worker, "times_ns", times);
        tell(worker, "waited_ns", json_real(block.waited_ns));
    }
    free(block.times_ns);
    return status;
}

/* Writes the binary of a built variant, as the driver hands it out, to a file. */
static enum clopt_status save_binary(const struct clopt_session *session, const char *path)
{
    CLOPT_FREED unsigned char *binary = NULL;
    size_t bytes = 0;
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_BUILD); /* some compile only now */
    CLOPT_TRY(clopt_program_binary(session->program, &binary, &bytes, session->error));
    return clopt_file_write(path, &clopt_file_any, binary, bytes, session->error);
}

/* Fails with what the observer of a name finds in a variant, or tells what the first one finds. */
static enum clopt_status check(struct worker *worker, struct clopt_session *session,
                               const char *name)
{
    const char *by;
    CLOPT_FREED char *found = NULL;
    CLOPT_TRY(clopt_session_observe(session, name, &by, &found));
    if (found && name)
        return clopt_fail(&worker->error, CLOPT_WRONG_RESULT, "%s", found);
    if (!name)
        tell(worker, "explained",
             found ? json_sprintf("%s finds: %s", by, found)
                   : json_sprintf("%s finds no wrong access", by));
    return CLOPT_OK;
}

/* Does what a request wants of a built variant beside its stages. */
static enum clopt_status serve_extras(struct worker *worker, struct clopt_session *session)
{
    const char *path = get_text(worker, "save"), *name = get_text(worker, "check");
    const struct clopt_observer *observer;
    if ((path && save_binary(session, path)) ||
        ((name || wants(worker, "explain")) && check(worker, session, name)))
        return worker->error.status;
    for (size_t at = 0; (observer = next_observer(worker, &at));)
        if (observer->report)
            CLOPT_TRY(observer->report(session, worker->request, worker->answer));
    return CLOPT_OK;
}

/* Takes a variant from one stage to another, `from` and `until`: make, build, verify or sample. */
static enum clopt_status run_stages(struct worker *worker)
{
    enum clopt_stage from = clopt_stage_find(get_text(worker, "from"));
    enum clopt_stage until = clopt_stage_find(get_text(worker, "until"));
    unsigned id = (unsigned)get_number(worker, "id");
    struct clopt_session *session = NULL;
    bool recalled = false;
    if (from == CLOPT_STAGE_MAKE)
        CLOPT_TRY(make(worker, &session));
    else
        session = clopt_session_find(&worker->workspace, id);
    if (!session || (from > CLOPT_STAGE_BUILD && !session->program && !session->rival))
        return clopt_fail(&worker->error, CLOPT_FAILED, "variant number %u has not been %s here",
                          id, session ? "built" : "made");
    if (from <= CLOPT_STAGE_BUILD && until >= CLOPT_STAGE_BUILD) {
        send_early(worker);
        CLOPT_TRY(build(worker, session, &recalled));
    }
    if (wants(worker, "inputs"))
        clopt_workspace_begin(&worker->workspace, CLOPT_STAGE_SETUP);
    if ((wants(worker, "inputs") && clopt_workspace_set_up(&worker->workspace)) ||
        (wants(worker, "set_up") && clopt_session_make_buffers(session)))
        return worker->error.status;
    if (from < CLOPT_STAGE_SAMPLE)
        send_early(worker);
    if ((!recalled && from <= CLOPT_STAGE_VERIFY && until >= CLOPT_STAGE_VERIFY &&
         verify(worker, session)) ||
        (!recalled && until >= CLOPT_STAGE_SAMPLE && sample(worker, session)))
        return worker->error.status;
    return serve_extras(worker, session);
}

static enum clopt_status serve_trial(struct worker *worker)
{
    enum clopt_status status = run_stages(worker);
    if (wants(worker, "drop"))
        clopt_session_drop(&worker->workspace, (unsigned)get_number(worker, "id"));
    return status;
}

/* ---- requests ---- */

/* Runtimes and compilers install handlers that may swallow a fault: here a crash is to be one. */
static void restore_signals(void)
{
#ifndef __SANITIZE_ADDRESS__
    static const int signals[] = {SIGBUS, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    clopt_pages_watch();
#endif
}

static enum clopt_status serve(struct worker *worker)
{
    static const struct {
        const char *op;
        enum clopt_status (*serve)(struct worker *worker);
        enum clopt_stage stage; /* that it is; CLOPT_STAGES: it goes through some */
    } operations[] = {
        {"list", serve_list, CLOPT_STAGE_OPEN},      {"open", serve_open, CLOPT_STAGES},
        {"peaks", serve_peaks, CLOPT_STAGE_PEAKS},   {"access", serve_access, CLOPT_STAGE_PEAKS},
        {"energy", serve_energy, CLOPT_STAGE_PEAKS}, {"trial", serve_trial, CLOPT_STAGES},
    };
    const char *op = get_text(worker, "op");
    for (size_t i = 0; op && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].op, op) == 0) {
            clopt_workspace_begin(&worker->workspace, operations[i].stage);
            return operations[i].serve(worker);
        }
    return clopt_fail(&worker->error, CLOPT_FAILED, "unknown request %s", op ? op : "without op");
}

/* Adds what the stages have taken since the answer before. */
static void tell_seconds(struct worker *worker)
{
    const double *seconds = worker->workspace.stages.seconds;
    json_t *object = json_object();
    clopt_workspace_begin(&worker->workspace, CLOPT_STAGES);
    for (int stage = 0; stage < CLOPT_STAGES; stage++) {
        double spent = seconds[stage] - worker->seconds[stage];
        if (spent > 0)
            json_object_set_new(object, clopt_stage_name(stage), json_real(spent));
        worker->seconds[stage] = seconds[stage];
    }
    tell(worker, "seconds", object);
}

enum clopt_status clopt_worker_serve(int file, const struct clopt_registry *registry,
                                     const char *plugin_path, const char *kernel_path,
                                     struct clopt_error *error)
{
    struct worker worker = {.file = file,
                            .workspace = {.registry = registry,
                                          .plugin_path = plugin_path,
                                          .kernel_path = kernel_path,
                                          .stages.begins = note_stage,
                                          .stages.user = &worker},
                            .registry = registry};
    CLOPT_OWNED(clopt_message_reader) reader = {0};
    enum clopt_status status = CLOPT_OK;
    worker.workspace.error = &worker.error;
    while (!status && !(status = clopt_message_receive(&reader, file, &worker.request, error))) {
        worker.answer = json_object();
        worker.error = (struct clopt_error){0};
        restore_signals();
        if (serve(&worker))
            clopt_message_set_error(worker.answer, &worker.error);
        tell_clock(&worker);
        /* Something was written outside of buffers, be it by a variant that is dropped. */
        for (const struct clopt_buffers *at = worker.workspace.buffers; at; at = at->next)
            if (at->damaged)
                tell(&worker, "damaged", json_true());
        json_decref(worker.request);
        json_object_update_missing(worker.answer, worker.part);
        json_decref(worker.part);
        worker.part = NULL;
        tell_seconds(&worker);
        status = clopt_message_send(file, worker.answer, error);
    }
    clopt_workspace_close(&worker.workspace);
    return status == CLOPT_INTERRUPTED ? CLOPT_OK : status; /* the supervisor has hung up */
}
