/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */
#include "main/command.h"

#include <stdio.h>
#include <string.h>

#include "exchange/exchange.h"
#include "main/output.h"
#include "report/report.h"

/* What is asked for. */
struct request {
    const char *const *paths; /* of the stores */
    size_t path_count;
    const struct analysis *analysis;
    const char *value; /* of the option that names the analysis; NULL: none */
    const char *baseline;
    int64_t run;
    int64_t top; /* 0: not given */
    struct clopt_report_exchange place;
    struct clopt_output output;
};

typedef enum clopt_status (*analyse)(struct clopt_store *store, const struct request *request,
                                     struct clopt_document *document, struct clopt_error *error);

/* What goes with an analysis, and what it does: it adds to a document, or prints one of another
 * program's. That of several stores opens them by itself. */
struct analysis {
    const char *option; /* NULL: it is the default */
    bool top, baseline, place, several;
    const struct clopt_exchange_format *format; /* of another program; NULL: none */
    analyse run;
};

/* ---- analyses ---- */

static enum clopt_status report_best(struct clopt_store *store, const struct request *request,
                                     struct clopt_document *document, struct clopt_error *error)
{
    document->top = (size_t)request->top;
    return clopt_report_best(store, *request->paths, document, error);
}

static enum clopt_status report_counters(struct clopt_store *store, const struct request *request,
                                         struct clopt_document *document, struct clopt_error *error)
{
    (void)request;
    return clopt_report_counters(store, document, error);
}

static enum clopt_status report_tree(struct clopt_store *store, const struct request *request,
                                     struct clopt_document *document, struct clopt_error *error)
{
    return request->value ? clopt_report_counter_trees(store, document, error)
                          : clopt_report_tree(store, &request->place, document, error);
}

static enum clopt_status report_effects(struct clopt_store *store, const struct request *request,
                                        struct clopt_document *document, struct clopt_error *error)
{
    const struct clopt_report_effects effects = {
        .parameter = request->value,
        .paths = request->paths,
        .path_count = request->path_count,
        .strict = !request->baseline || strcmp(request->baseline, "strict") == 0,
    };
    (void)store;
    return clopt_report_effects(&effects, document, error);
}

static enum clopt_status report_productivity(struct clopt_store *store,
                                             const struct request *request,
                                             struct clopt_document *document,
                                             struct clopt_error *error)
{
    return clopt_report_productivity(store, request->baseline, document, error);
}

static const struct analysis analyses[] = {
    {.top = true, .run = report_best},
    {.option = "by", .baseline = true, .several = true, .run = report_effects},
    {.option = "productivity", .baseline = true, .run = report_productivity},
    {.option = "counters", .run = report_counters},
    {.option = "tree", .place = true, .run = report_tree},
    {.option = "t4", .place = true, .format = &clopt_exchange_t4},
    {.option = "kernel-tuner", .place = true, .format = &clopt_exchange_kernel_tuner},
    {.option = "space", .place = true, .format = &clopt_exchange_space},
};

