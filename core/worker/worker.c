/* SPDX-License-Identifier: BSD-3-Clause */
/* The worker process. */
#include "worker/worker.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "opencl/listing.h"
#include "peak/access.h"
#include "peak/peak.h"
#include "protocol/message.h"
#include "trial/patterns.h"
#include "worker/counters.h"
#include "worker/sampling.h"
#include "worker/trace.h"

struct worker {
    int file;
    struct clopt_workspace workspace;
    const struct clopt_registry *registry;
    double seconds[CLOPT_STAGES]; /* told already */
    json_t *part; /* of the answer, to be sent when the next stage begins; or NULL */
};

static void note_stage(void *user, enum clopt_stage stage)
{
    struct worker *worker = user;
    clopt_message_send(worker->file + 1,
                       json_pack("{s:s,s:I,s:o*}", "stage", clopt_stage_name(stage), "began_ns",
                                 (json_int_t)clopt_now_ns(), "part", worker->part),
                       NULL);
    worker->part = NULL;
}

static unsigned request_id(const json_t *request)
{
    return (unsigned)json_integer_value(json_object_get(request, "id"));
}

static enum clopt_status serve_list(struct worker *worker, const json_t *request, json_t *answer,
                                    struct clopt_error *error)
{
    (void)worker;
    (void)request;
    struct clopt_device_info *devices = NULL;
    size_t count = 0;
    enum clopt_status status = clopt_device_list(NULL, &devices, NULL, &count, error);
    if (status)
        return status;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, clopt_device_to_json(&devices[i]));
    free(devices);
    json_object_set_new(answer, "devices", list);
    return CLOPT_OK;
}

static enum clopt_status serve_open(struct worker *worker, const json_t *request, json_t *answer,
                                    struct clopt_error *error)
{
    struct clopt_device_info device;
    enum clopt_status status =
        clopt_device_from_json(json_object_get(request, "device"), &device, error);
    if (!status)
        status =
            clopt_workspace_open(&worker->workspace, &device,
                                 (size_t)json_integer_value(json_object_get(request, "ordinal")),
                                 json_string_value(json_object_get(request, "builds")), error);
    if (!status)
        json_object_set_new(answer, "device",
                            clopt_device_to_json(&worker->workspace.context.info));
    return status;
}

static enum clopt_status serve_peaks(struct worker *worker, const json_t *request, json_t *answer,
                                     struct clopt_error *error)
{
    (void)request;
    struct clopt_peaks peaks;
    enum clopt_status status = clopt_peaks_measure(&worker->workspace.context, &peaks, error);
    if (!status)
        json_object_set_new(answer, "peaks", clopt_peaks_to_json(&peaks));
    return status;
}

static enum clopt_status serve_access(struct worker *worker, const json_t *request, json_t *answer,
                                      struct clopt_error *error)
{
    (void)request;
    struct clopt_access_rates rates;
    enum clopt_status status = clopt_access_measure(&worker->workspace.context, &rates, error);
    if (!status)
        json_object_set_new(answer, "access", clopt_access_to_json(&rates));
    return status;
}

/* Whether energy can be read. */
static enum clopt_status serve_energy(struct worker *worker, const json_t *request, json_t *answer,
                                      struct clopt_error *error)
{
    (void)request;
    (void)answer;
    return clopt_workspace_open_energy(&worker->workspace, error);
}

/* Tells what another process needs, which is to build or to report the variant. */
static enum clopt_status tell_variant(const struct clopt_session *session, bool with_patterns,
                                      json_t *answer, struct clopt_error *error)
{
    const struct clopt_variant *variant = &session->variant;
    json_t *names = json_array();
    for (const struct clopt_kernel *kernel = session->app->kernels; kernel->name; kernel++)
        json_array_append_new(names, json_string(kernel->name));
    json_array_append_new(names, json_string(""));
    json_object_set_new(answer, "kernels", names);
    if (with_patterns)
        json_object_set_new(
            answer, "patterns",
            clopt_patterns_to_json(&session->trial, variant, session->workspace->source.path));
    json_t *json = clopt_variant_to_json(variant);
    int failed = clopt_message_set_variant(answer, json);
    json_decref(json);
    return failed ? clopt_fail(error, CLOPT_INVALID, "the kernel's source is not UTF-8") : CLOPT_OK;
}

