/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt tune`: searches for the fastest composition of optimizations. */
#include "main/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "export/export.h"
#include "main/draft_search.h"
#include "main/study_command.h"
#include "main/tune_sizes.h"
#include "main/usage.h"

#define MOST_INIT_OPTIONS 64

const char clopt_help_tune[] =
    "Usage: clopt tune KERNEL.cl | STUDY.ini [OPTION ...]\n"
    "\n"
    "Searches for the fastest variant of each kernel: all optimizations of the study,\n"
    "alone and composed, in several orders, with all of its values. What is tried\n"
    "next follows from what was measured before, and from what it cost. The same\n"
    "command goes on where it was stopped. For the kernels of a file `clopt init`\n"
    "writes the study first, beside the store, where it can be corrected.\n"
    "\n"
    "Options:\n"
    "      --time=TIME            search for so long: 90s, 10min, 1h [10min]\n"
    "      --trials=N             try at most so many variants of each kernel\n"
    "      --strategy=NAME        how to choose them: model (the default), genetic,\n"
    "                             local, random or exhaustive\n"
    "      --seed=N               another seed makes other choices [the study's]\n"
    "  -d, --device=LABEL         on this device of the study only; again for more.\n"
    "                             Where it has no [device]: a part of a device's\n"
    "                             name, or of its platform's\n"
    "  -o, --output=FILE          the store [STUDY.db beside the study, KERNEL.db]\n"
    "  -s, --set=SECTION.KEY=VALUE\n"
    "                             override a value of the study: size.n=1024\n"
    "      --export=FOLDER        write the best variants there [STORE-best], as\n"
    "                             `clopt export` does\n"
    "  -k, --kernel=NAME          of KERNEL.cl this kernel alone\n"
    "  -D NAME[=VALUE]            define a macro there, as for the OpenCL compiler\n"
    "  -I FOLDER                  look for included files there\n"
    "      --build-options=TEXT   other options of the OpenCL compiler\n"
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
    const char *device;                          /* the first of them; NULL: none */
    struct clopt_text written;                   /* the study of a kernel file */
    const char *init[2 * MOST_INIT_OPTIONS + 8]; /* the command line of `clopt init` */
    int init_count;
    const char *folder;      /* for the best variants; NULL: named after the store */
    struct clopt_text space; /* what is searched where the study has no optimization */
    bool help;
};

enum { TIME, TRIALS, STRATEGY, SEED };

static const struct option options[] = {
    {"time", required_argument, NULL, 't'},
    {"trials", required_argument, NULL, 'T'},
    {"strategy", required_argument, NULL, 'S'},
    {"seed", required_argument, NULL, 'e'},
    {"device", required_argument, NULL, 'd'},
    {"output", required_argument, NULL, 'o'},
    {"set", required_argument, NULL, 's'},
    {"export", required_argument, NULL, 'E'},
    {"kernel", required_argument, NULL, 'k'},
    {"build-options", required_argument, NULL, 'b'},
    {"dry-run", no_argument, NULL, 'n'},
    {"print-config", no_argument, NULL, 'p'},
    {"jobs", required_argument, NULL, 'j'},
    {"retry", required_argument, NULL, 'r'},
    {"csv", no_argument, NULL, 'C'},
    {"json", no_argument, NULL, 'J'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

/* Says something in [search]; a later option holds. */
static void set(struct tuning *tuning, int which, const char *key, const char *value)
{
    clopt_text_clear(&tuning->settings[which]);
    clopt_text_printf(&tuning->settings[which], "search.%s=%s", key, value);
}

/* Keeps an option for `clopt init`. */
static int keep(struct tuning *tuning, const char *option, const char *argument)
{
    if (tuning->init_count + 2 > 2 * MOST_INIT_OPTIONS)
        return clopt_usage_error("tune", "more than %d times -k, -D, -I and --build-options",
                                 MOST_INIT_OPTIONS);
    tuning->init[tuning->init_count++] = option;
    tuning->init[tuning->init_count++] = argument;
    return CLOPT_EXIT_DONE;
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
        tuning->device = tuning->device ? tuning->device : argument;
        return CLOPT_EXIT_DONE;
    case 'E':
        tuning->folder = argument;
        return CLOPT_EXIT_DONE;
    case 'k':
        return keep(tuning, "-k", argument);
    case 'D':
        return keep(tuning, "-D", argument);
    case 'I':
        return keep(tuning, "-I", argument);
    case 'b':
        return keep(tuning, "--build-options", argument);
    case 'h':
        tuning->help = true;
        return CLOPT_EXIT_DONE;
    default:
        break;
    }
    int code = clopt_study_command_take(&tuning->study, option, argument);
    return code < 0 ? clopt_option_error("tune", option, argv, options) : code;
}

/* Sets what the study may say otherwise. */
static int set_weakly(struct tuning *tuning, const char *setting)
{
    int code = clopt_study_command_set(&tuning->study, setting);
    if (!code)
        tuning->study.overrides[tuning->study.override_count - 1].weak = true;
    return code;
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
    return code ? code : set_weakly(tuning, "search.strategy=model");
}

/* ---- studies without optimizations ---- */

/* Returns the most dimensions of a kernel that a study optimizes; 0: it has optimizations. */
static unsigned count_dimensions(const struct clopt_study *study)
{
    unsigned most = 1;
    if (study->optimization_count)
        return 0;
    for (size_t i = 0; i < study->app_count; i++)
        for (size_t k = 0; k < study->apps[i].kernel_count; k++)
            if (study->apps[i].kernels[k]->dimensions > most)
                most = study->apps[i].kernels[k]->dimensions;
    return most;
}

/* Writes the sections that `clopt init --search` would for a study that names no optimization. */
static enum clopt_status draft_space(const struct tuning *tuning, struct clopt_text *space,
                                     struct clopt_error *error)
{
    const struct clopt_study_command *command = &tuning->study;
    struct clopt_registry *registry = NULL;
    struct clopt_study *study = NULL;
    enum clopt_status status = clopt_registry_open(command->global.plugin_path, &registry, error);
    if (!status)
        status = clopt_study_read(command->study_path, registry, command->overrides,
                                  command->override_count, &study, error);
    unsigned dimensions = status ? 0 : count_dimensions(study);
    if (dimensions)
        status = clopt_registry_load(registry, error);
    if (dimensions && !status)
        status = clopt_draft_put_search(registry, dimensions, space, error);
    clopt_study_destroy(study);
    clopt_registry_close(registry);
    return status;
}

/* Makes lines of sections what -s says, each with a zero after it. */
static void write_settings(struct clopt_text *settings, const char *sections)
{
    const char *name = "", *next;
    for (const char *line = sections; *line; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        if (*line == '[')
            name = line + 1;
        if (!length || *line == '[' || *line == ';')
            continue;
        clopt_text_printf(settings, "%.*s.%.*s", (int)strcspn(name, "]"), name, (int)length, line);
        clopt_text_append_bytes(settings, "", 1);
    }
}

/* Has a study that names no optimization search what `clopt tune KERNEL.cl` does. A T1 file has a
 * space of its own. */
static int provide_space(struct tuning *tuning)
{
    struct clopt_error error = {0};
    struct clopt_text sections = {0};
    int code = CLOPT_EXIT_DONE;
    if (ends_with(tuning->study.study_path, ".json"))
        return code;
    if (draft_space(tuning, &sections, &error))
        code = clopt_report_error(&error);
    else
        write_settings(&tuning->space, clopt_text_string(&sections));
    clopt_text_fini(&sections);
    for (size_t at = 0; at < tuning->space.length && !code;) {
        const char *setting = clopt_text_string(&tuning->space) + at;
        code = set_weakly(tuning, setting);
        at += strlen(setting) + 1;
    }
    if (!code && tuning->space.length)
        clopt_text_print(stderr,
                         "clopt: %s has no [optimization]: what is searched is what `clopt tune "
                         "KERNEL.cl` takes\n",
                         tuning->study.study_path);
    return code;
}