static enum clopt_status run(const struct request *request, struct clopt_document *document,
                             struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_output_prepare(&request->output, error);
    if (!status && !request->analysis->several)
        status = clopt_store_open_read(*request->paths, &store, error);
    if (!status && store)
        clopt_store_choose_run(store, request->run);
    if (!status && request->analysis->format)
        status = clopt_exchange_write(store, request->analysis->format, &request->place, error);
    else if (!status)
        status = request->analysis->run(store, request, document, error);
    clopt_store_close(store);
    return status;
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

/* Refuses a value of the option that names the analysis, and what that needs and has not. */
static int check_value(struct request *request)
{
    const struct analysis *analysis = request->analysis;
    bool tree = analysis->run == report_tree;
    if (tree && request->value && strcmp(request->value, "counters") != 0)
        return clopt_usage_error("report",
                                 "--tree=%s: a tree is grown from counters, or from what "
                                 "steps differ in (--tree)",
                                 request->value);
    if (analysis->format && request->value && !*request->value)
        return clopt_usage_error("report", "--%s= takes a folder", analysis->option);
    if (analysis->run == report_effects && request->baseline &&
        strcmp(request->baseline, "strict") != 0 && strcmp(request->baseline, "initial") != 0)
        return clopt_usage_error("report", "--baseline=%s: choose strict or initial",
                                 request->baseline);
    if (tree && request->output.figure && !request->output.format) {
        request->output.format = clopt_format_find("figures"); /* the one of the tree, on stdout */
        if (strcmp(request->output.figure, "text") == 0)
            request->output = (struct clopt_output){0};
    }
    return CLOPT_EXIT_DONE;
}

/* Refuses what does not go together. */
static int check_request(struct request *request)
{
    const struct analysis *analysis = request->analysis;
    const struct clopt_report_exchange *place = &request->place;
    if (request->top && !analysis->top)
        return clopt_usage_error("report", "--top does not go with --%s", analysis->option);
    if (request->run && analysis->several)
        return clopt_usage_error("report", "--run does not go with --%s", analysis->option);
    if (request->baseline && !analysis->baseline)
        return clopt_usage_error("report", "--baseline goes with --by and --productivity");
    if (!analysis->place && (place->device || place->problem || place->kernel))
        return clopt_usage_error(
            "report",
            "--device, --problem and --kernel go with --t4, --kernel-tuner, --space and --tree");
    if (analysis->format && request->output.format)
        return clopt_usage_error("report", "--%s and --%s: one format at a time", analysis->option,
                                 request->output.format->option);
    int code = check_value(request);
    return code ? code : clopt_output_check(&request->output, "report");
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
    request->value = value;
    if (analysis->format)
        request->place.folder = value;
    return CLOPT_OK;
}

static const struct clopt_option options[] = {
    CLOPT_NUMBER('r', "run", "N", struct request, run, 1, INT64_MAX,
                 "report this run of the store; `clopt status` lists them"),
    CLOPT_NUMBER('n', "top", "N", struct request, top, 1, 1000000,
                 "show the N best variants of each device, and the initial code"),
    CLOPT_TAKEN(0, "t4", "[FOLDER]", take_analysis,
                "print results as T4, the format of the auto-tuning community; one file is about "
                "one device, problem and kernel: with a folder, write all of them there, and print "
                "their paths"),
    CLOPT_TAKEN(0, "kernel-tuner", "[FOLDER]", take_analysis,
                "the same as cache files of Kernel Tuner"),
    CLOPT_TAKEN(0, "space", "[FOLDER]", take_analysis,
                "the same as recorded spaces, which `clopt advise` learns from"),
    CLOPT_TAKEN(0, "tree", "[counters]", take_analysis,
                "explain the speed-ups by a tree of questions, as far as it can; with counters, "
                "for each device by what the variants execute"),
    CLOPT_TAKEN(0, "counters", NULL, take_analysis,
                "print what was counted of each variant beside its speed-up, and what tells those "
                "that gain from those that lose"),
    CLOPT_TAKEN('b', "by", "PARAMETER", take_analysis,
                "print what a parameter, such as granularity, does to the best speed-up of each "
                "kernel, on all devices of all these stores"),
    CLOPT_TAKEN(0, "productivity", NULL, take_analysis,
                "print time, performance and speed-up of each variant and native program beside "
                "the lines that a person has to write for it"),
    CLOPT_TEXT(0, "baseline", "BASELINE", struct request, baseline,
               "over the initial code at the best of its local sizes (strict, the default) or as "
               "it is (initial); of productivity, over this row, \"initial code\" (the default), "
               "or a rival's: \"rival c\""),
    CLOPT_TEXT('d', "device", "LABEL", struct request, place.device,
               "of one document: only this device, as the study calls it"),
    CLOPT_TEXT('p', "problem", "LABEL", struct request, place.problem,
               "only this problem, as reports call it: size=512"),
    CLOPT_TEXT('k', "kernel", "NAME", struct request, place.kernel, "only this kernel"),
    {0},
};

static int take_stores(struct request *request, int argc, char **argv)
{
    request->paths = (const char *const *)&argv[optind];
    request->path_count = (size_t)(argc - optind);
    if (!(request->analysis->several && request->path_count) &&
        !clopt_store_argument("report", argc, argv))
        return CLOPT_EXIT_USAGE;
    return check_request(request);
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.analysis = analyses, .place = {.stream = stdout, .notices = stderr}};
    int code;
    (void)global;
    if (!clopt_command_read(&clopt_report_command, &request, argc, argv, &code) ||
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
    .lists = {{clopt_output_options, offsetof(struct request, output)}, {options, 0}},
    .run = run_command,
};
