/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt tune`: searches for the fastest composition of optimizations. */

#include <unistd.h>

#include "commands/draft/draft.h"
#include "commands/export/export.h"
#include "commands/shared/commands.h"
#include "commands/study/study_command.h"
#include "commands/tune/rounds.h"
#include "trial/variant.h"

#define MOST_INIT_OPTIONS 64

/* The keys of [search] that are options, too. */
enum { TIME, TRIALS, STRATEGY, SEED, SEARCH_KEYS };
static const char *const search_keys[] = {"time", "trials", "strategy", "seed"};

struct tuning {
    struct clopt_study_command study;
    const char *search[SEARCH_KEYS];         /* what the options say of [search]; NULL: nothing */
    struct clopt_text settings[SEARCH_KEYS]; /* the same as "search.time=10min" */
    struct clopt_text devices;
    const char *device;                           /* the first of them; NULL: none */
    struct clopt_text written;                    /* the study of a kernel file */
    const char *init[2 * MOST_INIT_OPTIONS + 10]; /* the command line of `clopt init` */
    int init_count;
    const char *sizes;       /* over which it searches; NULL: those of the study */
    const char *folder;      /* for the best variants; NULL: named after the store */
    struct clopt_text space; /* what is searched where the study has no optimization */
};

/* Keeps an option for `clopt init`. */
static enum clopt_status keep(void *read, const struct clopt_key *option, const char *value,
                              struct clopt_error *error)
{
    struct tuning *tuning = read;
    static const char *const words[] = {"-k", "-D", "-I", "-d", "--build-options"};
    size_t i = 0;
    while (i < sizeof words / sizeof *words - 1 && option->letter != words[i][1])
        i++;
    if (tuning->init_count + 2 > 2 * MOST_INIT_OPTIONS)
        return clopt_fail(error, CLOPT_INVALID,
                          "more than %d times -d, -k, -D, -I and --build-options",
                          MOST_INIT_OPTIONS);
    tuning->init[tuning->init_count++] = words[i];
    tuning->init[tuning->init_count++] = value;
    return CLOPT_OK;
}

static enum clopt_status take_device(void *read, const struct clopt_key *option, const char *value,
                                     struct clopt_error *error)
{
    struct tuning *tuning = read;
    clopt_text_printf(&tuning->devices, "%s%s",
                      tuning->devices.length ? ", " : "study.devices=", value);
    tuning->device = tuning->device ? tuning->device : value;
    return keep(read, option, value, error);
}

static const struct clopt_key options[] = {
    CLOPT_TEXT(0, "time", "TIME", struct tuning, search[TIME],
               "search for so long: 90s, 10min, 1h [10min]"),
    CLOPT_TEXT(0, "trials", "N", struct tuning, search[TRIALS],
               "try at most so many variants of each kernel"),
    CLOPT_TEXT(0, "strategy", "NAME", struct tuning, search[STRATEGY],
               "how to choose them: model (the default), genetic, local, random or exhaustive"),
    CLOPT_TEXT(0, "seed", "N", struct tuning, search[SEED],
               "another seed makes other choices [the study's]"),
    CLOPT_TEXT(0, "sizes", "LIST", struct tuning, sizes,
               "search at several: \"n = pow2 128..4096; m = 64, 128\""),
    CLOPT_TAKEN('d', "device", "LABEL", take_device,
                "on this device only; again for more: as the study calls it, or a part of its "
                "name or of its platform's"),
    CLOPT_TEXT('o', "output", "FILE", struct tuning, study.output,
               "the store [STUDY.db beside the study, KERNEL.db]"),
    CLOPT_TEXT(0, "export", "FOLDER", struct tuning, folder,
               "write the best variants there [STORE-best], as `clopt export` does"),
    CLOPT_TAKEN('k', "kernel", "NAME", keep, "of KERNEL.cl this kernel alone"),
    CLOPT_TAKEN('D', NULL, "NAME[=VALUE]", keep,
                "define a macro there, as for the OpenCL compiler"),
    CLOPT_TAKEN('I', NULL, "FOLDER", keep, "look for included files there"),
    CLOPT_TAKEN(0, "build-options", "TEXT", keep, "other options of the OpenCL compiler"),
    {0},
};

/* Sets what the study may say otherwise. */
static enum clopt_status set_weakly(struct tuning *tuning, const char *setting,
                                    struct clopt_error *error)
{
    CLOPT_TRY(clopt_study_command_set(&tuning->study, setting, error));
    tuning->study.overrides[tuning->study.override_count - 1].weak = true;
    return CLOPT_OK;
}

/* Overrides the study by what the options say. */
static enum clopt_status override_study(struct tuning *tuning, struct clopt_error *error)
{
    for (size_t i = 0; i < SEARCH_KEYS; i++) {
        struct clopt_text *setting = &tuning->settings[i];
        if (!tuning->search[i])
            continue;
        clopt_text_printf(setting, "search.%s=%s", search_keys[i], tuning->search[i]);
        CLOPT_TRY(clopt_study_command_set(&tuning->study, clopt_text_string(setting), error));
    }
    if (tuning->devices.length)
        CLOPT_TRY(
            clopt_study_command_set(&tuning->study, clopt_text_string(&tuning->devices), error));
    return set_weakly(tuning, "search.strategy=model", error);
}

/* Whether an option sets a size: then none is looked for. */
static bool sets_size(const struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->study.override_count && !tuning->sizes; i++)
        if (strncmp(tuning->study.overrides[i].text, "size", strlen("size")) == 0)
            return true;
    return tuning->sizes;
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

/* Appends the programs of a study's apps. */
static enum clopt_status read_programs(const struct tuning *tuning, const struct clopt_study *study,
                                       struct clopt_text *programs, struct clopt_error *error)
{
    for (size_t i = 0; i < study->app_count; i++) {
        struct clopt_app_source source = {0};
        enum clopt_status status = clopt_app_source_read(
            study->apps[i].entry->extension->app, tuning->study.global.kernel_path, &source, error);
        clopt_text_append(programs, source.text ? source.text : "");
        clopt_app_source_fini(&source);
        CLOPT_TRY(status);
    }
    return CLOPT_OK;
}

/* Writes the sections that `clopt init --search` would for a study that names no optimization. */
static enum clopt_status draft_space(const struct tuning *tuning, struct clopt_text *space,
                                     struct clopt_error *error)
{
    const struct clopt_study_command *command = &tuning->study;
    const struct clopt_registry *registry = command->global.registry;
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_TRY(clopt_study_read(command->study_path, registry, command->overrides,
                               command->override_count, &study, error));
    unsigned dimensions = count_dimensions(study);
    if (!dimensions)
        return CLOPT_OK;
    CLOPT_OWNED(clopt_text) programs = {0};
    CLOPT_FREED char *text = NULL;
    CLOPT_TRY(read_programs(tuning, study, &programs, error));
    CLOPT_TRY(clopt_text_read(command->study_path, &text, error));
    return clopt_draft_put_search(
        &(struct clopt_draft_search){registry, dimensions, clopt_text_string(&programs), text},
        space, error);
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

/* Has a study whose lists are as `clopt init` wrote them search what `clopt tune KERNEL.cl` would,
 * with such sizes where nothing else is edited either. */
static enum clopt_status widen(struct tuning *tuning, struct clopt_error *error)
{
    const char *path = tuning->study.study_path;
    CLOPT_FREED char *text = NULL;
    CLOPT_OWNED(clopt_text) study = {0};
    CLOPT_TRY(clopt_text_read(path, &text, error));
    bool whole = false;
    size_t length = clopt_draft_sealed(text, &whole);
    if (!length)
        return CLOPT_OK;
    clopt_text_append_bytes(&study, text, length);
    CLOPT_TRY(clopt_file_write(path, &clopt_file_any, study.data, study.length, error));
    CLOPT_TRY(draft_space(tuning, &study, error));
    CLOPT_TRY(clopt_file_write(path, &clopt_file_any, study.data, study.length, error));
    clopt_text_print(stderr,
                     "clopt: the lists of %s were as `clopt init` wrote them: it searches all that "
                     "`clopt tune KERNEL.cl` does now\n",
                     path);
    return sets_size(tuning) || !whole
               ? CLOPT_OK
               : clopt_draft_enlarge(&tuning->study.global, path, tuning->device, path, error);
}

/* Has a study that names no optimization search what `clopt tune KERNEL.cl` does. A T1 file has a
 * space of its own. */
static enum clopt_status provide_space(struct tuning *tuning, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) sections = {0};
    if (clopt_text_ends(tuning->study.study_path, ".json"))
        return CLOPT_OK;
    CLOPT_TRY(widen(tuning, error));
    CLOPT_TRY(draft_space(tuning, &sections, error));
    write_settings(&tuning->space, clopt_text_string(&sections));
    for (size_t at = 0; at < tuning->space.length;) {
        const char *setting = clopt_text_string(&tuning->space) + at;
        CLOPT_TRY(set_weakly(tuning, setting, error));
        at += strlen(setting) + 1;
    }
    if (tuning->space.length)
        clopt_text_print(stderr,
                         "clopt: %s has no [optimization]: what is searched is what `clopt tune "
                         "KERNEL.cl` takes\n",
                         tuning->study.study_path);
    return CLOPT_OK;
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
        length -= clopt_text_ends(like, ending) && length == strlen(like) ? strlen(ending) : 0;
    }
    clopt_text_append_bytes(&tuning->written, like, length);
    clopt_text_append(&tuning->written, ".ini");
}

