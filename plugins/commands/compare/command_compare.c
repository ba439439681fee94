/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt compare`: says what changed from one store to another. */

#include <errno.h>
#include <float.h>

#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "view/report.h"

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
};

/* Takes --fdr and --fail-on-regression, which have a percentage. */
static enum clopt_status take_share(void *read, const struct clopt_key *option, const char *value,
                                    struct clopt_error *error)
{
    struct comparison *comparison = read;
    bool rate = strcmp(option->is.name, "fdr") == 0;
    double share = value ? read_share(value) : 0;
    if (share < (rate ? DBL_MIN : 0))
        return clopt_fail(error, CLOPT_INVALID, "--%s=%s: not a percentage, such as 5",
                          option->is.name, value);
    if (rate)
        comparison->request.rate = share;
    else
        comparison->request.regression = share;
    comparison->fails = comparison->fails || !rate;
    return CLOPT_OK;
}

static const struct clopt_key options[] = {
    CLOPT_FLAG(0, "relative", struct comparison, request.relative,
               "compare speed-ups over the initial code, and not times: for two machines"),
    CLOPT_TAKEN(0, "fdr", "PERCENT", take_share,
                "the share of the changes found that may be none (default: 5)"),
    CLOPT_TAKEN(0, "fail-on-regression", "[PERCENT]", take_share,
                "exit with 1 if a row became slower, by more than PERCENT (default: 0), or does "
                "not work any more"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct comparison comparison = {.request = {.rate = 0.05}};
    int code;
    if (!clopt_command_read(global, &clopt_compare_command, &comparison, argc, argv, &code))
        return code;
    if (argc - optind != 2)
        return clopt_usage_error("compare", "%s: clopt compare A.db B.db",
                                 argc - optind < 2 ? "two stores are needed"
                                                   : "two stores at a time");
    if ((code = clopt_output_check(global, &comparison.output, "compare")))
        return code;
    comparison.request.paths[0] = argv[optind];
    comparison.request.paths[1] = argv[optind + 1];
    return compare(&comparison.request, &comparison.output, comparison.fails);
}

const struct clopt_command clopt_compare_command = {
    .name = "compare",
    .usage = "compare STORE STORE [OPTION ...]\n",
    .about = "Example: clopt compare before.db after.db\n\n"
             "Compares the newest runs of two stores, A and B: which variants became slower or\n"
             "faster in B, beyond noise, and which do not work any more.\n"
             "\n",
    .arguments = "STORE ...",
    .lists = {{options, 0},
              {clopt_selection_options, offsetof(struct comparison, request.selection)},
              {clopt_output_options, offsetof(struct comparison, output), clopt_output_row}},
    .run = run_command,
};
