/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */
#include "main/command.h"

#include <stdio.h>
#include <string.h>

#include "main/output.h"
#include "report/report.h"

const char clopt_help_report[] =
    "Usage: clopt report STORE [--run=N] [--top=N] [FORMAT]\n"
    "       clopt report STORE [--run=N] --counters [FORMAT]\n"
    "       clopt report STORE [--run=N] --productivity [--baseline=ROW] [FORMAT]\n"
    "       clopt report STORE [--run=N] --tree[=counters] [FORMAT]\n"
    "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
    "       clopt report STORE... --by=PARAMETER [--baseline=BASELINE] [FORMAT]\n"
    "       clopt report STORE [--run=N] {--t4 | --kernel-tuner | --space}[=FOLDER]\n"
    "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
    "FORMAT: --all, --brief, --html, --markdown, --latex, --csv, --json, or\n"
    "        --figures=FOLDER [--format=svg | png | pdf]; without one, text\n"
    "\n"
    "Prints the results of the newest run in a study's store: what pays where, tables\n"
    "of times and of speed-ups over the initial code, and the best of every device.\n"
    "\n"
    "Options:\n"
    "  -r, --run=N  report this run of the store; `clopt status` lists them\n"
    "      --all    print all tables and notes as text: the default but on a terminal\n"
    "      --brief  print what fits a screen: the default on a terminal\n"
    "      --html   print one page with figures and tables, for a browser\n"
    "      --markdown\n"
    "               print it as Markdown\n"
    "      --latex  print the summary and tables for \\input in a LaTeX document\n"
    "  -n, --top=N  show the N best variants of each device, and the initial code\n"
    "      --csv    print one line a device, problem, kernel and variant\n"
    "      --json   print the same rows as JSON\n"
    "      --figures=FOLDER\n"
    "               draw the speed-ups, and the samples of the best, a file each a\n"
    "               problem and kernel, and print the paths of these files\n"
    "      --format=FORMAT\n"
    "               their format: svg (the default), png or pdf; a tree is drawn by\n"
    "               Graphviz, and printed: svg, png, pdf or dot (default: text)\n"
    "      --t4[=FOLDER]\n"
    "               print results as T4, the format of the auto-tuning community;\n"
    "               one file is about one device, problem and kernel: with a folder,\n"
    "               write all of them there, and print their paths\n"
    "      --kernel-tuner[=FOLDER]\n"
    "               the same as cache files of Kernel Tuner\n"
    "      --space[=FOLDER]\n"
    "               the same as recorded spaces, which `clopt advise` learns from\n"
    "      --tree   explain the speed-ups by a tree of questions, as far as it can\n"
    "      --tree=counters\n"
    "               the same for each device by what the variants execute\n"
    "      --counters\n"
    "               print what was counted of each variant beside its speed-up, and\n"
    "               what tells those that gain from those that lose\n"
    "  -b, --by=PARAMETER\n"
    "               print what a parameter, such as granularity, does to the best\n"
    "               speed-up of each kernel, on all devices of all these stores\n"
    "      --productivity\n"
    "               print time, performance and speed-up of each variant and native\n"
    "               program beside the lines that a person has to write for it\n"
    "      --baseline=BASELINE\n"
    "               over the initial code at the best of its local sizes (strict, the\n"
    "               default) or as it is (initial); of productivity, over this row,\n"
    "               \"initial code\" (the default), or a rival's: \"rival c\"\n"
    "  -d, --device=LABEL\n"
    "               of one document: only this device, as the study calls it\n"
    "  -p, --problem=LABEL\n"
    "               only this problem, as reports call it: size=512\n"
    "  -k, --kernel=NAME\n"
    "               only this kernel\n"
    "  -h, --help   show this help\n";

/* What is asked for. */
struct request {
    const char *const *paths; /* of the stores */
    size_t path_count;
    const struct analysis *analysis;
    const char *value; /* of the option that names the analysis; NULL: none */
    const char *baseline;
    int64_t run;
    size_t top; /* 0: not given */
    struct clopt_report_exchange place;
    struct clopt_output output;
};

typedef enum clopt_status (*analyse)(struct clopt_store *store, const struct request *request,
                                     struct clopt_document *document, struct clopt_error *error);

/* What goes with an analysis, and what it does: it adds to a document, or prints one of another
 * program's. That of several stores opens them by itself. */
struct analysis {
    const char *option; /* NULL: it is the default */
    int argument;       /* of the option, as getopt_long() has it */
    bool top, baseline, place, several, foreign;
    analyse run;
};

/* ---- analyses ---- */