/* Makes the variant of a request: rewrites its source, unless another process has done so. */
static enum clopt_status make(struct worker *worker, const json_t *request, json_t *answer,
                              struct clopt_session **session, struct clopt_error *error)
{
    struct clopt_trial trial = {0};
    struct clopt_variant made = {0};
    const json_t *known = clopt_message_get_variant(request);
    enum clopt_status status =
        clopt_trial_from_json(json_object_get(request, "trial"), worker->registry, &trial, error);
    if (!status && known)
        status = clopt_variant_from_json(known, &trial, &made, error);
    if (!status)
        status = clopt_session_make(&worker->workspace, request_id(request), &trial,
                                    known ? &made : NULL, session, error);
    clopt_trial_fini(&trial);
    clopt_variant_fini(&made);
    return status || known
               ? status
               : tell_variant(*session, json_is_true(json_object_get(request, "patterns")), answer,
                              error);
}

/* Builds the variant of a request. `recalled`: only what it cost is told, since it was built and
 * launched before, and the request wants no more. */
static enum clopt_status build(const json_t *request, struct clopt_session *session, json_t *answer,
                               bool *recalled, struct clopt_error *error)
{
    const struct clopt_build *build = &session->build;
    *recalled = json_is_true(json_object_get(request, "recall")) && !session->program &&
                !session->trial.rival &&
                clopt_build_recall(&session->build, &session->workspace->context);
    enum clopt_status status = *recalled ? CLOPT_OK : clopt_session_build(session, error);
    json_object_update_new(
        answer, json_pack("{s:I,s:b,s:b,s:I,s:o*,s:b}", "build_ns", (json_int_t)build->build_ns,
                          "cached", build->cached, "launched", build->launched, "deferred_ns",
                          (json_int_t)build->deferred_ns, "log",
                          build->log ? clopt_json_text(build->log) : NULL, "built", !status));
    /* Only now: what no compiler can read may not be read here, either. */
    if (!status && !session->rival && json_is_true(json_object_get(request, "profiles")))
        json_object_set_new(answer, "profiles",
                            clopt_profiles_to_json(&session->trial, &session->variant,
                                                   session->workspace->source.path));
    return status;
}

/* JSON has no infinity and no NaN: they go as text. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_string(isnan(value) ? "nan" : "inf");
}

/* Tells the work that the kernels do. */
static enum clopt_status tell_work(const struct clopt_session *session, json_t *answer,
                                   struct clopt_error *error)
{
    json_t *work = json_object();
    json_object_set_new(answer, "work", work);
    for (const struct clopt_kernel *kernel = session->app->kernels; kernel->name; kernel++) {
        struct clopt_kernel_work part;
        enum clopt_status status = clopt_session_describe(session, kernel, &part, error);
        if (status)
            return status;
        json_object_set_new(work, kernel->name,
                            json_pack("[s,f,f]", clopt_arithmetic_name(part.arithmetic),
                                      part.operations, part.bytes));
    }
    return CLOPT_OK;
}

static enum clopt_status verify(const json_t *request, struct clopt_session *session,
                                json_t *answer, struct clopt_error *error)
{
    struct clopt_verdict verdict = {.error = NAN};
    char digest[CLOPT_HASH_SIZE] = "";
    const char *known = json_string_value(json_object_get(request, "known"));
    enum clopt_status status = clopt_session_verify(session, known, digest, &verdict, error);
    json_object_update_new(answer, json_pack("{s:I,s:b,s:o,s:o,s:o}", "deferred_ns",
                                             (json_int_t)session->build.deferred_ns, "verified",
                                             !status && verdict.right, "error",
                                             number(verdict.error), "bound", number(verdict.bound),
                                             "text", clopt_json_text(verdict.text)));
    if (status)
        return status;
    json_object_set_new(answer, "digest", json_string(digest));
    if (session->variant.change.layout_count)
        json_object_set_new(answer, "permuted_ns", json_real(session->permuted_ns));
    return json_is_true(json_object_get(request, "work")) ? tell_work(session, answer, error)
                                                          : CLOPT_OK;
}

static enum clopt_status sample(const json_t *request, struct clopt_session *session,
                                json_t *answer, struct clopt_error *error)
{
    struct clopt_sample_block block;
    json_int_t count = json_integer_value(json_object_get(request, "count"));
    enum clopt_objective objective = CLOPT_OBJECTIVE_TIME;
    clopt_objective_find(json_string_value(json_object_get(request, "objective")), &objective);
    enum clopt_status status = clopt_samples_take(
        session, objective, count > 0 ? (size_t)count : 1,
        (int64_t)json_integer_value(json_object_get(request, "max_ns")), &block, error);
    if (!status) {
        json_t *times = json_array();
        for (size_t row = 0; row < block.count; row++) {
            json_t *cells = json_array();
            for (size_t column = 0; column < block.columns; column++)
                json_array_append_new(cells,
                                      json_real(block.times_ns[row * block.columns + column]));
            json_array_append_new(times, cells);
        }
        json_object_set_new(answer, "times_ns", times);
    }
    free(block.times_ns);
    return status;
}

