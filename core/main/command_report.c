/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */
#include "main/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "main/usage.h"
#include "report/report.h"

const char clopt_help_report[] =
    "Usage: clopt report STORE [--run=N] [--html | --markdown | --latex] [--top=N]\n"
    "       clopt report STORE [--run=N] {--csv | --json}\n"
    "       clopt report STORE [--run=N] --figures=FOLDER [--format=FORMAT] [--top=N]\n"
    "       clopt report STORE [--run=N] {--t4 | --kernel-tuner | --space}[=FOLDER]\n"
    "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
    "       clopt report STORE [--run=N] --counters\n"
    "       clopt report STORE [--run=N] --tree[=counters] [--format=FORMAT]\n"
    "                    [--device=LABEL] [--problem=LABEL] [--kernel=NAME]\n"
    "       clopt report STORE... --by=PARAMETER [--baseline=BASELINE]\n"
    "                    [--csv | --figures=FOLDER [--format=FORMAT]]\n"
    "       clopt report STORE [--run=N] --productivity [--baseline=ROW]\n"
    "                    [--markdown | --latex | --csv |\n"
    "                    --figures=FOLDER [--format=FORMAT]]\n"
    "\n"
    "Prints the results of the newest run in a study's store: what pays where, tables\n"
    "of times and of speed-ups over the initial code, and the best of every device.\n"
    "\n"
    "Options:\n"
    "  -r, --run=N  report this run of the store; `clopt status` lists them\n"
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
    const char *path; /* of the store; of several, the first one */
    const char *const *paths;
    size_t path_count;
    const char *by;       /* a parameter; NULL: not given */
    const char *baseline; /* the same */
    bool productivity;
    int64_t run;
    char form;
    const char *folder; /* NULL: none */
    const char *format;
    size_t top; /* 0: not given */
    const char *device;
    const char *problem;
    const char *kernel;
};

static enum clopt_status write_figures(struct clopt_store *store, const struct request *request,
                                       struct clopt_error *error)
{
    char *gnuplot = clopt_report_find_gnuplot(error);
    struct clopt_report_figures figures = {
        .gnuplot = gnuplot,
        .folder = request->folder,
        .format = request->format ? request->format : "svg",
        .top = request->top,
        .stream = stdout,
        .notices = stderr,
    };
    enum clopt_status status =
        gnuplot ? clopt_report_figures(store, &figures, error) : CLOPT_FAILED;
    free(gnuplot);
    return status;
}

/* A page without figures is worth having, but that they are missing is said. */
static enum clopt_status print_page(struct clopt_store *store, const struct request *request,
                                    struct clopt_error *error)
{
    struct clopt_error missing = {0};
    char *gnuplot = request->form == 'H' ? clopt_report_find_gnuplot(&missing) : NULL;
    if (request->form == 'H' && !gnuplot)
        clopt_text_print(stderr, "clopt: the page has no figures: %s\n", missing.message);
    const struct clopt_report_page page = {
        .form = request->form == 'H'   ? CLOPT_REPORT_HTML
                : request->form == 'm' ? CLOPT_REPORT_MARKDOWN
                : request->form == 'l' ? CLOPT_REPORT_LATEX
                                       : CLOPT_REPORT_TEXT,
        .top = request->top,
        .color = clopt_wants_color(),
        .gnuplot = gnuplot,
        .stream = stdout,
    };
    enum clopt_status status = clopt_report_print(store, &page, error);
    free(gnuplot);
    return status;
}

static enum clopt_status print_counters(struct clopt_store *store, struct clopt_error *error)
{
    const struct clopt_report_page page = {
        .form = CLOPT_REPORT_TEXT, .color = clopt_wants_color(), .stream = stdout};
    return clopt_report_counters(store, &page, error);
}

static enum clopt_status exchange(struct clopt_store *store, const struct request *request,
                                  struct clopt_error *error)
{
    struct clopt_report_exchange wanted = {
        .device = request->device,
        .problem = request->problem,
        .kernel = request->kernel,
        .folder = request->folder,
        .stream = stdout,
        .notices = stderr,
    };
    return request->form == '4'   ? clopt_report_t4(store, &wanted, error)
           : request->form == 'K' ? clopt_report_kernel_tuner(store, &wanted, error)
           : request->form == 'T' ? clopt_report_tree(store, &wanted, request->format, error)
                                  : clopt_report_spaces(store, &wanted, error);
}

