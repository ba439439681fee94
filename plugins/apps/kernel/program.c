/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of the user's: one that computes what results must be, and those that compare. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf() */
#endif
#include "program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "array.h"

#define MOST_WORDS 64

/* One run. */
struct run {
    const struct kernel_definition *definition;
    const struct clopt_problem *problem;
    const struct kernel_datum *data;
    const char *command;
    struct kernel_place place; /* of the command */
    struct kernel_scope scope;
    char *folder; /* where the files are */
    char *words[MOST_WORDS + KERNEL_MOST_SIZES + 3];
    size_t word_count;
};

/* ---- the folder ---- */

static char *path_in(const struct run *run, const char *name, const char *ending)
{
    char *path;
    return asprintf(&path, "%s/%s%s", run->folder, name, ending) < 0 ? NULL : path;
}

/* Writes what a buffer holds to a file in the folder. */
static enum clopt_status write_array(struct run *run, const struct kernel_argument *argument,
                                     const char *name, struct kernel_values values,
                                     struct clopt_error *error)
{
    char *path = path_in(run, name, ".npy");
    FILE *stream = path ? fopen(path, "we") : NULL;
    enum clopt_status status =
        !path ? clopt_fail_memory(error)
        : stream
            ? kernel_array_write(argument, values.data, values.count, &run->scope, stream, error)
            : clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    if (stream && fclose(stream) != 0 && !status)
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

static enum clopt_status make_folder(struct run *run, struct clopt_error *error)
{
    const char *above = getenv("TMPDIR");
    if (asprintf(&run->folder, "%s/clopt-XXXXXX", above && *above ? above : "/tmp") < 0) {
        run->folder = NULL;
        return clopt_fail_memory(error);
    }
    if (mkdtemp(run->folder))
        return CLOPT_OK;
    clopt_fail(error, CLOPT_FAILED, "%s: %s", run->folder, strerror(errno));
    free(run->folder);
    run->folder = NULL;
    return CLOPT_FAILED;
}

static enum clopt_status write_inputs(struct run *run, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < run->definition->argument_count && !status; i++) {
        const struct kernel_argument *argument = &run->definition->arguments[i];
        const struct kernel_datum *datum = &run->data[i];
        struct kernel_values values = {datum->contents,
                                       datum->contents_bytes / kernel_type_bytes(&argument->type)};
        if (datum->contents)
            status = write_array(run, argument, argument->name, values, error);
    }
    return status;
}

/* Removes the folder with the files in it; a program that makes folders there cleans up itself. */
static void run_fini(struct run *run)
{
    DIR *folder = run->folder ? opendir(run->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    if (run->folder)
        rmdir(run->folder);
    free(run->folder);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
}

/* ---- the command ---- */

static enum clopt_status add_word(struct run *run, char *word, struct clopt_error *error)
{
    if (!word)
        return clopt_fail_memory(error);
    run->words[run->word_count++] = word;
    return CLOPT_OK;
}

/* Adds the words of the command. */
static enum clopt_status add_command(struct run *run, struct clopt_error *error)
{
    const char *text = run->command;
    enum clopt_status status = CLOPT_OK;
    for (text += strspn(text, " \t"); *text && !status; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (run->word_count == MOST_WORDS)
            return kernel_fail(&run->place, error, "more than %d words", MOST_WORDS);
        status = add_word(run, strndup(text, length), error);
        text += length;
    }
    return status;
}

/* Adds NAME=VALUE for each size. */
static enum clopt_status add_sizes(struct run *run, struct clopt_error *error)
{
    const struct kernel_names *names = &run->definition->names;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < names->size_count && !status; i++) {
        char *word;
        int64_t value = clopt_values_integer(run->problem->inputs, names->sizes[i]);
        status = add_word(
            run, asprintf(&word, "%s=%" PRId64, names->sizes[i], value) < 0 ? NULL : word, error);
    }
    return status;
}