/* Counts what can be told of a variant that was built, and verified where that is a processor's. */
static enum clopt_status count(struct clopt_session *session, json_t *answer,
                               struct clopt_error *error)
{
    if (!session->program)
        return CLOPT_OK;
    json_t *counters = clopt_session_driver_counters(session);
    json_object_set_new(answer, "counters", counters);
    return clopt_device_is_cpu(&session->workspace->context.info)
               ? clopt_session_count_hardware(session, counters, error)
               : CLOPT_OK;
}

/* Has what is known by now sent with the note of the next stage, ahead of the rest of an answer: it
 * counts where that stage ends the worker. */
static void send_early(struct worker *worker, json_t *answer)
{
    if (!worker->part)
        worker->part = json_object();
    json_object_update(worker->part, answer);
    json_object_clear(answer);
}

/* Has the app make its inputs, before anything is launched. */
static enum clopt_status make_inputs(struct worker *worker, struct clopt_error *error)
{
    struct clopt_stage_clock *clock = &worker->workspace.clock;
    clopt_stage_begin(clock, CLOPT_STAGE_SETUP);
    return clopt_stage_end(clock, clopt_workspace_set_up(&worker->workspace, error));
}

/* Takes a variant from one stage to another: `from` and `until` are make, build, verify or sample.
 */
static enum clopt_status serve_trial(struct worker *worker, const json_t *request, json_t *answer,
                                     struct clopt_error *error)
{
    enum clopt_stage from = clopt_stage_find(json_string_value(json_object_get(request, "from")));
    enum clopt_stage until = clopt_stage_find(json_string_value(json_object_get(request, "until")));
    enum clopt_status status = CLOPT_OK;
    struct clopt_session *session = NULL;
    bool recalled = false;
    if (from == CLOPT_STAGE_MAKE)
        status = make(worker, request, answer, &session, error);
    else
        session = clopt_session_find(&worker->workspace, request_id(request));
    if (!session || (from > CLOPT_STAGE_BUILD && !clopt_session_is_built(session)))
        status = status ? status
                        : clopt_fail(error, CLOPT_FAILED, "variant number %u has not been %s here",
                                     request_id(request), session ? "built" : "made");
    if (!status && from <= CLOPT_STAGE_BUILD && until >= CLOPT_STAGE_BUILD) {
        send_early(worker, answer);
        status = build(request, session, answer, &recalled, error);
    }
    if (!status && json_is_true(json_object_get(request, "inputs")))
        status = make_inputs(worker, error);
    if (!status && json_is_true(json_object_get(request, "set_up")))
        status = clopt_session_make_buffers(session, error);
    if (from < CLOPT_STAGE_SAMPLE)
        send_early(worker, answer);
    if (!status && !recalled && from <= CLOPT_STAGE_VERIFY && until >= CLOPT_STAGE_VERIFY)
        status = verify(request, session, answer, error);
    if (!status && json_is_true(json_object_get(request, "counters")))
        status = count(session, answer, error);
    if (!status && !recalled && until >= CLOPT_STAGE_SAMPLE)
        status = sample(request, session, answer, error);
    if (json_is_true(json_object_get(request, "drop")))
        clopt_session_drop(&worker->workspace, request_id(request));
    return status;
}

/* Writes the binary of a built variant, as the driver hands it out, to a file. */
static enum clopt_status save_binary(struct clopt_session *session, const char *path,
                                     struct clopt_error *error)
{
    struct clopt_stage_clock *clock = &session->workspace->clock;
    unsigned char *binary = NULL;
    size_t bytes = 0;
    clopt_stage_begin(clock, CLOPT_STAGE_BUILD); /* some drivers compile only now */
    enum clopt_status status =
        clopt_stage_end(clock, clopt_program_binary(session->program, &binary, &bytes, error));
    if (!status)
        status = clopt_file_write(path, binary, bytes, error);
    free(binary);
    return status;
}

/* Makes and builds the variant of a request. `text` gets what the request has under `key`. */
static enum clopt_status make_and_build(struct worker *worker, const json_t *request,
                                        json_t *answer, const char *key, const char **text,
                                        struct clopt_session **session, struct clopt_error *error)
{
    bool recalled;
    *text = json_string_value(json_object_get(request, key));
    enum clopt_status status = *text ? make(worker, request, answer, session, error)
                                     : clopt_fail(error, CLOPT_FAILED, "no %s", key);
    return status ? status : build(request, *session, answer, &recalled, error);
}

static enum clopt_status serve_save(struct worker *worker, const json_t *request, json_t *answer,
                                    struct clopt_error *error)
{
    const char *path;
    struct clopt_session *session = NULL;
    enum clopt_status status =
        make_and_build(worker, request, answer, "path", &path, &session, error);
    return status ? status : save_binary(session, path, error);
}