/* Makes the sizes of a study that was written large enough, and says what they are. */
static int choose_sizes(const struct tuning *tuning)
{
    struct clopt_error error = {0};
    const char *study = tuning->study.study_path;
    if (!sets_size(tuning) &&
        clopt_draft_enlarge(&tuning->study.global, study, tuning->device, study, &error))
        return clopt_report_error(&error);
    clopt_draft_tell_guesses(study);
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
        struct clopt_error error = {0};
        clopt_text_print(stderr, "clopt: %s is there: the search is what it says\n",
                         tuning->study.study_path);
        return widen(tuning, &error) ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
    }
    const char *const own[] = {"init", "--search", "--quiet", "-o", tuning->study.study_path};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        words[count++] = (char *)own[i];
    for (int i = 0; i < tuning->init_count; i++)
        words[count++] = (char *)tuning->init[i];
    words[count++] = (char *)"--";
    words[count++] = (char *)file;
    words[count] = NULL;
    int code = clopt_init_command.run(&tuning->study.global, count, words);
    if (code)
        return code;
    clopt_text_print(stderr, "clopt: wrote %s\n", tuning->study.study_path);
    return choose_sizes(tuning);
}

/* ---- what was found ---- */

/* Says after the answer which variant is for which sizes, and how programs get them. */
static void tell_ranges(const struct tuning *tuning, const char *ranges)
{
    const char *path = tuning->study.store_path;
    CLOPT_OWNED(clopt_text) command = {0};
    size_t length = strlen(path) - (clopt_text_ends(path, ".db") ? strlen(".db") : 0);
    CLOPT_FREED char *wisdom = clopt_text_format("--wisdom=%.*s.wisdom", (int)length, path);
    clopt_text_append_word(&command, path);
    clopt_text_append_char(&command, ' ');
    clopt_text_append_word(&command, wisdom);
    fputs("\n  By size:\n", stdout);
    for (const char *line = ranges; *line; line += strcspn(line, "\n") + 1) {
        const char *text = line + strlen("clopt: ");
        CLOPT_FREED char *range = clopt_strndup(text, strcspn(text, "\n"));
        fputs("      ", stdout);
        clopt_wrap_print(stdout, 6, 10, range);
    }
    clopt_text_print(stdout, "  Winners by size for programs: clopt export %s\n",
                     clopt_text_string(&command));
}

