/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt compare`: says what changed from one store to another. */
#include "main/command.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "main/output.h"
#include "report/report.h"

const char clopt_help_compare[] =
    "Usage: clopt compare STORE STORE [OPTION ...]\n"
    "\n"
    "Compares the newest runs of two stores, A and B: which variants became slower or\n"
    "faster in B, beyond noise, and which do not work any more.\n"
    "\n"
    "Options:\n"
    "      --relative   compare speed-ups over the initial code, and not times: for\n"
    "                   two machines\n"
    "      --fdr=PERCENT\n"
    "                   the share of the changes found that may be none (default: 5)\n"
    "      --fail-on-regression[=PERCENT]\n"
    "                   exit with 1 if a row became slower, by more than PERCENT\n"
    "                   (default: 0), or does not work any more\n"
    "  -d, --device=LABEL\n"
    "                   compare this device alone, as the study of A calls it\n"
    "  -p, --problem=LABEL\n"
    "                   compare this problem alone, as reports call it: size=512\n"
    "  -k, --kernel=NAME\n"
    "                   compare this kernel alone\n"
    "      --html       print it as a page for a browser\n"
    "      --markdown   print it as Markdown\n"
    "      --latex      print it for \\input in a LaTeX document\n"
    "      --csv        print one line a device, problem, kernel and variant\n"
    "      --json       print the same rows as JSON\n"
    "  -h, --help       show this help\n";

/* Reads a percentage below 100; -1 where it is none. */
static double read_share(const char *text)
{
    char *end;
    double percent = strtod(text, &end);
    bool good = end != text && (!*end || strcmp(end, "%") == 0) && percent >= 0 && percent < 100;
    return good ? percent / 100 : -1;
}

/* Says why a comparison fails that must not have found a regression. */
static int check(const struct clopt_report_comparison *request, size_t compared, size_t regressions)
{
    if (regressions)
        clopt_text_print(stderr, "clopt: %s: %zu regression%s since %s\n", request->paths[1],
                         regressions, regressions == 1 ? "" : "s", request->paths[0]);
    else if (!compared)
        clopt_text_print(
            stderr,
            "clopt: %s: nothing can be compared with %s, so nothing is known of regressions\n",
            request->paths[1], request->paths[0]);
    return regressions || !compared ? CLOPT_EXIT_FAILURE : CLOPT_EXIT_DONE;
}

static int compare(const struct clopt_report_comparison *request, const struct clopt_output *output,
                   bool fails)
{
    struct clopt_error error = {0};
    struct clopt_document document = clopt_output_begin(output, "clopt compare");
    size_t compared, regressions;
    enum clopt_status status =
        clopt_report_compare(request, &document, &compared, &regressions, &error);
    status = clopt_output_finish(output, &document, status, &error);
    if (status)
        return clopt_report_error(&error);
    return fails ? check(request, compared, regressions) : CLOPT_EXIT_DONE;
}

/* What the command line asks for. */
struct comparison {
    struct clopt_report_comparison request;
    bool fails; /* where there are regressions */
    struct clopt_output output;
    bool help;
};

/* Takes an option that has a percentage; the smallest share that it may have is `least`. */
static int take_share(const char *name, double least, double *share)
{
    *share = optarg ? read_share(optarg) : 0;
    return *share >= least
               ? CLOPT_EXIT_DONE
               : clopt_usage_error("compare", "%s=%s: not a percentage, such as 5", name, optarg);
}

/* Takes an option, which getopt_long() has read from `argv`. */
static int take_option(struct comparison *comparison, int option, char **argv,
                       const struct option *options)
{
    struct clopt_report_comparison *request = &comparison->request;
    switch (option) {
    case 'r':
        request->relative = true;
        return CLOPT_EXIT_DONE;
    case 'F':
        return take_share("--fdr", DBL_MIN, &request->rate);
    case 'f':
        comparison->fails = true;
        return take_share("--fail-on-regression", 0, &request->regression);
    case 'd':
        request->device = optarg;
        return CLOPT_EXIT_DONE;
    case 'p':
        request->problem = optarg;
        return CLOPT_EXIT_DONE;
    case 'k':
        request->kernel = optarg;
        return CLOPT_EXIT_DONE;
    case 'h':
        comparison->help = true;
        return CLOPT_EXIT_DONE;
    default:
        return option >= CLOPT_OUTPUT_FIRST
                   ? clopt_output_take(&comparison->output, "compare", option)
                   : clopt_option_error("compare", option, argv, options);
    }
}

static int read_options(struct comparison *comparison, int argc, char **argv)
{
    static const struct option own[] = {
        {"relative", no_argument, NULL, 'r'},
        {"fdr", required_argument, NULL, 'F'},
        {"fail-on-regression", optional_argument, NULL, 'f'},
        {"device", required_argument, NULL, 'd'},
        {"problem", required_argument, NULL, 'p'},
        {"kernel", required_argument, NULL, 'k'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct option options[CLOPT_MOST_OPTIONS];
    int option, code = CLOPT_EXIT_DONE;
    clopt_output_options(own, options);
    while (!code && !comparison->help &&
           (option = getopt_long(argc, argv, ":d:p:k:h", options, NULL)) != -1)
        code = take_option(comparison, option, argv, options);
    if (code || comparison->help)
        return code;
    if (argc - optind != 2)
        return clopt_usage_error("compare", "%s: clopt compare A.db B.db",
                                 argc - optind < 2 ? "two stores are needed"
                                                   : "two stores at a time");
    struct clopt_report_comparison *request = &comparison->request;
    request->paths[0] = argv[optind];
    request->paths[1] = argv[optind + 1];
    return clopt_output_check(&comparison->output, "compare");
}

int clopt_command_compare(const struct clopt_global_options *global, int argc, char **argv)
{
    (void)global;
    struct comparison comparison = {.request = {.rate = 0.05}};
    int code = read_options(&comparison, argc, argv);
    if (comparison.help)
        fputs(clopt_help_compare, stdout);
    return code || comparison.help
               ? code
               : compare(&comparison.request, &comparison.output, comparison.fails);
}
