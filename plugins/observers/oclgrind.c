/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs variants under Oclgrind, in a worker of its own: finds what Oclgrind has written of the
 * first launch, or counts. */
#include "observers/observers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "file/file.h"
#include "observers/counts.h"
#include "opencl/traits.h"
#include "pool/query.h"
#include "process/program.h"
#include "worker/session.h"

/* ---- what Oclgrind finds ---- */

/* One line of a log, without its blanks. */
struct line {
    const char *text;
    int length;
};

/* Reads the line at *at and moves *at after it; false at the end. */
static bool read_line(const char **at, struct line *line)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, "\n");
    const char *text = *at;
    *at += length + ((*at)[length] == '\n');
    while (length && isblank((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    *line = (struct line){text, (int)length};
    return true;
}

/* Adds what follows the title of a finding: its kernel, and the lines of the source with their
 * text. Two empty lines end a finding. */
static void add_details(struct clopt_text *text, const char *at)
{
    struct line line;
    unsigned number, column, empty = 0;
    const char *link = ": ";
    while (empty < 2 && read_line(&at, &line)) {
        empty = line.length ? 0 : empty + 1;
        if (strncmp(line.text, "Kernel:", 7) == 0) {
            clopt_text_printf(text, " in kernel%.*s", line.length - 7, line.text + 7);
        } else if (sscanf(line.text, "At line %u (column %u)", &number, &column) == 2) {
            clopt_text_printf(text, "%sline %u", link, number);
            link = " and ";
            if (read_line(&at, &line) && line.length)
                clopt_text_printf(text, " \"%.*s\"", line.length, line.text);
        }
    }
}

/* The same for a log's text. */
static enum clopt_status read_findings(const char *log, struct clopt_error *error)
{
    struct line title = {0};
    while (!title.length && read_line(&log, &title))
        ;
    if (!title.length)
        return CLOPT_OK;
    CLOPT_OWNED(clopt_text) text = {0};
    CLOPT_FREED char *cut = clopt_strndup(title.text, (size_t)title.length);
    char *address = strstr(cut, " address 0x"); /* another one every time */
    if (address)
        *address = '\0';
    clopt_text_append(&text, cut);
    add_details(&text, log);
    return clopt_fail(error, CLOPT_WRONG_RESULT, "%s", clopt_text_string(&text));
}

/* Quotes the first thing that Oclgrind has written to its log since the process was started. A
 * process that does not run under Oclgrind has nothing to say. */
static enum clopt_status check_log(struct clopt_error *error)
{
    const char *path = getenv("OCLGRIND_LOG"); /* which is how Oclgrind hands --log on */
    CLOPT_FREED char *log = NULL;
    if (!path || access(path, F_OK) != 0) /* it is made when there is something to write */
        return CLOPT_OK;
    CLOPT_TRY(clopt_file_read(path, CLOPT_MOST_TEXT_BYTES, &log, NULL, error));
    return read_findings(log, error);
}

/* ---- a worker under Oclgrind ---- */

/* Runs a worker there. Nothing is infeasible that is not on other devices; it reports one error,
 * because the worker ends with that; it prints numbers as people of a country write them. */
#define UNDER(options)                                                                             \
    "exec env LC_ALL=C oclgrind " options " --max-errors 1 --max-wgsize 65536 "                    \
    "--local-mem-size 1048576 --log \"$TMPDIR/oclgrind.log\" \"$@\""

/* What it checks is not optimized: its compiler is wrong on a switch that differs between the lanes
 * of vectors. */
static const char checking[] = UNDER("--data-races --build-options -cl-opt-disable");
static const char counting[] = UNDER("--inst-counts");

static enum clopt_status find_program(bool verifies, struct clopt_error *error)
{
    CLOPT_FREED char *program = clopt_program_find("oclgrind");
    return program ? CLOPT_OK
                   : clopt_fail(error, CLOPT_FAILED,
                                "the program oclgrind is not in PATH; install it%s",
                                verifies ? ", or say verify = check" : "");
}

/* Takes the stages of that worker for those of this one. */
static void take_stage(void *user, unsigned worker, const char *doing, int64_t time_ns)
{
    enum clopt_stage stage = clopt_stage_find(doing);
    (void)worker, (void)time_ns;
    if (stage < CLOPT_STAGES)
        clopt_workspace_begin(user, stage);
}

/* Opens its device; how long that and what follows may take is this worker's limit. The caller ends
 * the query in any case. */
static enum clopt_status open_query(struct clopt_query *query, struct clopt_workspace *workspace,
                                    const char *wrapper)
{
    const struct clopt_limits limits = {.setup_s = INFINITY,
                                        .build_s = INFINITY,
                                        .launch_s = INFINITY,
                                        .trial_s = INFINITY,
                                        .memory_bytes = workspace->memory_bytes};
    const struct clopt_process_settings settings = {.plugin_path = workspace->plugin_path,
                                                    .kernel_path = workspace->kernel_path,
                                                    .wrapper = wrapper,
                                                    .begins = take_stage,
                                                    .user = workspace};
    CLOPT_TRY(find_program(false, workspace->error));
    CLOPT_TRY(clopt_query_open(query, &settings, &limits, workspace->error));
    if (query->count != 1 || !clopt_traits_find(query->devices->platform)->checks_accesses)
        return clopt_fail(workspace->error, CLOPT_FAILED, "%s: not the device of Oclgrind",
                          query->count ? query->devices->platform : "no device");
    clopt_query_use(query, 0);
    return CLOPT_OK;
}

/* Has it take a trial to a stage; the caller drops the answer. */
static enum clopt_status ask(struct clopt_query *query, const struct clopt_trial *trial,
                             enum clopt_stage until, json_t **answer, struct clopt_error *error)
{
    struct clopt_reply reply = {0};
    json_t *request = clopt_message_request(0, CLOPT_STAGE_MAKE, until);
    json_object_set_new(request, "trial", clopt_trial_to_json(trial));
    json_object_set_new(request, "observers", json_pack("[s]", "oclgrind"));
    json_object_set_new(request, "instructions", json_boolean(until == CLOPT_STAGE_BUILD));
    CLOPT_TRY(clopt_pool_ask(&query->pool, 0, request, &reply, error));
    *answer = reply.answer;
    if (reply.cause.status)
        *error = reply.cause;
    return reply.cause.status;
}

static enum clopt_status run(struct clopt_session *session, const json_t *settings, json_t **report)
{
    CLOPT_OWNED(clopt_query) query = {0};
    json_auto_t *answer = NULL;
    (void)settings;
    *report = json_pack("{s:[]}", "findings");
    CLOPT_TRY(open_query(&query, session->workspace, checking));
    return ask(&query, &session->trial, CLOPT_STAGE_VERIFY, &answer, session->error);
}

/* ---- counts ---- */

#define MOST_WORK       4e6 /* operations that are counted in seconds */
#define ITEM_WORK       32  /* of a work-item, where no more is known of it */
#define STANDARD_OUTPUT "/proc/self/fd/1"

/* Says how much the initial code of a trial does; infinite where its inputs cannot go together. */
static double estimate_work(const struct clopt_trial *trial)
{
    double sum = 0;
    CLOPT_HELD(clopt_values) knobs = NULL;
    if (clopt_trial_knobs(trial, &knobs, NULL))
        return INFINITY;
    for (const struct clopt_kernel *k = trial->app->extension->app->kernels; k->name; k++) {
        struct clopt_kernel_work work;
        if (clopt_trial_describe(trial, knobs, k, &work, NULL))
            return INFINITY;
        double items = ITEM_WORK;
        for (unsigned d = 0; d < work.ndrange.dimensions; d++)
            items *= (double)work.ndrange.global[d];
        sum += fmax(items, work.operations + work.bytes / 4);
    }
    return sum;
}

/* Halves the sizes of a trial until its initial code does little enough, or they can be halved no
 * more. */
static void make_small(struct clopt_trial *trial, const struct clopt_device_info *device)
{
    CLOPT_OWNED(clopt_trial) initial = {0};
    clopt_trial_copy(trial, &initial);
    clopt_trial_clear(&initial);
    double work = estimate_work(&initial), less = 0;
    for (; work > MOST_WORK; work = less) {
        if (!clopt_inputs_halve(initial.inputs, trial->app->extension->app->inputs, false) ||
            clopt_variant_check(&initial, device, NULL) || (less = estimate_work(&initial)) >= work)
            return;
        clopt_values_destroy(trial->inputs);
        trial->inputs = clopt_values_copy(initial.inputs);
    }
}

static enum clopt_status count(struct clopt_session *session, const json_t *trial, json_t *answer)
{
    CLOPT_OWNED(clopt_query) query = {0};
    CLOPT_OWNED(clopt_trial) small = {0};
    json_auto_t *counted = NULL;
    struct clopt_error *error = session->error;
    CLOPT_TRY(clopt_trial_from_json(trial, session->workspace->registry, &small, error));
    enum clopt_status status = open_query(&query, session->workspace, counting);
    if (!status) {
        make_small(&small, query.devices);
        status = ask(&query, &small, CLOPT_STAGE_BUILD, &counted, error);
    }
    CLOPT_FREED char *label = clopt_inputs_label(small.app, small.inputs);
    CLOPT_FREED char *source = clopt_text_format("oclgrind%s%s", *label ? " " : "", label);
    json_t *counters = json_object_get(counted, "counters"), *counter;
    size_t i;
    json_array_foreach(counters, i, counter)
    {
        json_array_append_new(counter, json_string(source));
    }
    json_object_set(answer, "counters", counters);
    return status ? clopt_fail_within(error, "%s", label) : CLOPT_OK;
}

/* Adds the counts of the app's kernels, without those that are 0; whoever asked knows the problem
 * that is their source. */
static json_t *list_counts(const struct clopt_session *session, const struct clopt_counts *counts,
                           size_t number)
{
    json_t *list = json_array();
    for (size_t i = 0; i < number; i++)
        for (unsigned k = 0; k < session->kernel_count; k++)
            if (strcmp(session->app->kernels[k].name, counts[i].kernel) == 0)
                for (enum clopt_count c = 0; c < CLOPT_COUNTS; c++)
                    if (counts[i].values[c] > 0)
                        json_array_append_new(
                            list, json_pack("[s,s,f,s]", counts[i].kernel, clopt_count_name(c),
                                            counts[i].values[c],
                                            strstr(clopt_count_name(c), "_bytes") ? "bytes" : ""));
    return list;
}

/* Reads what this process has printed since `from`, and lists what Oclgrind has counted. */
static enum clopt_status read_counts(const struct clopt_session *session, off_t from,
                                     json_t *answer)
{
    struct clopt_error *error = session->error;
    CLOPT_FREED struct clopt_counts *counts = NULL;
    size_t number = 0, length = 0;
    CLOPT_FREED char *text = NULL;
    if (from < 0)
        return clopt_fail(error, CLOPT_FAILED, "standard output: %s", strerror(errno));
    CLOPT_TRY(clopt_file_read(STANDARD_OUTPUT, CLOPT_MOST_TEXT_BYTES, &text, &length, error));
    CLOPT_TRY(clopt_counts_read((size_t)from < length ? text + from : "", &counts, &number, error));
    if (number == 0)
        return clopt_fail(error, CLOPT_FAILED, "Oclgrind has counted nothing");
    json_object_set_new(answer, "counters", list_counts(session, counts, number));
    return CLOPT_OK;
}

/* Runs a built variant once, in a worker under Oclgrind that counts, and reads what that has. */
static enum clopt_status count_here(struct clopt_session *session, json_t *answer)
{
    CLOPT_TRY(clopt_session_make_buffers(session));
    fflush(stdout);
    off_t from = lseek(STDOUT_FILENO, 0, SEEK_END);
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_COUNT);
    enum clopt_status status = clopt_session_run_poisoned(session, NULL);
    fflush(stdout);
    return status ? status : read_counts(session, from, answer);
}

static enum clopt_status report(struct clopt_session *session, const json_t *request,
                                json_t *answer)
{
    const json_t *trial = json_object_get(request, "count");
    bool here = json_is_true(json_object_get(request, "instructions"));
    return trial ? count(session, trial, answer) : here ? count_here(session, answer) : CLOPT_OK;
}

const struct clopt_observer clopt_oclgrind_observer = {.usable = find_program,
                                                       .launched = check_log,
                                                       .report = report,
                                                       .run = run,
                                                       .manner = "under Oclgrind",
                                                       .counts = true};
