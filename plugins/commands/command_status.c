/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt status`: says how far a study is. */
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "process/clock.h"
#include "store/cursor.h"
#include "text/table.h"

#define SCHEMA        1
#define OUTCOME_COUNT (CLOPT_OUTCOME_DEVICE_LOST + 1)
#define CLEAR_SCREEN  "\033[H\033[J"
#define PERIOD_MS     1000
#define SHARE         5 /* reading a store once takes a fifth of the time, at most */

/* What is known of a run. */
struct progress {
    bool has_run;
    int64_t run;
    char title[256];
    const char *state; /* running, killed, or how it ended */
    bool written;
    double used_s; /* NaN: unknown, since it was killed */
    int64_t counts[OUTCOME_COUNT];
    int64_t abandoned;
    int64_t kept;
    int64_t variants;
    double a_minute;           /* variants that were measured, while it runs */
    struct clopt_text doing;   /* now */
    struct clopt_text workers; /* of all hosts, by what they do now */
    json_t *hosts;             /* what each has measured, and does */
};

/* All runs of a store, as a table or as JSON. */
struct run_list {
    bool written;
    size_t count;
    struct clopt_table *table;
    json_t *array;
};

static const char *name_state(const struct clopt_cursor *run, bool written)
{
    static const char *const names[] = {"ok", "interrupted", "device-lost", "failed"};
    const char *status = clopt_cursor_text(run, "status");
    if (!status)
        return written && clopt_cursor_integer(run, "newest") ? "running" : "killed";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(status, names[i]) == 0)
            return names[i];
    return "failed";
}

static const char *state_text(const char *state)
{
    return strcmp(state, "ok") == 0 ? "has ended" : state;
}

/* The time that a run took, or takes so far; NaN where nobody knows, as after the clock was set. */
static double measure_run(const struct clopt_cursor *run, const char *state)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double ended_s = strcmp(state, "running") == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                                                   : clopt_cursor_real(run, "ended");
    double used_s = ended_s - clopt_cursor_real(run, "started");
    return used_s < 0 ? NAN : used_s;
}

static void take_run(struct progress *progress, const struct clopt_cursor *run)
{
    CLOPT_OWNED(clopt_text) title = {0};
    clopt_text_append_printable(&title, clopt_cursor_text(run, "title"));
    progress->run = clopt_cursor_integer(run, "id");
    progress->has_run = true;
    snprintf(progress->title, sizeof progress->title, "%s", clopt_text_string(&title));
    progress->state = name_state(run, progress->written);
    progress->used_s = measure_run(run, progress->state);
}

static enum clopt_status count_outcomes(struct progress *progress, struct clopt_store *store,
                                        struct clopt_error *error)
{
    struct clopt_cursor rows = clopt_cursor_of_run(store, CLOPT_SQL_COUNT_OUTCOMES, error);
    while (clopt_cursor_next(&rows)) {
        int64_t count = clopt_cursor_integer(&rows, "count");
        progress->counts[clopt_outcome_from_name(clopt_cursor_text(&rows, "outcome"))] += count;
        progress->variants += count;
        progress->abandoned += clopt_cursor_integer(&rows, "abandoned");
        progress->kept += clopt_cursor_integer(&rows, "kept");
    }
    return clopt_cursor_end(&rows);
}

/* Takes what the run does, or one of its hosts. */
static void take_progress(struct progress *progress, const struct clopt_cursor *rows)
{
    const char *host = clopt_cursor_text(rows, "host");
    bool runs = progress->state && strcmp(progress->state, "running") == 0;
    const char *text = runs ? clopt_cursor_text(rows, "text") : NULL;
    const char *workers = runs ? clopt_cursor_text(rows, "stages") : NULL;
    int64_t count = clopt_cursor_integer(rows, "count");
    double a_minute = runs && progress->used_s > 0 ? 60 * (double)count / progress->used_s : NAN;
    if (!*host) {
        progress->a_minute = a_minute;
        clopt_text_append_printable(&progress->doing, text ? text : "");
        clopt_text_append_printable(&progress->workers, workers ? workers : "");
        return;
    }
    json_t *object =
        json_pack("{s:o, s:I, s:o, s:o, s:o}", "host", clopt_json_text(host), "measured",
                  (json_int_t)count, "measured_a_minute", clopt_json_real(a_minute), "away",
                  clopt_json_text(text), "workers", clopt_json_text(workers));
    json_array_append_new(progress->hosts, object);
}

static void list_run(struct run_list *list, const struct clopt_cursor *run)
{
    CLOPT_OWNED(clopt_text) title = {0};
    int64_t number = clopt_cursor_integer(run, "id");
    double started_s = clopt_cursor_real(run, "started");
    const char *state = name_state(run, list->written);
    double used_s = measure_run(run, state);
    time_t started = (time_t)started_s;
    struct tm calendar;
    char text[32] = "", used[32] = "";
    if (localtime_r(&started, &calendar))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &calendar);
    clopt_text_append_printable(&title, clopt_cursor_text(run, "title"));
    list->count++;
    if (!isnan(used_s))
        snprintf(used, sizeof used, "%.0f s", used_s);
    clopt_table_row(list->table, "%" PRId64 "\t%s\t%s\t%s\t%s", number, text, used,
                    state_text(state), clopt_text_string(&title));
    json_t *object = json_pack("{s:I, s:o, s:s, s:f, s:o}", "run", (json_int_t)number, "title",
                               clopt_json_text(clopt_cursor_text(run, "title")), "state", state,
                               "started_s", started_s, "used_s", clopt_json_real(used_s));
    json_array_append_new(list->array, object);
}

/* What the time used so far suggests; NaN where it suggests nothing. */
static double estimate_left(const struct progress *progress)
{
    int64_t pending = progress->counts[CLOPT_OUTCOME_PENDING];
    int64_t done = progress->variants - pending;
    if (strcmp(progress->state, "running") != 0 || done == 0)
        return NAN;
    return progress->used_s * (double)pending / (double)done;
}

/* Adds a line: what is counted, how many there are, and a remark, or an empty one. */
static void add_count(struct clopt_table *table, const char *name, int64_t count,
                      const char *remark)
{
    clopt_table_row(table, "%s\t%" PRId64 "%s%s", name, count, *remark ? "\t" : "", remark);
}

/* Adds a line, unless the time is not known. */
static void add_time(struct clopt_table *table, const char *name, double seconds)
{
    if (!isnan(seconds))
        clopt_table_row(table, "%s\t%.0f s", name, seconds);
}

/* Prints what each host has measured, and what its workers do, or why it is away. */
static enum clopt_status print_hosts(const struct progress *progress, struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrrl");
    size_t i;
    json_t *host;
    json_array_foreach(progress->hosts, i, host)
    {
        const char *away = json_string_value(json_object_get(host, "away"));
        const char *workers = json_string_value(json_object_get(host, "workers"));
        double a_minute = json_real_value(json_object_get(host, "measured_a_minute"));
        char rate[32] = "";
        if (a_minute > 0)
            snprintf(rate, sizeof rate, "%.3g a minute", a_minute);
        clopt_table_row(table, "%s\t%" JSON_INTEGER_FORMAT " measured\t%s\t%s",
                        json_string_value(json_object_get(host, "host")),
                        json_integer_value(json_object_get(host, "measured")), rate,
                        away      ? away
                        : workers ? workers
                                  : "");
    }
    puts("\nHosts\n");
    return clopt_table_print(table, stdout, 0, error);
}

static void add_outcomes(struct clopt_table *table, const struct progress *progress)
{
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        char name[64];
        char remark[64] = "";
        if (!progress->counts[i] || i == CLOPT_OUTCOME_PENDING)
            continue;
        snprintf(name, sizeof name, "  %s", clopt_outcome_name((enum clopt_outcome)i));
        if (i == CLOPT_OUTCOME_OK && progress->abandoned)
            snprintf(remark, sizeof remark, "%" PRId64 " not sampled to the end",
                     progress->abandoned);
        add_count(table, name, progress->counts[i], remark);
    }
}

static enum clopt_status print_progress(const struct progress *progress, struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrl");
    int64_t pending = progress->counts[CLOPT_OUTCOME_PENDING];
    int64_t done = progress->variants - pending;
    char share[32] = "";
    if (progress->variants)
        snprintf(share, sizeof share, "%.0f%%",
                 floor(100 * (double)done / (double)progress->variants));
    add_count(table, "variants", progress->variants, "");
    add_count(table, "done", done, share);
    add_outcomes(table, progress);
    add_count(table, "pending", pending, "");
    if (progress->kept)
        add_count(table, "compiled earlier", progress->kept, "");
    add_time(table, "time used", progress->used_s);
    add_time(table, "time left, about", estimate_left(progress));
    if (progress->a_minute > 0)
        clopt_table_row(table, "measured a minute\t%.3g", progress->a_minute);
    return clopt_table_print(table, stdout, 0, error);
}

static enum clopt_status print_text(const struct progress *progress, const struct run_list *list,
                                    struct clopt_error *error)
{
    printf("%s: %s\n\n", progress->title, state_text(progress->state));
    enum clopt_status status = print_progress(progress, error);
    if (!status && progress->doing.length)
        printf("\nNow: %s\n", clopt_text_string(&progress->doing));
    if (!status && progress->workers.length)
        printf("Workers: %s\n", clopt_text_string(&progress->workers));
    if (!status && json_array_size(progress->hosts) > !progress->doing.length)
        status = print_hosts(progress, error);
    if (status || list->count < 2)
        return status;
    puts("\nRuns\n");
    return clopt_table_print(list->table, stdout, 0, error);
}

static enum clopt_status print_json(const struct progress *progress, const struct run_list *list,
                                    struct clopt_error *error)
{
    json_t *outcomes = json_object();
    for (size_t i = 0; i < OUTCOME_COUNT; i++)
        json_object_set_new(outcomes, clopt_outcome_name((enum clopt_outcome)i),
                            json_integer(progress->counts[i]));
    json_t *run = progress->has_run ? json_integer(progress->run) : json_null();
    json_t *object = json_pack(
        "{s:s, s:i, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:O, s:O}",
        "format", "clopt status", "schema", SCHEMA, "run", run, "title",
        clopt_json_text(progress->title), "state", progress->state, "variants",
        (json_int_t)progress->variants, "done",
        (json_int_t)(progress->variants - progress->counts[CLOPT_OUTCOME_PENDING]), "abandoned",
        (json_int_t)progress->abandoned, "compiled_earlier", (json_int_t)progress->kept, "outcomes",
        outcomes, "used_s", clopt_json_real(progress->used_s), "left_s",
        clopt_json_real(estimate_left(progress)), "measured_a_minute",
        clopt_json_real(progress->a_minute), "doing",
        clopt_json_text(clopt_text_string(&progress->doing)), "workers",
        clopt_json_text(clopt_text_string(&progress->workers)), "hosts", progress->hosts, "runs",
        list->array);
    return clopt_json_print(object, stdout, "the status", error);
}

/* Reads what is printed. */
static enum clopt_status read_store(const char *path, int64_t run, struct progress *progress,
                                    struct run_list *list, struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_read(path, &store, error));
    progress->written = list->written = clopt_store_is_written(store);
    clopt_store_choose_run(store, run);
    struct clopt_cursor rows = clopt_store_find_run(store, error);
    if (rows.there)
        take_run(progress, &rows);
    CLOPT_TRY(clopt_cursor_end(&rows));
    CLOPT_TRY(count_outcomes(progress, store, error));
    rows = clopt_cursor_of_run(store, CLOPT_SQL_GET_PROGRESS, error);
    while (clopt_cursor_next(&rows))
        take_progress(progress, &rows);
    CLOPT_TRY(clopt_cursor_end(&rows));
    rows = clopt_cursor_of_run(store, CLOPT_SQL_GET_RUNS, error);
    while (clopt_cursor_next(&rows))
        list_run(list, &rows);
    return clopt_cursor_end(&rows);
}

/* What the command line asks for. */
struct request {
    int64_t run; /* 0: the newest */
    bool json;
    bool follow;
};

/* Prints the status once; `*goes_on`: it will be another one later. */
static enum clopt_status print_status(const char *path, const struct request *request,
                                      bool *goes_on, struct clopt_error *error)
{
    struct progress progress = {
        .state = "not started", .used_s = NAN, .a_minute = NAN, .hosts = json_array()};
    struct run_list list = {.table = clopt_table_create("rlrll"), .array = json_array()};
    enum clopt_status status = read_store(path, request->run, &progress, &list, error);
    *goes_on = progress.has_run ? strcmp(progress.state, "running") == 0 : progress.written;
    if (!status && request->follow && isatty(STDOUT_FILENO))
        fputs(CLEAR_SCREEN, stdout);
    if (!status && request->json)
        status = print_json(&progress, &list, error);
    else if (!status && progress.has_run)
        status = print_text(&progress, &list, error);
    else if (!status)
        puts("No study has run.");
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the status: %s", strerror(errno));
    clopt_table_destroy(list.table);
    clopt_text_fini(&progress.doing);
    clopt_text_fini(&progress.workers);
    json_decref(progress.hosts);
    json_decref(list.array);
    return status;
}

/* Prints the status, again and again if that is asked for: it takes a small share of the time. */
static enum clopt_status follow(const char *path, const struct request *request,
                                struct clopt_error *error)
{
    bool goes_on;
    int64_t began_ns = clopt_now_ns();
    enum clopt_status status;
    while (!(status = print_status(path, request, &goes_on, error)) && request->follow && goes_on) {
        int64_t took_ms = (clopt_now_ns() - began_ns) / 1000000;
        poll(NULL, 0, (int)(SHARE * took_ms > PERIOD_MS ? SHARE * took_ms : PERIOD_MS));
        began_ns = clopt_now_ns();
        if (!isatty(STDOUT_FILENO))
            puts("");
    }
    return status;
}

static const struct clopt_key options[] = {
    CLOPT_NUMBER('r', "run", "N", struct request, run, "1..", "say it of this run"),
    CLOPT_FLAG('f', "follow", struct request, follow,
               "say it once a second, until the study has ended"),
    CLOPT_FLAG(0, "json", struct request, json, "print it as JSON"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {0};
    struct clopt_error error = {0};
    int code;
    if (!clopt_command_read(global, &clopt_status_command, &request, argc, argv, &code))
        return code;
    const char *path = clopt_store_argument("status", argc, argv);
    if (!path)
        return CLOPT_EXIT_USAGE;
    return follow(path, &request, &error) ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_status_command = {
    .name = "status",
    .usage = "status STORE [--run=N] [--follow] [--json]\n",
    .about = "Example: clopt status lud.db --follow\n\n"
             "Says how far the newest run of a study is: what became of its variants, whether\n"
             "it has ended, and the time that it took; while it runs, what it does now, and\n"
             "each of its hosts. Where a store has several runs, lists them.\n"
             "\n",
    .arguments = "STORE",
    .lists = {{options, 0}},
    .run = run_command,
};
