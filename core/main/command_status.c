/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt status`: says how far a study is. */
#include "main/command.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/table.h"
#include "base/text.h"
#include "main/usage.h"
#include "store/store.h"

#define SCHEMA        1
#define OUTCOME_COUNT (CLOPT_OUTCOME_DEVICE_LOST + 1)

/* What is known of the newest run. */
struct progress {
    bool has_run;
    char title[256];
    const char *state; /* running, killed, or how it ended */
    bool written;
    double used_s; /* NaN: unknown, since it was killed */
    int64_t counts[OUTCOME_COUNT];
    int64_t abandoned;
    int64_t kept;
    int64_t variants;
};

static void print_help(void)
{
    fputs("Usage: clopt status STORE [--json]\n"
          "\n"
          "Says how far the newest run of a study is: what became of its variants, whether it\n"
          "has ended, and the time that it took.\n"
          "\n"
          "Options:\n"
          "      --json  print it as JSON\n"
          "  -h, --help  show this help\n",
          stdout);
}

static const char *name_state(const struct clopt_store_run *run, bool written)
{
    static const char *const names[] = {"ok", "interrupted", "device-lost", "failed"};
    if (!run->status)
        return written ? "running" : "killed";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(run->status, names[i]) == 0)
            return names[i];
    return "failed";
}

static enum clopt_status take_run(void *user, const struct clopt_store_run *run,
                                  struct clopt_error *error)
{
    struct progress *progress = user;
    struct timespec now;
    (void)error;
    clock_gettime(CLOCK_REALTIME, &now);
    progress->has_run = true;
    snprintf(progress->title, sizeof progress->title, "%s", run->title);
    progress->state = name_state(run, progress->written);
    progress->used_s = run->ended_s - run->started_s;
    if (strcmp(progress->state, "running") == 0)
        progress->used_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - run->started_s;
    return CLOPT_OK;
}

static enum clopt_status take_outcome(void *user, enum clopt_outcome outcome, int64_t count,
                                      int64_t abandoned, int64_t kept, struct clopt_error *error)
{
    struct progress *progress = user;
    (void)error;
    progress->counts[outcome] += count;
    progress->variants += count;
    progress->abandoned += abandoned;
    progress->kept += kept;
    return CLOPT_OK;
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

static enum clopt_status print_text(const struct progress *progress, struct clopt_error *error)
{
    struct clopt_table *table = clopt_table_create("lrl");
    if (!table)
        return clopt_fail_memory(error);
    int64_t done = progress->variants - progress->counts[CLOPT_OUTCOME_PENDING];
    printf("%s: %s\n\n", progress->title,
           strcmp(progress->state, "ok") == 0 ? "has ended" : progress->state);
    clopt_table_cell(table, "variants");
    clopt_table_cell(table, "%" PRId64, progress->variants);
    clopt_table_end_row(table);
    clopt_table_cell(table, "done");
    clopt_table_cell(table, "%" PRId64, done);
    if (progress->variants)
        clopt_table_cell(table, "%.0f%%", floor(100 * (double)done / (double)progress->variants));
    clopt_table_end_row(table);
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        if (!progress->counts[i] || i == CLOPT_OUTCOME_PENDING)
            continue;
        clopt_table_cell(table, "  %s", clopt_outcome_name((enum clopt_outcome)i));
        clopt_table_cell(table, "%" PRId64, progress->counts[i]);
        if (i == CLOPT_OUTCOME_OK && progress->abandoned)
            clopt_table_cell(table, "%" PRId64 " abandoned", progress->abandoned);
        clopt_table_end_row(table);
    }
    clopt_table_cell(table, "pending");
    clopt_table_cell(table, "%" PRId64, progress->variants - done);
    clopt_table_end_row(table);
    if (progress->kept) {
        clopt_table_cell(table, "compiled earlier");
        clopt_table_cell(table, "%" PRId64, progress->kept);
        clopt_table_end_row(table);
    }
    if (!isnan(progress->used_s)) {
        clopt_table_cell(table, "time used");
        clopt_table_cell(table, "%.0f s", progress->used_s);
        clopt_table_end_row(table);
    }
    if (!isnan(estimate_left(progress))) {
        clopt_table_cell(table, "time left, about");
        clopt_table_cell(table, "%.0f s", estimate_left(progress));
        clopt_table_end_row(table);
    }
    enum clopt_status status = clopt_table_print(table, stdout, 0, error);
    clopt_table_destroy(table);
    return status;
}

static json_t *real_or_null(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static enum clopt_status print_json(const struct progress *progress, struct clopt_error *error)
{
    json_t *outcomes = json_object();
    for (size_t i = 0; outcomes && i < OUTCOME_COUNT; i++)
        json_object_set_new(outcomes, clopt_outcome_name((enum clopt_outcome)i),
                            json_integer(progress->counts[i]));
    json_t *object =
        json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "format",
                  "clopt status", "schema", SCHEMA, "title", progress->title, "state",
                  progress->state, "variants", (json_int_t)progress->variants, "done",
                  (json_int_t)(progress->variants - progress->counts[CLOPT_OUTCOME_PENDING]),
                  "abandoned", (json_int_t)progress->abandoned, "compiled_earlier",
                  (json_int_t)progress->kept, "outcomes", outcomes, "used_s",
                  real_or_null(progress->used_s), "left_s", real_or_null(estimate_left(progress)));
    enum clopt_status status = CLOPT_OK;
    if (!object || json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0 ||
        putchar('\n') == EOF)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the status");
    json_decref(object);
    return status;
}

static enum clopt_status print_status(const char *path, bool json, struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    struct progress progress = {.state = "not started", .used_s = NAN};
    enum clopt_status status = clopt_store_open_read(path, &store, error);
    if (status)
        return status;
    progress.written = clopt_store_is_written(store);
    status = clopt_store_read_run(store, take_run, &progress, error);
    if (!status)
        status = clopt_store_read_outcomes(store, take_outcome, &progress, error);
    clopt_store_close(store);
    if (!status && json)
        status = print_json(&progress, error);
    else if (!status && progress.has_run)
        status = print_text(&progress, error);
    else if (!status)
        puts("No study has run.");
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the status: %s", strerror(errno));
    return status;
}

int clopt_command_status(const struct clopt_global_options *global, int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    (void)global;
    bool json = false;
    int option;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1)
        switch (option) {
        case 'j':
            json = true;
            break;
        case 'h':
            print_help();
            return CLOPT_EXIT_DONE;
        default:
            return clopt_option_error("status", option, argv, options);
        }
    if (argc - optind != 1)
        return clopt_usage_error("status", "status takes one store");
    struct clopt_error error = {0};
    return print_status(argv[optind], json, &error) ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}