/* Writes the best variants. */
static int export_best(const struct tuning *tuning)
{
    const char *path = tuning->study.store_path;
    struct clopt_error error = {0};
    size_t length = strlen(path) - (clopt_text_ends(path, ".db") ? strlen(".db") : 0);
    CLOPT_FREED char *own = clopt_text_format("%.*s-best", (int)length, path);
    CLOPT_OWNED(clopt_text) ranges = {0};
    const bool answers = tuning->sizes && !tuning->study.quiet && !tuning->study.report.format;
    struct clopt_export_request request = {
        .folder = tuning->folder ? tuning->folder : own,
        .allow_programs = true, /* the search has run them */
        .notices = stderr,
        .ranges = answers ? &ranges : NULL,
    };
    if (clopt_store_export(&tuning->study.global, &request, path, NULL, &error))
        return clopt_report_error(&error);
    clopt_text_print(stderr, "clopt: the best as files: %s\n", request.folder);
    if (ranges.length)
        tell_ranges(tuning, clopt_text_string(&ranges));
    return CLOPT_EXIT_DONE;
}

/* Runs the study, and exports what it has found. */
static int run(struct tuning *tuning)
{
    int code = tuning->sizes ? clopt_tune_sizes(&tuning->study, tuning->sizes)
                             : clopt_study_command_run(&tuning->study);
    if (code || tuning->study.dry_run || tuning->study.print_config)
        return code;
    return export_best(tuning);
}

