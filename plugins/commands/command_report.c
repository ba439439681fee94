/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */

#include "commands/merge/merge.h"
#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "commands/shared/usage.h"
#include "exchange/exchange.h"
#include "view/analysis.h"

/* What is asked for. */
struct request {
    const struct clopt_global_options *global;
    struct clopt_analysis_request asked;
    const struct clopt_extension *named;        /* by an option; NULL: nothing */
    const struct clopt_analysis *analysis;      /* that it is, or the standard one */
    const struct clopt_exchange_format *format; /* or of another program; NULL: it is an analysis */
    int64_t run;
    int64_t top; /* 0: not given */
    struct clopt_output output;
};

static enum clopt_status run(const struct request *request, struct clopt_document *document,
                             struct clopt_error *error)
{
    const struct clopt_exchange_format *format = request->format;
    struct clopt_analysis_request asked = request->asked;
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_output_prepare(&request->output, error));
    if (format || !request->analysis->several) {
        CLOPT_TRY(asked.path_count > 1
                      ? clopt_store_join(asked.paths, asked.path_count, &store, error)
                      : clopt_store_open_read(*asked.paths, &store, error));
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
static void take_figure(struct request *request)
{
    struct clopt_output *output = &request->output;
    if (!output->figure || output->format)
        return;
    if (strcmp(output->figure, "text") == 0)
        *output = (struct clopt_output){0};
    else
        output->format = clopt_format_find(request->global->registry, "figures");
}

/* Refuses what does not go together. */
static int check_request(struct request *request)
{
    static const struct clopt_analysis exchanged = {.selection = true};
    const struct clopt_analysis *analysis = request->format ? &exchanged : request->analysis;
    const char *name = request->named ? request->named->name : "";
    const struct clopt_selection *selection = &request->asked.selection;
    if (request->top && !analysis->top)
        return clopt_usage_error("report", "--top does not go with --%s", name);
    if (request->run && analysis->several)
        return clopt_usage_error("report", "--run does not go with --%s", name);
    if (request->asked.baseline && !analysis->baseline)
        return clopt_usage_error("report", "--baseline goes with --by and --productivity");
    if (!analysis->selection && (selection->device || selection->problem || selection->kernel))
        return clopt_usage_error(
            "report",
            "--device, --problem and --kernel go with --t4, --kernel-tuner, --space and --tree");
    if (request->format && request->output.format)
        return clopt_usage_error("report", "--%s and --%s: one format at a time", name,
                                 request->output.format->name);
    if (request->format && request->asked.value && !*request->asked.value)
        return clopt_usage_error("report", "--%s= takes a folder", name);
    if (analysis->draws)
        take_figure(request);
    return clopt_output_check(request->global, &request->output, "report");
}

static enum clopt_status take_analysis(void *read, const struct clopt_key *option,
                                       const char *value, struct clopt_error *error)
{
    struct request *request = read;
    const struct clopt_extension *extension = option->extension;
    if (request->named && request->named != extension)
        return clopt_fail(error, CLOPT_INVALID, "--%s and --%s: one analysis at a time",
                          request->named->name, extension->name);
    request->named = extension;
    if (extension->kind == CLOPT_KIND_ANALYSIS)
        request->analysis = extension->operations;
    else
        request->format = ((const struct clopt_format *)extension->operations)->exchange;
    request->asked.value = value;
    return CLOPT_OK;
}

/* Analyses, and formats of other programs, which take a folder. */
static bool make_row(const struct clopt_extension *extension, struct clopt_key *option)
{
    option->take = take_analysis;
    if (extension->kind == CLOPT_KIND_FORMAT) {
        option->value = "[FOLDER]";
        return ((const struct clopt_format *)extension->operations)->exchange;
    }
    const struct clopt_analysis *analysis = extension->operations;
    if (extension->kind != CLOPT_KIND_ANALYSIS || analysis->standard)
        return false;
    option->letter = analysis->letter;
    option->value = analysis->value;
    return true;
}

static const struct clopt_key options[] = {
    CLOPT_NUMBER('r', "run", "N", struct request, run, "1..",
                 "report this run of the store; `clopt status` lists them"),
    CLOPT_NUMBER('n', "top", "N", struct request, top, "1..1000000",
                 "show the N best variants of each device, and the initial code"),
    CLOPT_TEXT(
        0, "baseline", "BASELINE", struct request, asked.baseline,
        "of --by: strict (the default), the initial code at its best local size, or initial, "
        "as it is; of --productivity: a row, \"initial code\" or a rival's, \"rival c\""),
    {0},
};

static int take_stores(struct request *request, int argc, char **argv)
{
    request->asked.paths = (const char *const *)&argv[optind];
    request->asked.path_count = (size_t)(argc - optind);
    request->asked.top = (size_t)request->top;
    if (request->asked.path_count < 2 && !clopt_store_argument("report", argc, argv))
        return CLOPT_EXIT_USAGE;
    if (request->asked.path_count > 1 && request->run)
        return clopt_usage_error("report", "--run: of one store at a time");
    return check_request(request);
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    struct request request = {.global = global,
                              .analysis = clopt_analysis_find(global->registry, &error)};
    int code;
    if (!request.analysis)
        return clopt_report_error(&error);
    if (!clopt_command_read(global, &clopt_report_command, &request, argc, argv, &code) ||
        (code = take_stores(&request, argc, argv)))
        return code;
    return report(&request);
}

const struct clopt_command clopt_report_command = {
    .name = "report",
    .first = true,
    .usage = "report STORE [--counters | --productivity | --tree] [FORMAT]\n"
             "       clopt report STORE STORE ... [--by=PARAMETER | --guidelines] [FORMAT]\n"
             "       clopt report STORE {--t4 | --kernel-tuner | --space}[=FOLDER]\n"
             "FORMAT: --all, --brief, --html, --markdown, --latex, --csv, --json, or\n"
             "        --figures=FOLDER [--format=svg | png | pdf]; without one, text\n",
    .about = "Example: clopt report lud.db --html >lud.html\n\n"
             "Prints the results of the newest run in a study's store: what pays where, tables\n"
             "of times and of speed-ups over the initial code, and the best of every device.\n"
             "\n",
    .arguments = "STORE ...",
    .lists = {{clopt_output_options, offsetof(struct request, output), clopt_output_row},
              {options, 0, make_row},
              {clopt_selection_options, offsetof(struct request, asked.selection)}},
    .run = run_command,
};
