/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt simulate`: replays recorded spaces through the strategies of searches. */
#include "main/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "main/experience.h"
#include "main/output.h"
#include "report/report.h"
#include "report/simulation.h"

#define MOST_STRATEGIES 16
#define MOST_RUNS       100000
#define MOST_TRIALS     1000000
#define MOST_RESULTS    50000000 /* of runs times trials: they are kept */

const char clopt_help_simulate[] =
    "Usage: clopt simulate RECORDING ... [OPTION ...]\n"
    "\n"
    "Searches recorded spaces, in which every variant has been measured, without a\n"
    "device, and prints how near to the best time the strategies come, by trials and\n"
    "by recorded time. A RECORDING is a store of a study, a recorded space, a cache\n"
    "file of Kernel Tuner, a T4 document, or the name of a space that ships, such as\n"
    "product-h100.\n"
    "\n"
    "Options:\n"
    "      --strategy=NAME[,NAME...]\n"
    "               only these strategies: model, genetic, local, random, exhaustive\n"
    "  -n, --budget=N\n"
    "               trials of a run (default: 200)\n"
    "      --repeat=N\n"
    "               runs of each strategy (default: 100)\n"
    "      --seed=N the first run's seed; the next runs count up (default: 1)\n"
    "      --html   print a page for a browser\n"
    "      --markdown\n"
    "               print it as Markdown\n"
    "      --latex  print it for \\input in a LaTeX document\n"
    "      --csv    print a line a strategy and trial\n"
    "      --json   print the same as JSON\n"
    "      --figures=FOLDER\n"
    "               draw them, a file a space, and print the paths of these files\n"
    "      --format=FORMAT\n"
    "               their format: svg (the default), png or pdf\n"
    "  -d, --device=LABEL\n"
    "               of stores: only this device, as the study calls it\n"
    "  -p, --problem=LABEL\n"
    "               only this problem, as reports call it: size=512\n"
    "  -k, --kernel=NAME\n"
    "               only this kernel\n"
    "  -h, --help   show this help\n";

struct request {
    struct clopt_simulation_request searches;
    const struct clopt_strategy *strategies[MOST_STRATEGIES + 1];
    struct clopt_output output;
    struct clopt_report_exchange place;
};

/* ---- reading ---- */

static enum clopt_status read_store(const struct request *request, const char *path,
                                    json_t **document, struct clopt_error *error)
{
    struct clopt_report_exchange place = request->place;
    struct clopt_store *store = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return clopt_fail_memory(error);
    place.stream = stream;
    place.notices = stderr;
    enum clopt_status status = clopt_store_open_read(path, &store, error);
    if (!status && clopt_report_space(store, &place, error))
        status = clopt_fail_within(error, "%s", path);
    if (fclose(stream) != 0 && !status)
        status = clopt_fail_memory(error);
    if (!status && !(*document = json_loads(text, 0, NULL)))
        status = clopt_fail_memory(error);
    clopt_store_close(store);
    free(text);
    return status;
}

/* ---- searching ---- */

static enum clopt_status simulate(const struct request *request, const char *path,
                                  struct clopt_document *report, struct clopt_error *error)
{
    struct clopt_recording recording = {0};
    struct clopt_simulation simulation = {0};
    json_t *document = NULL;
    bool there = access(path, F_OK) == 0;
    char *shipped = there ? NULL : clopt_experience_find(path);
    enum clopt_status status =
        clopt_recording_read_file(shipped ? shipped : path, &document, error);
    if (!there && !shipped && !strpbrk(path, "./"))
        status = clopt_fail(error, CLOPT_INVALID,
                            "%s: neither a file nor a recorded space that ships; these are in %s",
                            path, clopt_experience_folders());
    if (!status && !document)
        status = read_store(request, path, &document, error);
    if (!status && clopt_recording_init(&recording, document, error))
        status = clopt_fail_within(error, "%s", path);
    json_decref(document);
    if (!status)
        status = clopt_simulation_init(&simulation, path, &recording, &request->searches, error);
    if (!status)
        clopt_simulation_report(&simulation, report);
    clopt_simulation_fini(&simulation);
    clopt_recording_fini(&recording);
    free(shipped);
    return status;
}

static int simulate_all(const struct request *request, int count, char **paths)
{
    struct clopt_error error = {0};
    struct clopt_document report = clopt_output_begin(&request->output, "clopt simulate");
    enum clopt_status status = clopt_output_prepare(&request->output, &error);
    for (int i = 0; i < count && !status; i++)
        status = simulate(request, paths[i], &report, &error);
    status = clopt_output_finish(&request->output, &report, status, &error);
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

/* ---- the command line ---- */

/* Reads names between commas; says which one there is not. */
static bool read_strategies(struct request *request, const char *names)
{
    size_t count = 0;
    while (true) {
        size_t length = strcspn(names, ",");
        const struct clopt_strategy *found = clopt_strategies;
        while (found->name &&
               (strlen(found->name) != length || strncmp(found->name, names, length) != 0))
            found++;
        if (!found->name || count == MOST_STRATEGIES) {
            clopt_usage_error("simulate",
                              "--strategy: no strategy is called \"%.*s\": there are model, "
                              "genetic, local, random and exhaustive",
                              (int)length, names);
            return false;
        }
        request->strategies[count++] = found;
        request->strategies[count] = NULL;
        if (!names[length])
            return true;
        names += length + 1;
    }
}

static bool read_count(const char *option, int64_t least, int64_t most, int64_t *number)
{
    *number = clopt_number_read(optarg, least, most);
    if (*number < 0)
        clopt_usage_error("simulate", "%s=%s: not a number from %d to %d", option, optarg,
                          (int)least, (int)most);
    return *number >= 0;
}

/* Takes an option that has a number. */
static int take_count(struct request *request, int option)
{
    struct clopt_simulation_request *searches = &request->searches;
    int64_t number;
    switch (option) {
    case 'n':
        if (!read_count("--budget", 1, MOST_TRIALS, &number))
            return CLOPT_EXIT_USAGE;
        searches->budget = (size_t)number;
        return CLOPT_EXIT_DONE;
    case 'r':
        if (!read_count("--repeat", 1, MOST_RUNS, &number))
            return CLOPT_EXIT_USAGE;
        searches->repeat = (size_t)number;
        return CLOPT_EXIT_DONE;
    default:
        if (!read_count("--seed", 0, INT32_MAX, &number))
            return CLOPT_EXIT_USAGE;
        searches->seed = (uint64_t)number;
        return CLOPT_EXIT_DONE;
    }
}

/* Takes an option, which getopt_long() has read from `argv`. */
static int take_option(struct request *request, int option, char **argv,
                       const struct option *options)
{
    switch (option) {
    case 's':
        return read_strategies(request, optarg) ? CLOPT_EXIT_DONE : CLOPT_EXIT_USAGE;
    case 'n':
    case 'r':
    case 'S':
        return take_count(request, option);
    case 'd':
        request->place.device = optarg;
        return CLOPT_EXIT_DONE;
    case 'p':
        request->place.problem = optarg;
        return CLOPT_EXIT_DONE;
    case 'k':
        request->place.kernel = optarg;
        return CLOPT_EXIT_DONE;
    default:
        return option >= CLOPT_OUTPUT_FIRST
                   ? clopt_output_take(&request->output, "simulate", option)
                   : clopt_option_error("simulate", option, argv, options);
    }
}

/* Refuses what does not go together. */
static int check_request(const struct request *request)
{
    const struct clopt_simulation_request *searches = &request->searches;
    if (searches->repeat * searches->budget > MOST_RESULTS)
        return clopt_usage_error("simulate", "--repeat times --budget is more than %d",
                                 MOST_RESULTS);
    return clopt_output_check(&request->output, "simulate");
}

static int read_options(struct request *request, int argc, char **argv, bool *help)
{
    static const struct option own[] = {
        {"strategy", required_argument, NULL, 's'},
        {"budget", required_argument, NULL, 'n'},
        {"repeat", required_argument, NULL, 'r'},
        {"seed", required_argument, NULL, 'S'},
        {"device", required_argument, NULL, 'd'},
        {"problem", required_argument, NULL, 'p'},
        {"kernel", required_argument, NULL, 'k'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct option options[CLOPT_MOST_OPTIONS];
    int option, code = CLOPT_EXIT_DONE;
    clopt_output_options(own, options);
    while (!code && !*help && (option = getopt_long(argc, argv, ":n:d:p:k:h", options, NULL)) != -1)
        if (option == 'h')
            *help = true;
        else
            code = take_option(request, option, argv, options);
    if (*help)
        fputs(clopt_help_simulate, stdout);
    if (code || *help)
        return code;
    if (optind == argc)
        return clopt_usage_error("simulate", "a recorded space is needed: clopt simulate STORE.db");
    return check_request(request);
}

int clopt_command_simulate(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .searches = {.repeat = 100,
                     .budget = 200,
                     .seed = 1,
                     .progress = isatty(STDERR_FILENO) ? stderr : NULL},
    };
    bool help = false;
    (void)global;
    for (size_t i = 0; clopt_strategies[i].name && i < MOST_STRATEGIES; i++)
        request.strategies[i] = &clopt_strategies[i];
    request.searches.strategies = request.strategies;
    int code = read_options(&request, argc, argv, &help);
    if (code || help)
        return code;
    return simulate_all(&request, argc - optind, argv + optind);
}