static enum clopt_status print_effects(const struct request *request, struct clopt_error *error)
{
    char *gnuplot = request->form == 'f' ? clopt_report_find_gnuplot(error) : NULL;
    const struct clopt_report_effects effects = {
        .parameter = request->by,
        .paths = request->paths,
        .path_count = request->path_count,
        .strict = !request->baseline || strcmp(request->baseline, "strict") == 0,
        .csv = request->form == 'c',
        .gnuplot = gnuplot,
        .folder = request->folder,
        .format = request->format ? request->format : "svg",
        .stream = stdout,
    };
    enum clopt_status status =
        request->form == 'f' && !gnuplot ? CLOPT_FAILED : clopt_report_effects(&effects, error);
    free(gnuplot);
    return status;
}

static enum clopt_status print_productivity(struct clopt_store *store,
                                            const struct request *request,
                                            struct clopt_error *error)
{
    char *gnuplot = request->form == 'f' ? clopt_report_find_gnuplot(error) : NULL;
    const struct clopt_report_productivity productivity = {
        .baseline = request->baseline ? request->baseline : "initial code",
        .form = request->form == 'm'   ? CLOPT_REPORT_MARKDOWN
                : request->form == 'l' ? CLOPT_REPORT_LATEX
                                       : CLOPT_REPORT_TEXT,
        .color = clopt_wants_color(),
        .csv = request->form == 'c',
        .gnuplot = gnuplot,
        .folder = request->folder,
        .format = request->format ? request->format : "svg",
        .stream = stdout,
    };
    enum clopt_status status = request->form == 'f' && !gnuplot
                                   ? CLOPT_FAILED
                                   : clopt_report_productivity(store, &productivity, error);
    free(gnuplot);
    return status;
}

static enum clopt_status print_form(struct clopt_store *store, const struct request *request,
                                    struct clopt_error *error)
{
    switch (request->form) {
    case 'c':
        return clopt_report_csv(store, stdout, error);
    case 'j':
        return clopt_report_json(store, stdout, error);
    case 'f':
        return write_figures(store, request, error);
    case 'C':
        return print_counters(store, error);
    case 'T':
        return request->folder ? clopt_report_counter_trees(store, request->format, stdout, error)
                               : exchange(store, request, error);
    case '4':
    case 'K':
    case 'S':
        return exchange(store, request, error);
    default:
        return print_page(store, request, error);
    }
}

static enum clopt_status print_report(const struct request *request, struct clopt_error *error)
{
    if (request->by)
        return print_effects(request, error);
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_store_open_read(request->path, &store, error);
    if (status)
        return status;
    clopt_store_choose_run(store, request->run);
    status = request->productivity ? print_productivity(store, request, error)
                                   : print_form(store, request, error);
    clopt_store_close(store);
    return status;
}

/* Refuses what does not go with --by, or not without it. */
static int check_effects(const struct request *request)
{
    if (request->by && (!strchr("tcf", request->form) || request->run || request->top))
        return clopt_usage_error("report", "--by goes with --csv and --figures alone");
    if (request->productivity && (request->by || !strchr("tmlcf", request->form) || request->top))
        return clopt_usage_error("report", "--productivity goes with --markdown, --latex, --csv "
                                           "and --figures alone");
    if (request->baseline && !request->by && !request->productivity)
        return clopt_usage_error("report", "--baseline goes with --by and --productivity");
    if (request->by && request->baseline && strcmp(request->baseline, "strict") != 0 &&
        strcmp(request->baseline, "initial") != 0)
        return clopt_usage_error("report", "--baseline=%s: there are strict and initial",
                                 request->baseline);
    return CLOPT_EXIT_DONE;
}

