/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt simulate`: replays recorded spaces through the strategies of searches. */

#include <errno.h>
#include <unistd.h>

#include "commands/advise/experience.h"
#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "commands/simulate/simulation.h"
#include "exchange/exchange.h"

#define MOST_STRATEGIES 16
#define MOST_RUNS       100000
#define MOST_TRIALS     1000000
#define MOST_RESULTS    50000000 /* of runs times trials: they are kept */

struct request {
    const struct clopt_global_options *global;
    int64_t repeat, budget, seed;
    struct clopt_simulation_request searches;
    const struct clopt_extension *strategies[MOST_STRATEGIES + 1];
    struct clopt_output output;
    struct clopt_report_exchange selected;
};

/* ---- reading ---- */

/* Keeps a document as it would be in a file, with as many digits. */
static enum clopt_status keep(void *user, const json_t *document, struct clopt_error *error)
{
    json_t **kept = user;
    CLOPT_FREED char *text = json_dumps(document, JSON_REAL_PRECISION(15));
    (void)error;
    *kept = json_loads(text, 0, NULL);
    return CLOPT_OK;
}

static enum clopt_status read_store(const struct request *request, const char *path,
                                    json_t **document, struct clopt_error *error)
{
    struct clopt_report_exchange selected = request->selected;
    const struct clopt_exchange_format *format =
        clopt_exchange_find(request->global->registry, "kernel-tuner", error);
    CLOPT_HELD(clopt_store) store = NULL;
    selected.whole = true;
    selected.visit = keep;
    selected.user = document;
    if (!format)
        return error->status;
    CLOPT_TRY(clopt_store_open_read(path, &store, error));
    if (clopt_exchange_write(store, format, &selected, error))
        return clopt_fail_within(error, "%s", path);
    return CLOPT_OK;
}

/* ---- searching ---- */

static enum clopt_status simulate(const struct request *request, const char *path,
                                  struct clopt_document *report, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_recording) recording = {0};
    json_auto_t *document = NULL;
    bool there = access(path, F_OK) == 0;
    CLOPT_FREED char *shipped = there ? NULL : clopt_experience_find(path);
    if (!there && !shipped && !strpbrk(path, "./"))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: neither a file nor a recorded space that ships; these are in %s",
                          path, clopt_experience_folders());
    CLOPT_TRY(clopt_recording_read_file(shipped ? shipped : path, &document, error));
    if (!document)
        CLOPT_TRY(read_store(request, path, &document, error));
    if (clopt_recording_init(&recording, request->global->registry, document, error))
        return clopt_fail_within(error, "%s", path);
    return clopt_report_simulation(path, &recording, &request->searches, report, error);
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

/* Reads names between commas. */
static enum clopt_status take_strategies(void *read, const struct clopt_key *option,
                                         const char *names, struct clopt_error *error)
{
    struct request *request = read;
    const struct clopt_plugin_entry *entry;
    for (size_t count = 0;; names++) {
        size_t length = strcspn(names, ",");
        CLOPT_FREED char *name = clopt_strndup(names, length);
        if (count == MOST_STRATEGIES)
            return clopt_fail(error, CLOPT_INVALID, "--%s: more than %d", option->is.name,
                              MOST_STRATEGIES);
        if (clopt_registry_find(request->global->registry, CLOPT_KIND_STRATEGY, name, &entry,
                                error))
            return clopt_fail_within(error, "--%s", option->is.name);
        request->strategies[count++] = entry->extension;
        request->strategies[count] = NULL;
        names += length;
        if (!*names)
            return CLOPT_OK;
    }
}

/* Without a choice all are tried. */
static void take_all_strategies(struct request *request)
{
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0;
         i < MOST_STRATEGIES &&
         (entry = clopt_registry_entry(request->global->registry, CLOPT_KIND_STRATEGY, i));
         i++)
        request->strategies[i] = entry->extension;
}

static const struct clopt_key options[] = {
    CLOPT_TAKEN(0, "strategy", "NAME[,NAME...]", take_strategies,
                "only these strategies; `clopt plugins --kind=strategy` lists them"),
    CLOPT_NUMBER('n', "budget", "N", struct request, budget, "1.." CLOPT_STRING(MOST_TRIALS),
                 "trials of a run (default: 200)"),
    CLOPT_NUMBER(0, "repeat", "N", struct request, repeat, "1.." CLOPT_STRING(MOST_RUNS),
                 "runs of each strategy (default: 100)"),
    CLOPT_NUMBER(0, "seed", "N", struct request, seed, "0..2147483647",
                 "the first run's seed; the next runs count up (default: 1)"),
    {0},
};

/* Refuses what does not go together. */
static int check_request(struct request *request, int argc)
{
    if (optind == argc)
        return clopt_usage_error("simulate", "a recorded space is needed: clopt simulate STORE.db");
    if (request->repeat * request->budget > MOST_RESULTS)
        return clopt_usage_error("simulate", "--repeat times --budget is more than %d",
                                 MOST_RESULTS);
    request->searches.repeat = (size_t)request->repeat;
    request->searches.budget = (size_t)request->budget;
    request->searches.seed = (uint64_t)request->seed;
    return clopt_output_check(request->global, &request->output, "simulate");
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.global = global,
                              .repeat = 100,
                              .budget = 200,
                              .seed = 1,
                              .searches.progress = isatty(STDERR_FILENO) ? stderr : NULL};
    int code;
    take_all_strategies(&request);
    request.searches.strategies = request.strategies;
    if (!clopt_command_read(global, &clopt_simulate_command, &request, argc, argv, &code) ||
        (code = check_request(&request, argc)))
        return code;
    return simulate_all(&request, argc - optind, argv + optind);
}

const struct clopt_command clopt_simulate_command = {
    .name = "simulate",
    .usage = "simulate RECORDING ... [OPTION ...]\n",
    .about = "Example: clopt simulate product-h100\n\n"
             "Searches recorded spaces, in which every variant has been measured, without a\n"
             "device, and prints how near to the best time the strategies come, by trials and\n"
             "by recorded time. A RECORDING is a store of a study, a recorded space, a cache\n"
             "file of Kernel Tuner, a T4 document, or the name of a space that ships, such as\n"
             "product-h100.\n"
             "\n",
    .arguments = "RECORDING ...",
    .lists = {{options, 0},
              {clopt_selection_options, offsetof(struct request, selected.selection)},
              {clopt_output_options, offsetof(struct request, output), clopt_output_row}},
    .run = run_command,
};