static enum clopt_status serve_trace(struct worker *worker, const json_t *request, json_t *answer,
                                     struct clopt_error *error)
{
    const char *prefix;
    json_t *trace = NULL;
    struct clopt_session *session = NULL;
    enum clopt_status status =
        make_and_build(worker, request, answer, "prefix", &prefix, &session, error);
    if (!status)
        status = clopt_session_trace(session, prefix, &trace, error);
    if (!status)
        json_object_set_new(answer, "trace", trace);
    return status;
}

static enum clopt_status serve_count(struct worker *worker, const json_t *request, json_t *answer,
                                     struct clopt_error *error)
{
    json_t *counters = NULL;
    struct clopt_session *session = NULL;
    enum clopt_status status = make(worker, request, answer, &session, error);
    if (!status)
        status = clopt_session_build(session, error);
    if (!status)
        status = clopt_session_count(session, &counters, error);
    if (!status)
        json_object_set_new(answer, "counters", counters);
    clopt_session_drop(&worker->workspace, request_id(request));
    return status;
}

/* What is one stage, and what goes through some (CLOPT_STAGES). */
static const struct {
    const char *op;
    enum clopt_status (*serve)(struct worker *worker, const json_t *request, json_t *answer,
                               struct clopt_error *error);
    enum clopt_stage stage;
} operations[] = {
    {"list", serve_list, CLOPT_STAGE_OPEN},      {"open", serve_open, CLOPT_STAGES},
    {"peaks", serve_peaks, CLOPT_STAGE_PEAKS},   {"access", serve_access, CLOPT_STAGE_PEAKS},
    {"energy", serve_energy, CLOPT_STAGE_PEAKS}, {"trial", serve_trial, CLOPT_STAGES},
    {"save", serve_save, CLOPT_STAGES},          {"trace", serve_trace, CLOPT_STAGES},
    {"count", serve_count, CLOPT_STAGES},
};

/* Runtimes and compilers install handlers that may swallow a fault: here a crash is to be one. */
static void restore_signals(void)
{
#ifndef __SANITIZE_ADDRESS__
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
#endif
}

static enum clopt_status serve(struct worker *worker, const json_t *request, json_t *answer,
                               struct clopt_error *error)
{
    const char *op = json_string_value(json_object_get(request, "op"));
    struct clopt_stage_clock *clock = &worker->workspace.clock;
    for (size_t i = 0; op && i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].op, op) != 0)
            continue;
        if (operations[i].stage == CLOPT_STAGES)
            return operations[i].serve(worker, request, answer, error);
        clopt_stage_begin(clock, operations[i].stage);
        return clopt_stage_end(clock, operations[i].serve(worker, request, answer, error));
    }
    return clopt_fail(error, CLOPT_FAILED, "unknown request %s", op ? op : "without op");
}

/* Adds what the stages have taken since the answer before. */
static void tell_seconds(struct worker *worker, json_t *answer)
{
    const double *seconds = worker->workspace.clock.seconds;
    json_t *object = json_object();
    for (int stage = 0; stage < CLOPT_STAGES; stage++) {
        double spent = seconds[stage] - worker->seconds[stage];
        if (spent > 0)
            json_object_set_new(object, clopt_stage_name(stage), json_real(spent));
        worker->seconds[stage] = seconds[stage];
    }
    json_object_set_new(answer, "seconds", object);
}

enum clopt_status clopt_worker_serve(int file, const struct clopt_registry *registry,
                                     const char *kernel_path, struct clopt_error *error)
{
    struct worker worker = {.file = file,
                            .workspace.kernel_path = kernel_path,
                            .workspace.clock = {.begins = note_stage, .user = &worker},
                            .registry = registry};
    struct clopt_message_reader reader = {0};
    enum clopt_status status = CLOPT_OK;
    while (!status) {
        json_t *request = NULL;
        status = clopt_message_receive(&reader, file, &request, error);
        if (status)
            break;
        json_t *answer = json_object();
        struct clopt_error failure = {0};
        restore_signals();
        if (serve(&worker, request, answer, &failure))
            clopt_message_set_error(answer, &failure);
        json_decref(request);
        json_object_update_missing(answer, worker.part);
        json_decref(worker.part);
        worker.part = NULL;
        tell_seconds(&worker, answer);
        status = clopt_message_send(file, answer, error);
    }
    clopt_workspace_close(&worker.workspace);
    clopt_message_reader_fini(&reader);
    return status == CLOPT_INTERRUPTED ? CLOPT_OK : status; /* the supervisor has hung up */
}