/* Refuses what does not go together. */
static int check_request(const struct request *request)
{
    bool grown = request->form == 'T' && request->folder; /* from counters */
    bool exchanged = strchr("4KST", request->form) && !grown;
    if (grown && strcmp(request->folder, "counters") != 0)
        return clopt_usage_error("report",
                                 "--tree=%s: a tree is grown from counters, or from what "
                                 "steps differ in (--tree)",
                                 request->folder);
    if (request->top && strchr("4KSTCcj", request->form))
        return clopt_usage_error("report",
                                 "--top goes with the text, --html, --markdown, --latex and "
                                 "--figures");
    if (request->format && !strchr("fT", request->form))
        return clopt_usage_error("report", "--format goes with --figures and --tree");
    if (!exchanged && (request->device || request->problem || request->kernel))
        return clopt_usage_error(
            "report",
            "--device, --problem and --kernel go with --t4, --kernel-tuner, --space and --tree");
    if (request->folder && !*request->folder)
        return clopt_usage_error("report", "%s takes a folder",
                                 request->form == 'f'   ? "--figures"
                                 : request->form == '4' ? "--t4="
                                 : request->form == 'K' ? "--kernel-tuner="
                                                        : "--space=");
    return check_effects(request);
}

/* Takes an option that says in which form the report is written, with a folder or none. */
static int take_form(struct request *request, int option)
{
    if (request->form != 't' && request->form != option)
        return clopt_usage_error(
            "report", "--html, --markdown, --latex, --csv, --json, --figures, --t4, "
                      "--kernel-tuner, --space, --tree and --counters exclude each other");
    request->form = (char)option;
    request->folder = optarg;
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
    switch (option) {
    case 'r':
        request->run = clopt_run_read("report", optarg);
        return request->run < 0 ? CLOPT_EXIT_USAGE : CLOPT_EXIT_DONE;
    case 'n':
        return take_top(request);
    case 'b':
        request->by = optarg;
        return CLOPT_EXIT_DONE;
    case 'P':
        request->productivity = true;
        return CLOPT_EXIT_DONE;
    case 'B':
        request->baseline = optarg;
        return CLOPT_EXIT_DONE;
    case 'F':
        request->format = optarg;
        return CLOPT_EXIT_DONE;
    case 'd':
        request->device = optarg;
        return CLOPT_EXIT_DONE;
    case 'p':
        request->problem = optarg;
        return CLOPT_EXIT_DONE;
    case 'k':
        request->kernel = optarg;
        return CLOPT_EXIT_DONE;
    case '?':
    case ':':
        return clopt_option_error("report", option, argv, options);
    default:
        return take_form(request, option);
    }
}

static int read_options(struct request *request, int argc, char **argv, bool *help)
{
    static const struct option options[] = {
        {"run", required_argument, NULL, 'r'},      {"csv", no_argument, NULL, 'c'},
        {"json", no_argument, NULL, 'j'},           {"html", no_argument, NULL, 'H'},
        {"markdown", no_argument, NULL, 'm'},       {"latex", no_argument, NULL, 'l'},
        {"top", required_argument, NULL, 'n'},      {"figures", required_argument, NULL, 'f'},
        {"format", required_argument, NULL, 'F'},   {"t4", optional_argument, NULL, '4'},
        {"device", required_argument, NULL, 'd'},   {"kernel-tuner", optional_argument, NULL, 'K'},
        {"problem", required_argument, NULL, 'p'},  {"kernel", required_argument, NULL, 'k'},
        {"tree", optional_argument, NULL, 'T'},     {"counters", no_argument, NULL, 'C'},
        {"space", optional_argument, NULL, 'S'},    {"by", required_argument, NULL, 'b'},
        {"baseline", required_argument, NULL, 'B'}, {"productivity", no_argument, NULL, 'P'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
    };
    int option, code = CLOPT_EXIT_DONE;
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
    request->path = request->by && request->path_count ? argv[optind]
                                                       : clopt_store_argument("report", argc, argv);
    return request->path ? check_request(request) : CLOPT_EXIT_USAGE;
}

int clopt_command_report(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.form = 't'};
    struct clopt_error error = {0};
    bool help = false;
    (void)global;
    int code = read_options(&request, argc, argv, &help);
    if (code || help)
        return code;
    enum clopt_status status = print_report(&request, &error);
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(&error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}