static enum clopt_status report_best(struct clopt_store *store, const struct request *request,
                                     struct clopt_document *document, struct clopt_error *error)
{
    document->top = request->top;
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

static enum clopt_status print_t4(struct clopt_store *store, const struct request *request,
                                  struct clopt_document *document, struct clopt_error *error)
{
    (void)document;
    return clopt_report_t4(store, &request->place, error);
}

static enum clopt_status print_kernel_tuner(struct clopt_store *store,
                                            const struct request *request,
                                            struct clopt_document *document,
                                            struct clopt_error *error)
{
    (void)document;
    return clopt_report_kernel_tuner(store, &request->place, error);
}

static enum clopt_status print_spaces(struct clopt_store *store, const struct request *request,
                                      struct clopt_document *document, struct clopt_error *error)
{
    (void)document;
    return clopt_report_spaces(store, &request->place, error);
}

static const struct analysis analyses[] = {
    {.top = true, .run = report_best},
    {.option = "by",
     .argument = required_argument,
     .baseline = true,
     .several = true,
     .run = report_effects},
    {.option = "productivity", .baseline = true, .run = report_productivity},
    {.option = "counters", .run = report_counters},
    {.option = "tree", .argument = optional_argument, .place = true, .run = report_tree},
    {.option = "t4",
     .argument = optional_argument,
     .place = true,
     .foreign = true,
     .run = print_t4},
    {.option = "kernel-tuner",
     .argument = optional_argument,
     .place = true,
     .foreign = true,
     .run = print_kernel_tuner},
    {.option = "space",
     .argument = optional_argument,
     .place = true,
     .foreign = true,
     .run = print_spaces},
};
#define ANALYSES       ((int)(sizeof analyses / sizeof *analyses))
#define FIRST_ANALYSIS 500 /* getopt_long() returns this for number 0 */

static enum clopt_status run(const struct request *request, struct clopt_document *document,
                             struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_output_prepare(&request->output, error);
    if (!status && !request->analysis->several)
        status = clopt_store_open_read(*request->paths, &store, error);
    if (!status && store)
        clopt_store_choose_run(store, request->run);
    if (!status)
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
    if (analysis->foreign && request->value && !*request->value)
        return clopt_usage_error("report", "--%s= takes a folder", analysis->option);
    if (analysis->run == report_effects && request->baseline &&
        strcmp(request->baseline, "strict") != 0 && strcmp(request->baseline, "initial") != 0)
        return clopt_usage_error("report", "--baseline=%s: there are strict and initial",
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
    if (analysis->foreign && request->output.format)
        return clopt_usage_error("report", "--%s and --%s: one format at a time", analysis->option,
                                 request->output.format->option);
    int code = check_value(request);
    return code ? code : clopt_output_check(&request->output, "report");
}

static int take_analysis(struct request *request, int option)
{
    const struct analysis *analysis = &analyses[option - FIRST_ANALYSIS];
    if (request->analysis != analyses && request->analysis != analysis)
        return clopt_usage_error("report", "--%s and --%s: one analysis at a time",
                                 request->analysis->option, analysis->option);
    request->analysis = analysis;
    request->value = optarg;
    if (analysis->foreign)
        request->place.folder = optarg;
    return CLOPT_EXIT_DONE;
}

static int take_top(struct request *request)
{
    int64_t number = clopt_number_read(optarg, 1, 1000000);
    if (number < 0)
        return clopt_usage_error("report", "--top=%s: not a number of variants", optarg);
    request->top = (size_t)number;
    return CLOPT_EXIT_DONE;
}

/* Takes an option, which getopt_long() has read from `argv`. */
static int take_option(struct request *request, int option, char **argv,
                       const struct option *options)
{
    const struct {
        int option;
        const char **text;
    } texts[] = {{'B', &request->baseline},
                 {'d', &request->place.device},
                 {'p', &request->place.problem},
                 {'k', &request->place.kernel}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].option == option) {
            *texts[i].text = optarg;
            return CLOPT_EXIT_DONE;
        }
    if (option == 'r') {
        request->run = clopt_run_read("report", optarg);
        return request->run < 0 ? CLOPT_EXIT_USAGE : CLOPT_EXIT_DONE;
    }
    if (option == 'n')
        return take_top(request);
    if (option == 'b')
        option = FIRST_ANALYSIS + 1;
    if (option >= CLOPT_OUTPUT_FIRST)
        return clopt_output_take(&request->output, "report", option);
    return option >= FIRST_ANALYSIS ? take_analysis(request, option)
                                    : clopt_option_error("report", option, argv, options);
}

/* Lists all options: the command's own, those of analyses, those of formats. */
static void list_options(struct option *options)
{
    struct option own[CLOPT_MOST_OPTIONS / 2] = {
        {"run", required_argument, NULL, 'r'},      {"top", required_argument, NULL, 'n'},
        {"baseline", required_argument, NULL, 'B'}, {"device", required_argument, NULL, 'd'},
        {"problem", required_argument, NULL, 'p'},  {"kernel", required_argument, NULL, 'k'},
        {"help", no_argument, NULL, 'h'},
    };
    size_t count = 7;
    for (int i = 1; i < ANALYSES; i++)
        own[count++] =
            (struct option){analyses[i].option, analyses[i].argument, NULL, FIRST_ANALYSIS + i};
    clopt_output_options(own, options);
}

static int read_options(struct request *request, int argc, char **argv, bool *help)
{
    struct option options[CLOPT_MOST_OPTIONS];
    int option, code = CLOPT_EXIT_DONE;
    list_options(options);
    while (!code && (option = getopt_long(argc, argv, ":r:n:b:d:p:k:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(clopt_help_report, stdout);
            *help = true;
            return CLOPT_EXIT_DONE;
        }
        code = take_option(request, option, argv, options);
    }
    if (code)
        return code;
    request->paths = (const char *const *)&argv[optind];
    request->path_count = (size_t)(argc - optind);
    if (!(request->analysis->several && request->path_count) &&
        !clopt_store_argument("report", argc, argv))
        return CLOPT_EXIT_USAGE;
    return check_request(request);
}

int clopt_command_report(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.analysis = analyses, .place = {.stream = stdout, .notices = stderr}};
    bool help = false;
    (void)global;
    int code = read_options(&request, argc, argv, &help);
    return code || help ? code : report(&request);
}
