/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt tune`: searches for the fastest composition of optimizations. */
#include "main/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "main/study_command.h"
#include "main/usage.h"

const char clopt_help_tune[] =
    "Usage: clopt tune STUDY.ini [OPTION ...]\n"
    "\n"
    "Searches for the fastest variant of each kernel: all optimizations of the study,\n"
    "alone and composed, in several orders, with all of its values. What is tried\n"
    "next follows from what was measured before, and from what it cost. The same\n"
    "command goes on where it was stopped.\n"
    "\n"
    "Options:\n"
    "      --time=TIME            search for so long: 90s, 10min, 1h [10min]\n"
    "      --trials=N             try at most so many variants of each kernel\n"
    "      --strategy=NAME        how to choose them: model (the default), genetic,\n"
    "                             local, random or exhaustive\n"
    "      --seed=N               another seed makes other choices [the study's]\n"
    "  -d, --device=LABEL         on this device of the study only; again for more\n"
    "  -o, --output=FILE          the store [STUDY.db, beside the study]\n"
    "  -s, --set=SECTION.KEY=VALUE\n"
    "                             override a value of the study\n"
    "  -n, --dry-run              list what would be tried first\n"
    "      --print-config         print the study as it is in force, with origins\n"
    "  -j, --jobs=N               workers that build at the same time [as many as\n"
    "                             there are processors]\n"
    "      --retry=OUTCOMES       try trials again that ended so before\n"
    "      --csv, --json          print the report for machines\n"
    "  -q, --quiet                print no report\n"
    "  -h, --help                 show this help\n";

struct tuning {
    struct clopt_study_command study;
    struct clopt_text settings[4]; /* "search.time=10min", as far as they are given */
    struct clopt_text devices;
    bool help;
};

enum { TIME, TRIALS, STRATEGY, SEED };

static const struct option options[] = {
    {"time", required_argument, NULL, 't'},     {"trials", required_argument, NULL, 'T'},
    {"strategy", required_argument, NULL, 'S'}, {"seed", required_argument, NULL, 'e'},
    {"device", required_argument, NULL, 'd'},   {"output", required_argument, NULL, 'o'},
    {"set", required_argument, NULL, 's'},      {"dry-run", no_argument, NULL, 'n'},
    {"print-config", no_argument, NULL, 'p'},   {"jobs", required_argument, NULL, 'j'},
    {"retry", required_argument, NULL, 'r'},    {"csv", no_argument, NULL, 'C'},
    {"json", no_argument, NULL, 'J'},           {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
};

/* Says something in [search]; a later option holds. */
static void set(struct tuning *tuning, int which, const char *key, const char *value)
{
    clopt_text_clear(&tuning->settings[which]);
    clopt_text_printf(&tuning->settings[which], "search.%s=%s", key, value);
}

static int take_option(struct tuning *tuning, int option, char *argument, char **argv)
{
    switch (option) {
    case 't':
        set(tuning, TIME, "time", argument);
        return CLOPT_EXIT_DONE;
    case 'T':
        set(tuning, TRIALS, "trials", argument);
        return CLOPT_EXIT_DONE;
    case 'S':
        set(tuning, STRATEGY, "strategy", argument);
        return CLOPT_EXIT_DONE;
    case 'e':
        set(tuning, SEED, "seed", argument);
        return CLOPT_EXIT_DONE;
    case 'd':
        clopt_text_printf(&tuning->devices, "%s%s",
                          tuning->devices.length ? ", " : "study.devices=", argument);
        return CLOPT_EXIT_DONE;
    case 'h':
        tuning->help = true;
        return CLOPT_EXIT_DONE;
    default:
        break;
    }
    int code = clopt_study_command_take(&tuning->study, option, argument);
    return code < 0 ? clopt_option_error("tune", option, argv, options) : code;
}

/* Overrides the study by what the options say. */
static int override_study(struct tuning *tuning)
{
    int code = CLOPT_EXIT_DONE;
    for (size_t i = 0; i < sizeof tuning->settings / sizeof *tuning->settings && !code; i++)
        if (tuning->settings[i].length)
            code = clopt_study_command_set(&tuning->study, clopt_text_string(&tuning->settings[i]));
    if (!code && tuning->devices.length)
        code = clopt_study_command_set(&tuning->study, clopt_text_string(&tuning->devices));
    if (!code)
        code = clopt_study_command_set(&tuning->study, "search.strategy=model");
    if (!code)
        tuning->study.overrides[tuning->study.override_count - 1].weak = true;
    return code;
}

static int tune(struct tuning *tuning, int argc, char **argv)
{
    int option, code = CLOPT_EXIT_DONE;
    while (!code && !tuning->help &&
           (option = getopt_long(argc, argv, ":d:o:s:nj:qh", options, NULL)) != -1)
        code = take_option(tuning, option, optarg, argv);
    if (tuning->help && !code) {
        fputs(clopt_help_tune, stdout);
        return code;
    }
    if (code)
        return code;
    if (optind == argc)
        return clopt_usage_error("tune", "tune: no study");
    if (optind + 1 < argc)
        return clopt_usage_error("tune", "%s: one study at a time", argv[optind + 1]);
    if (tuning->study.csv && tuning->study.json)
        return clopt_usage_error("tune", "--csv and --json exclude each other");
    tuning->study.study_path = argv[optind];
    code = override_study(tuning);
    return code ? code : clopt_study_command_run(&tuning->study);
}

int clopt_command_tune(const struct clopt_global_options *global, int argc, char **argv)
{
    struct tuning tuning = {.study = {.name = "tune", .global = *global}};
    int code = tune(&tuning, argc, argv);
    for (size_t i = 0; i < sizeof tuning.settings / sizeof *tuning.settings; i++)
        clopt_text_fini(&tuning.settings[i]);
    clopt_text_fini(&tuning.devices);
    return code;
}