/* ---- studies for kernels ---- */

/* Names the study of a kernel file: like the store, or like the file, in the working directory. */
static void name_study(struct tuning *tuning, const char *file)
{
    const char *slash = strrchr(file, '/'), *like = tuning->study.output;
    if (!like)
        like = slash ? slash + 1 : file;
    size_t length = strlen(like);
    for (size_t i = 0; i < 2; i++) {
        const char *ending = i ? ".cl" : ".db";
        length -= ends_with(like, ending) && length == strlen(like) ? strlen(ending) : 0;
    }
    clopt_text_append_bytes(&tuning->written, like, length);
    clopt_text_append(&tuning->written, ".ini");
}

/* Whether an option sets a size: then none is looked for. */
static bool sets_size(const struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->study.override_count; i++)
        if (strncmp(tuning->study.overrides[i].text, "size", strlen("size")) == 0)
            return true;
    return false;
}

/* Makes the sizes of a study that was written large enough, and says what they are. */
static int choose_sizes(const struct tuning *tuning)
{
    struct clopt_error error = {0};
    const char *study = tuning->study.study_path;
    if (!sets_size(tuning) &&
        clopt_tune_enlarge(&tuning->study.global, study, tuning->device, &error))
        return clopt_report_error(&error);
    clopt_tune_tell_guesses(study);
    return CLOPT_EXIT_DONE;
}