/* Takes the file, for which a study is written if it is a kernel. */
static int take_file(struct tuning *tuning, int argc, char **argv)
{
    if (optind == argc)
        return clopt_usage_error("tune", "tune: no kernel and no study");
    if (optind + 1 < argc)
        return clopt_usage_error("tune", "%s: one file at a time", argv[optind + 1]);
    const char *file = argv[optind];
    bool study = clopt_text_ends(file, ".ini") || clopt_text_ends(file, ".json");
    if (clopt_text_ends(file, ".db"))
        return clopt_usage_error("tune", "%s is a store: name the kernel, or the study", file);
    for (int i = 0; study && i < tuning->init_count; i += 2)
        if (strcmp(tuning->init[i], "-d") != 0)
            return clopt_usage_error("tune", "%s is for kernels: %s is a study", tuning->init[i],
                                     file);
    int code = clopt_study_command_check(&tuning->study, "tune");
    tuning->study.study_path = file;
    if (!code && !study)
        code = write_study(tuning, file);
    struct clopt_error error = {0};
    enum clopt_status status = code ? CLOPT_OK : override_study(tuning, &error);
    if (!code && !status && study)
        status = provide_space(tuning, &error);
    return status ? clopt_report_error(&error) : code;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct tuning tuning = {
        .study = {.name = "tune", .global = *global, .report = {.answer = true}}};
    int code;
    if (clopt_command_read(global, &clopt_tune_command, &tuning, argc, argv, &code) &&
        !(code = take_file(&tuning, argc, argv)))
        code = run(&tuning);
    for (size_t i = 0; i < SEARCH_KEYS; i++)
        clopt_text_fini(&tuning.settings[i]);
    clopt_text_fini(&tuning.devices);
    clopt_text_fini(&tuning.written);
    clopt_text_fini(&tuning.space);
    free(tuning.study.store_path);
    return code;
}

const struct clopt_command clopt_tune_command = {
    .name = "tune",
    .first = true,
    .usage = "tune KERNEL.cl | STUDY.ini [OPTION ...]\n",
    .about = "Example: clopt tune mm.cl -d cpu --time=2min\n\n"
             "Searches for the fastest variant of each kernel: all optimizations of the study,\n"
             "alone and composed, in several orders, with all of its values. What is tried\n"
             "next follows from what was measured before, and from what it cost. The same\n"
             "command goes on where it was stopped. For the kernels of a file `clopt init`\n"
             "writes the study first, beside the store, where it can be corrected.\n"
             "\n",
    .arguments = "FILE",
    .lists = {{options, 0},
              {clopt_study_options, offsetof(struct tuning, study)},
              {clopt_output_options, offsetof(struct tuning, study.report), clopt_output_row}},
    .run = run_command,
};