/* Becomes the program; what it prints goes to a file. Ends with 127 where that does not work. */
static void become_program(const struct run *run, const char *output)
{
    const char *study = run->definition->folder;
    int null = open("/dev/null", O_RDONLY);
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (null < 0 || file < 0 || dup2(null, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
        _exit(127);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it must not outlive a worker that is ended */
#endif
    if (!*study || chdir(study) == 0)
        execvp(run->words[0], run->words);
    dprintf(2, "%s: %s\n", run->words[0], strerror(errno));
    _exit(127);
}

/* Reads the last line that the program printed. */
static void read_last_line(const char *output, char line[256])
{
    FILE *file = fopen(output, "re");
    char text[256];
    snprintf(line, 256, "it printed nothing");
    while (file && fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        if (*text)
            snprintf(line, 256, "%s", text);
    }
    if (file)
        fclose(file);
}

/* Runs the command; fails unless it exits with 0 or, where `code` is not NULL, with the 1 that goes
 * there. `line` gets the last line that it printed. */
static enum clopt_status run_words(const struct run *run, int *code, char line[256],
                                   struct clopt_error *error)
{
    char *output = path_in(run, ".output", "");
    if (!output)
        return clopt_fail_memory(error);
    enum clopt_status status = CLOPT_OK;
    int ending = 0;
    pid_t child = fork();
    if (child == 0)
        become_program(run, output);
    while (child > 0 && waitpid(child, &ending, 0) < 0 && errno == EINTR) {
    }
    read_last_line(output, line);
    if (child < 0)
        status = clopt_fail(error, CLOPT_FAILED, "fork: %s", strerror(errno));
    else if (WIFSIGNALED(ending))
        status = kernel_fail(&run->place, error, "%s: died of signal %d: %s", run->command,
                             WTERMSIG(ending), line);
    else if (code && WEXITSTATUS(ending) <= 1)
        *code = WEXITSTATUS(ending);
    else if (ending != 0)
        status = kernel_fail(&run->place, error, "%s: exit code %d: %s", run->command,
                             WEXITSTATUS(ending), line);
    free(output);
    return status;
}

/* ---- results ---- */

/* Reads one file that the program has left. */
static enum clopt_status read_result(struct run *run, const struct kernel_argument *argument,
                                     void *data, struct clopt_error *error)
{
    const struct kernel_place *place = &run->place;
    char *path = path_in(run, argument->name, ".npy");
    if (!path)
        return clopt_fail_memory(error);
    enum clopt_status status =
        access(path, R_OK) == 0 ? kernel_array_load(argument, path, &run->scope, data, error)
                                : kernel_fail(place, error, "%s: it left no %s.npy in its folder",
                                              place->value, argument->name);
    free(path);
    return status;
}

/* Runs the program, and lays its results one after the other. */
static enum clopt_status compute(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct run *run = user;
    char *to = data;
    char line[256];
    (void)bytes;
    enum clopt_status status = make_folder(run, error);
    if (!status)
        status = write_inputs(run, error);
    if (!status)
        status = add_command(run, error);
    if (!status)
        status = add_word(run, strdup(run->folder), error);
    if (!status)
        status = add_sizes(run, error);
    if (!status)
        status = run_words(run, NULL, line, error);
    for (size_t i = 0; i < run->definition->argument_count && !status; i++) {
        const struct kernel_argument *argument = &run->definition->arguments[i];
        if (!kernel_argument_is_expected(argument))
            continue;
        status = read_result(run, argument, to, error);
        to += run->data[i].expected_bytes;
    }
    run_fini(run);
    return status;
}

/* Copies results to where they are expected. */
static enum clopt_status hand_out(const struct kernel_definition *definition, const char *from,
                                  struct kernel_datum *data, struct clopt_error *error)
{
    for (size_t i = 0; i < definition->argument_count; i++) {
        if (!kernel_argument_is_expected(&definition->arguments[i]))
            continue;
        data[i].expected = malloc(data[i].expected_bytes);
        if (!data[i].expected)
            return clopt_fail_memory(error);
        memcpy(data[i].expected, from, data[i].expected_bytes);
        from += data[i].expected_bytes;
        const struct kernel_argument *argument = &definition->arguments[i];
        if (kernel_compare_refuse_nan(argument, kernel_datum_expected(argument, &data[i]), error))
            return error->status;
    }
    return CLOPT_OK;
}

enum clopt_status kernel_program_expect(const struct kernel_definition *definition,
                                        const struct clopt_problem *problem,
                                        struct kernel_datum *data, struct clopt_error *error)
{
    struct run run = {.definition = definition,
                      .problem = problem,
                      .data = data,
                      .command = definition->reference.program,
                      .place = definition->reference.place};
    size_t total = 0;
    const void *results = NULL;
    enum clopt_status status = CLOPT_OK;
    if (!definition->reference.program)
        return CLOPT_OK;
    kernel_scope_init(&run.scope, &definition->names, problem);
    for (size_t i = 0; i < definition->argument_count && !status; i++) {
        size_t count;
        if (!kernel_argument_is_expected(&definition->arguments[i]))
            continue;
        status = kernel_argument_size(&definition->arguments[i], &run.scope, &count,
                                      &data[i].expected_bytes, error);
        if (!status && __builtin_add_overflow(total, data[i].expected_bytes, &total))
            status = clopt_fail_memory(error);
    }
    if (!status && total)
        status =
            clopt_cached(problem, "results of the program", total, compute, &run, &results, error);
    if (!status && total)
        status = hand_out(definition, results, data, error);
    if (results)
        clopt_cached_release(results, total);
    return status;
}

/* ---- comparing ---- */

static enum clopt_status compare(struct run *run, const struct kernel_argument *argument,
                                 struct kernel_values actual, struct kernel_values expected,
                                 int *code, char line[256], struct clopt_error *error)
{
    enum clopt_status status = make_folder(run, error);
    if (!status)
        status = write_array(run, argument, "expected", expected, error);
    if (!status)
        status = write_array(run, argument, "actual", actual, error);
    if (!status)
        status = add_command(run, error);
    if (!status)
        status = add_word(run, path_in(run, "expected", ".npy"), error);
    if (!status)
        status = add_word(run, path_in(run, "actual", ".npy"), error);
    if (!status)
        status = add_sizes(run, error);
    return status ? status : run_words(run, code, line, error);
}

enum clopt_status kernel_program_compare(const struct kernel_definition *definition,
                                         const struct kernel_argument *argument,
                                         const struct clopt_problem *problem,
                                         struct kernel_values actual, struct kernel_values expected,
                                         struct clopt_verdict *verdict, struct clopt_error *error)
{
    struct run run = {.definition = definition,
                      .problem = problem,
                      .command = argument->tolerance.program,
                      .place = argument->tolerance.place};
    char line[256];
    int code = 1;
    kernel_scope_init(&run.scope, &definition->names, problem);
    enum clopt_status status = compare(&run, argument, actual, expected, &code, line, error);
    run_fini(&run);
    *verdict = (struct clopt_verdict){.right = code == 0, .error = code};
    snprintf(verdict->text, sizeof verdict->text, "%s: %s: %s", argument->name,
             argument->tolerance.program, code ? line : "equal");
    return status;
}