/* Writes the study of a kernel file, unless it is there. */
static int write_study(struct tuning *tuning, const char *file)
{
    int count = 0;
    char *words[sizeof tuning->init / sizeof *tuning->init + 1];
    name_study(tuning, file);
    tuning->study.study_path = clopt_text_string(&tuning->written);
    if (access(tuning->study.study_path, F_OK) == 0) {
        clopt_text_print(stderr, "clopt: %s is there: the search is what it says\n",
                         tuning->study.study_path);
        return CLOPT_EXIT_DONE;
    }
    const char *const own[] = {"init", "--search", "--quiet", "-o", tuning->study.study_path};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        words[count++] = (char *)own[i];
    for (int i = 0; i < tuning->init_count; i++)
        words[count++] = (char *)tuning->init[i];
    words[count++] = (char *)"--";
    words[count++] = (char *)file;
    words[count] = NULL;
    int code = clopt_command_init(&tuning->study.global, count, words);
    if (code)
        return code;
    clopt_text_print(stderr, "clopt: wrote %s\n", tuning->study.study_path);
    return choose_sizes(tuning);
}

/* ---- what was found ---- */

static enum clopt_status export_to(const struct tuning *tuning, const char *folder,
                                   struct clopt_error *error)
{
    const struct clopt_study_command *study = &tuning->study;
    struct clopt_export_request request = {
        .folder = folder,
        .allow_programs = true, /* the search has run them */
        .settings = {.plugin_path = study->global.plugin_path,
                     .kernel_path = study->global.kernel_path},
        .stream = stderr, /* the report is on stdout */
        .notices = stderr,
    };
    struct clopt_store *store = NULL;
    struct clopt_registry *registry = NULL;
    enum clopt_status status = clopt_store_open_read(study->store_path, &store, error);
    if (!status)
        status = clopt_registry_open(study->global.plugin_path, &registry, error);
    request.registry = registry;
    if (!status)
        status = clopt_export(store, &request, error);
    clopt_registry_close(registry);
    clopt_store_close(store);
    return status;
}

/* Writes the best variants. */
static int export_best(const struct tuning *tuning)
{
    const char *path = tuning->study.store_path;
    struct clopt_error error = {0};
    struct clopt_text folder = {0};
    size_t length = strlen(path) - (ends_with(path, ".db") ? strlen(".db") : 0);
    if (tuning->folder)
        clopt_text_append(&folder, tuning->folder);
    else
        clopt_text_printf(&folder, "%.*s-best", (int)length, path);
    enum clopt_status status = folder.data ? export_to(tuning, clopt_text_string(&folder), &error)
                                           : clopt_fail_memory(&error);
    clopt_text_fini(&folder);
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

/* Runs the study, and exports what it has found. */
static int run(struct tuning *tuning)
{
    int code = clopt_study_command_run(&tuning->study);
    if (code || tuning->study.dry_run || tuning->study.print_config)
        return code;
    return export_best(tuning);
}

static int tune(struct tuning *tuning, int argc, char **argv)
{
    int option, code = CLOPT_EXIT_DONE;
    while (!code && !tuning->help &&
           (option = getopt_long(argc, argv, ":d:o:s:k:D:I:nj:qh", options, NULL)) != -1)
        code = take_option(tuning, option, optarg, argv);
    if (tuning->help && !code) {
        fputs(clopt_help_tune, stdout);
        return code;
    }
    if (code)
        return code;
    if (optind == argc)
        return clopt_usage_error("tune", "tune: no kernel and no study");
    if (optind + 1 < argc)
        return clopt_usage_error("tune", "%s: one file at a time", argv[optind + 1]);
    if (tuning->study.csv && tuning->study.json)
        return clopt_usage_error("tune", "--csv and --json exclude each other");
    const char *file = argv[optind];
    bool study = ends_with(file, ".ini") || ends_with(file, ".json");
    if (ends_with(file, ".db"))
        return clopt_usage_error("tune", "%s is a store: name the kernel, or the study", file);
    if (study && tuning->init_count)
        return clopt_usage_error("tune", "%s is for kernels: %s is a study", tuning->init[0], file);
    tuning->study.study_path = file;
    code = study ? CLOPT_EXIT_DONE : write_study(tuning, file);
    if (!code)
        code = override_study(tuning);
    if (!code && study)
        code = provide_space(tuning);
    return code ? code : run(tuning);
}

int clopt_command_tune(const struct clopt_global_options *global, int argc, char **argv)
{
    struct tuning tuning = {.study = {.name = "tune", .global = *global}};
    int code = tune(&tuning, argc, argv);
    for (size_t i = 0; i < sizeof tuning.settings / sizeof *tuning.settings; i++)
        clopt_text_fini(&tuning.settings[i]);
    clopt_text_fini(&tuning.devices);
    clopt_text_fini(&tuning.written);
    clopt_text_fini(&tuning.space);
    free(tuning.study.store_path);
    return code;
}
