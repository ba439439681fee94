/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program that computes what results must be. */
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
    struct kernel_scope scope;
    char *folder; /* where the files are */
    char *words[MOST_WORDS + KERNEL_MOST_SIZES + 2];
    size_t word_count;
};

static bool is_expected(const struct kernel_argument *argument)
{
    return kernel_argument_is_result(argument) && !argument->tolerance.ignore &&
           !argument->tolerance.file;
}

/* ---- the folder ---- */

static char *path_in(const struct run *run, const char *name, const char *ending)
{
    char *path;
    return asprintf(&path, "%s/%s%s", run->folder, name, ending) < 0 ? NULL : path;
}

/* Writes what a buffer holds before a run. */
static enum clopt_status write_input(struct run *run, size_t index, struct clopt_error *error)
{
    const struct kernel_argument *argument = &run->definition->arguments[index];
    char *path = path_in(run, argument->name, ".npy");
    FILE *stream = path ? fopen(path, "we") : NULL;
    enum clopt_status status =
        !path ? kernel_fail_memory(error)
        : stream
            ? kernel_array_write(argument, run->data[index].contents, &run->scope, stream, error)
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
        return kernel_fail_memory(error);
    }
    if (!mkdtemp(run->folder)) {
        clopt_fail(error, CLOPT_FAILED, "%s: %s", run->folder, strerror(errno));
        free(run->folder);
        run->folder = NULL;
        return CLOPT_FAILED;
    }
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < run->definition->argument_count && !status; i++)
        if (run->data[i].contents)
            status = write_input(run, i, error);
    return status;
}

/* Removes the folder with the files in it; a program that makes folders there cleans up itself. */
static void remove_folder(struct run *run)
{
    DIR *folder = run->folder ? opendir(run->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    if (run->folder)
        rmdir(run->folder);
    free(run->folder);
}

/* ---- the command ---- */

static enum clopt_status add_word(struct run *run, char *word, struct clopt_error *error)
{
    if (!word)
        return kernel_fail_memory(error);
    run->words[run->word_count++] = word;
    return CLOPT_OK;
}

/* Makes the command line: the study's words, the folder, and each size. */
static enum clopt_status make_words(struct run *run, struct clopt_error *error)
{
    const struct kernel_names *names = &run->definition->names;
    enum clopt_status status = CLOPT_OK;
    const char *text = run->definition->reference.program;
    for (text += strspn(text, " \t"); *text && !status; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (run->word_count == MOST_WORDS)
            return kernel_fail(&run->definition->reference.place, error, "more than %d words",
                               MOST_WORDS);
        status = add_word(run, strndup(text, length), error);
        text += length;
    }
    if (!status)
        status = add_word(run, strdup(run->folder), error);
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

static enum clopt_status run_words(const struct run *run, struct clopt_error *error)
{
    const struct kernel_place *place = &run->definition->reference.place;
    char line[256];
    char *output = path_in(run, ".output", "");
    if (!output)
        return kernel_fail_memory(error);
    enum clopt_status status = CLOPT_OK;
    int ending = 0;
    pid_t child = fork();
    if (child == 0)
        become_program(run, output);
    while (child > 0 && waitpid(child, &ending, 0) < 0 && errno == EINTR) {
    }
    if (child < 0)
        status = clopt_fail(error, CLOPT_FAILED, "fork: %s", strerror(errno));
    else if (ending != 0) {
        read_last_line(output, line);
        status = WIFSIGNALED(ending) ? kernel_fail(place, error, "%s: died of signal %d: %s",
                                                   place->value, WTERMSIG(ending), line)
                                     : kernel_fail(place, error, "%s: exit code %d: %s",
                                                   place->value, WEXITSTATUS(ending), line);
    }
    free(output);
    return status;
}

/* ---- results ---- */

/* Reads one file that the program has left. */
static enum clopt_status read_result(struct run *run, const struct kernel_argument *argument,
                                     void *data, struct clopt_error *error)
{
    const struct kernel_place *place = &run->definition->reference.place;
    char *path = path_in(run, argument->name, ".npy");
    if (!path)
        return kernel_fail_memory(error);
    enum clopt_status status =
        access(path, R_OK) == 0 ? kernel_array_load(argument, path, &run->scope, data, error)
                                : kernel_fail(place, error, "%s: it left no %s.npy in its folder",
                                              place->value, argument->name);
    free(path);
    return status;
}

/* Runs the program, and lays its results one behind the other. */
static enum clopt_status compute(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct run *run = user;
    char *to = data;
    (void)bytes;
    enum clopt_status status = make_folder(run, error);
    if (!status)
        status = make_words(run, error);
    if (!status)
        status = run_words(run, error);
    for (size_t i = 0; i < run->definition->argument_count && !status; i++) {
        const struct kernel_argument *argument = &run->definition->arguments[i];
        if (!is_expected(argument))
            continue;
        status = read_result(run, argument, to, error);
        to += run->data[i].expected_bytes;
    }
    remove_folder(run);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
    return status;
}

/* Copies results to where they are expected. */
static enum clopt_status hand_out(const struct kernel_definition *definition, const char *from,
                                  struct kernel_datum *data, struct clopt_error *error)
{
    for (size_t i = 0; i < definition->argument_count; i++) {
        if (!is_expected(&definition->arguments[i]))
            continue;
        data[i].expected = malloc(data[i].expected_bytes);
        if (!data[i].expected)
            return kernel_fail_memory(error);
        memcpy(data[i].expected, from, data[i].expected_bytes);
        from += data[i].expected_bytes;
    }
    return CLOPT_OK;
}

enum clopt_status kernel_program_expect(const struct kernel_definition *definition,
                                        const struct clopt_problem *problem,
                                        struct kernel_datum *data, struct clopt_error *error)
{
    struct run run = {.definition = definition, .problem = problem, .data = data};
    size_t total = 0;
    const void *results = NULL;
    enum clopt_status status = CLOPT_OK;
    if (!definition->reference.program)
        return CLOPT_OK;
    kernel_scope_init(&run.scope, &definition->names, problem);
    for (size_t i = 0; i < definition->argument_count && !status; i++) {
        size_t count;
        if (!is_expected(&definition->arguments[i]))
            continue;
        status = kernel_argument_size(&definition->arguments[i], &run.scope, &count,
                                      &data[i].expected_bytes, error);
        if (!status && __builtin_add_overflow(total, data[i].expected_bytes, &total))
            status = kernel_fail_memory(error);
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
