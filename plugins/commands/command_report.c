/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */

#include "formats/exchange.h"
#include "main/output.h"
#include "analyses/analysis.h"

/* What an option names: an analysis, or a format of another program. */
struct analysis {
    const char *option;                         /* NULL: it is the default */
    bool top, baseline, selection;              /* options that go with it */
    bool several;                               /* stores */
    bool draws;                                 /* with --format alone, on stdout */
    const struct clopt_exchange_format *format; /* NULL: it is an analysis */
    clopt_analysis *write;
};

#define ANALYSIS(LETTER, OPTION, VALUE, HELP, WRITE, ...)                                          \
    {.option = OPTION, .write = WRITE, __VA_ARGS__},
#define FORMAT(OPTION, FORMAT, HELP) {.option = OPTION, .format = &FORMAT, .selection = true},

static const struct analysis analyses[] = {{.write = clopt_report_best, .top = true},
                                           CLOPT_ANALYSES(ANALYSIS) CLOPT_EXCHANGE_FORMATS(FORMAT)};

/* What is asked for. */
struct request {
    struct clopt_analysis_request asked;
    const struct analysis *analysis;
    int64_t run;
    int64_t top; /* 0: not given */
    struct clopt_output output;
};

static enum clopt_status run(const struct request *request, struct clopt_document *document,
                             struct clopt_error *error)
{
    const struct clopt_exchange_format *format = request->analysis->format;
    struct clopt_analysis_request asked = request->asked;
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_output_prepare(&request->output, error));
    if (!request->analysis->several) {
        CLOPT_TRY(clopt_store_open_read(*asked.paths, &store, error));
        clopt_store_choose_run(store, request->run);
    }
    asked.store = store;
    const struct clopt_report_exchange exchange = {
        .selection = asked.selection, .folder = asked.value, .stream = stdout, .notices = stderr};
    return format ? clopt_exchange_write(store, format, &exchange, error)
                  : request->analysis->write(&asked, document, error);
}

static int report(const struct request *request)
{
    struct clopt_error error = {0};
    struct clopt_document document = clopt_output_begin(&request->output, "clopt report");
    enum clopt_status status = run(request, &document, &error);
    status = clopt_output_finish(&request->output, &document, status, &error);
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

/* ---- the command line ---- */

/* Has what draws itself draw on stdout, unless a format of documents says where. */
static void take_figure(struct clopt_output *output)
{
    if (!output->figure || output->format)
        return;
    if (strcmp(output->figure, "text") == 0)
        *output = (struct clopt_output){0};
    else
        output->format = clopt_format_find("figures");
}

/* Refuses what does not go together. */
static int check_request(struct request *request)
{
    const struct analysis *analysis = request->analysis;
    const struct clopt_selection *selection = &request->asked.selection;
    if (request->top && !analysis->top)
        return clopt_usage_error("report", "--top does not go with --%s", analysis->option);
    if (request->run && analysis->several)
        return clopt_usage_error("report", "--run does not go with --%s", analysis->option);
    if (request->asked.baseline && !analysis->baseline)
        return clopt_usage_error("report", "--baseline goes with --by and --productivity");
    if (!analysis->selection && (selection->device || selection->problem || selection->kernel))
        return clopt_usage_error(
            "report",
            "--device, --problem and --kernel go with --t4, --kernel-tuner, --space and --tree");
    if (analysis->format && request->output.format)
        return clopt_usage_error("report", "--%s and --%s: one format at a time", analysis->option,
                                 request->output.format->option);
    if (analysis->format && request->asked.value && !*request->asked.value)
        return clopt_usage_error("report", "--%s= takes a folder", analysis->option);
    if (analysis->draws)
        take_figure(&request->output);
    return clopt_output_check(&request->output, "report");
}

static enum clopt_status take_analysis(void *read, const struct clopt_option *option,
                                       const char *value, struct clopt_error *error)
{
    struct request *request = read;
    const struct analysis *analysis = analyses + 1;
    while (strcmp(analysis->option, option->name) != 0)
        analysis++;
    if (request->analysis != analyses && request->analysis != analysis)
        return clopt_fail(error, CLOPT_INVALID, "--%s and --%s: one analysis at a time",
                          request->analysis->option, analysis->option);
    request->analysis = analysis;
    request->asked.value = value;
    return CLOPT_OK;
}

#define ANALYSIS_OPTION(LETTER, OPTION, VALUE, HELP, ...)                                          \
    CLOPT_TAKEN(LETTER, OPTION, VALUE, take_analysis, HELP),
#define FORMAT_OPTION(OPTION, FORMAT, HELP) CLOPT_TAKEN(0, OPTION, "[FOLDER]", take_analysis, HELP),

static const struct clopt_option options[] = {
    CLOPT_NUMBER('r', "run", "N", struct request, run, 1, INT64_MAX,
                 "report this run of the store; `clopt status` lists them"),
    CLOPT_NUMBER('n', "top", "N", struct request, top, 1, 1000000,
                 "show the N best variants of each device, and the initial code"),
    CLOPT_EXCHANGE_FORMATS(FORMAT_OPTION) CLOPT_ANALYSES(ANALYSIS_OPTION) CLOPT_TEXT(
        0, "baseline", "BASELINE", struct request, asked.baseline,
        "over the initial code at the best of its local sizes (strict, the default) or as "
        "it is (initial); of productivity, over this row, \"initial code\" (the default), "
        "or a rival's: \"rival c\""),
    {0},
};

static int take_stores(struct request *request, int argc, char **argv)
{
    request->asked.paths = (const char *const *)&argv[optind];
    request->asked.path_count = (size_t)(argc - optind);
    request->asked.top = (size_t)request->top;
    if (!(request->analysis->several && request->asked.path_count) &&
        !clopt_store_argument("report", argc, argv))
        return CLOPT_EXIT_USAGE;
    return check_request(request);
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.analysis = analyses};
    int code;
    if (!clopt_command_read(global, &clopt_report_command, &request, argc, argv, &code) ||
        (code = take_stores(&request, argc, argv)))
        return code;
    return report(&request);
}

const struct clopt_command clopt_report_command = {
    .name = "report",
    .summary = "print the results that a study's store holds",
    .usage = "report STORE [--run=N] [--top=N] [FORMAT]\n"
             "       clopt report STORE [--run=N] --counters [FORMAT]\n"
             "       clopt report STORE [--run=N] --productivity [--baseline=ROW] [FORMAT]\n"
             "       clopt report STORE [--run=N] --tree[=counters] [FORMAT]\n"
             "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
             "       clopt report STORE... --by=PARAMETER [--baseline=BASELINE] [FORMAT]\n"
             "       clopt report STORE [--run=N] {--t4 | --kernel-tuner | --space}[=FOLDER]\n"
             "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
             "FORMAT: --all, --brief, --html, --markdown, --latex, --csv, --json, or\n"
             "        --figures=FOLDER [--format=svg | png | pdf]; without one, text\n",
    .about = "Prints the results of the newest run in a study's store: what pays where, tables\n"
             "of times and of speed-ups over the initial code, and the best of every device.\n"
             "\n",
    .arguments = "STORE ...",
    .lists = {{clopt_output_options, offsetof(struct request, output)},
              {options, 0},
              {clopt_selection_options, offsetof(struct request, asked.selection)}},
    .run = run_command,
};
