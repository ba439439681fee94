/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of the user's: one that computes what results must be, and those that compare. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include "data.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define MOST_WORDS 64

/* One run. What has gone wrong is in the scope's error; then nothing more is done. */
struct run {
    const struct kernel_definition *definition;
    const struct kernel_datum *data;
    const char *command;
    struct kernel_position position; /* of the command */
    struct kernel_scope scope;
    char *folder; /* where the files are; "": it could not be made */
    char *words[MOST_WORDS + KERNEL_MOST_SIZES + 3];
    size_t word_count;
};

/* Fails over a file, with what errno says. */
static void fail_over(const struct run *run, const char *path)
{
    clopt_fail(run->scope.error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
}

/* ---- the folder ---- */

static char *path_in(const struct run *run, const char *name, const char *ending)
{
    return clopt_text_format("%s/%s%s", run->folder, name, ending);
}

/* Writes what a buffer holds to a file in the folder. */
static void write_array(struct run *run, const struct kernel_argument *argument, const char *name,
                        struct kernel_values values)
{
    if (run->scope.error->status)
        return;
    CLOPT_FREED char *path = path_in(run, name, ".npy");
    CLOPT_CLOSED FILE *stream = fopen(path, "we");
    if (stream)
        kernel_array_write(argument, values, &run->scope, stream);
    if ((!stream || fflush(stream) != 0 || ferror(stream)) && !run->scope.error->status)
        fail_over(run, path);
}

static void make_folder(struct run *run)
{
    const char *above = secure_getenv("TMPDIR");
    run->folder = clopt_text_format("%s/clopt-XXXXXX", above && *above ? above : "/tmp");
    if (mkdtemp(run->folder))
        return;
    fail_over(run, run->folder);
    *run->folder = '\0';
}

static void write_inputs(struct run *run)
{
    for (size_t i = 0; i < run->definition->argument_count; i++) {
        const struct kernel_argument *argument = &run->definition->arguments[i];
        const struct kernel_datum *datum = &run->data[i];
        struct kernel_values values = {datum->contents,
                                       datum->contents_bytes / kernel_type_bytes(&argument->type)};
        if (datum->contents)
            write_array(run, argument, argument->name, values);
    }
}

/* Removes the folder with the files in it; a program that makes folders there cleans up itself. */
static void run_fini(struct run *run)
{
    DIR *folder = opendir(run->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(run->folder);
    free(run->folder);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
}

/* ---- the command ---- */

static void add_word(struct run *run, char *word)
{
    run->words[run->word_count++] = word;
}

/* Adds the words of the command. */
static void add_command(struct run *run)
{
    const char *text = run->command;
    for (text += strspn(text, " \t"); *text && !run->scope.error->status;
         text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (run->word_count == MOST_WORDS)
            kernel_fail(&run->position, run->scope.error, "more than %d words", MOST_WORDS);
        else
            add_word(run, clopt_strndup(text, length));
        text += length;
    }
}

/* Adds NAME=VALUE for each size. */
static void add_sizes(struct run *run)
{
    const struct kernel_names *names = &run->definition->names;
    for (size_t i = 0; i < names->size_count; i++) {
        int64_t value = clopt_values_integer(run->scope.problem->inputs, names->sizes[i]);
        add_word(run, clopt_text_format("%s=%" PRId64, names->sizes[i], value));
    }
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
    CLOPT_CLOSED FILE *file = fopen(output, "re");
    char text[256];
    snprintf(line, 256, "it printed nothing");
    while (file && fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        if (*text)
            snprintf(line, 256, "%s", text);
    }
}

/* Runs the command; fails unless it exits with 0 or, where `may_differ`, with 1. Returns that;
 * `line` gets the last line that it printed. */
static int run_words(const struct run *run, bool may_differ, char line[256])
{
    struct clopt_error *error = run->scope.error;
    CLOPT_FREED char *output = path_in(run, ".output", "");
    int ending = 0;
    if (error->status)
        return 1;
    pid_t child = fork();
    if (child == 0)
        become_program(run, output);
    while (child > 0 && waitpid(child, &ending, 0) < 0 && errno == EINTR) {
    }
    read_last_line(output, line);
    if (child < 0)
        clopt_fail(error, CLOPT_FAILED, "fork: %s", strerror(errno));
    else if (WIFSIGNALED(ending))
        kernel_fail(&run->position, error, "%s: died of signal %d: %s", run->command,
                    WTERMSIG(ending), line);
    else if (WEXITSTATUS(ending) > may_differ)
        kernel_fail(&run->position, error, "%s: exit code %d: %s", run->command,
                    WEXITSTATUS(ending), line);
    return WEXITSTATUS(ending);
}

/* ---- results ---- */

/* Reads one file that the program has left. */
static void read_result(struct run *run, const struct kernel_argument *argument, void *data)
{
    CLOPT_FREED char *path = path_in(run, argument->name, ".npy");
    if (access(path, R_OK) == 0)
        kernel_array_load(argument, path, &run->scope, data);
    else
        kernel_fail(&run->position, run->scope.error, "%s: it left no %s.npy in its folder",
                    run->position.value, argument->name);
}

/* Runs the program, and lays its results one after the other. */
static enum clopt_status compute(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct run *run = user;
    char *to = data;
    char line[256];
    (void)bytes;
    error->status = CLOPT_OK;
    run->scope.error = error;
    make_folder(run);
    write_inputs(run);
    add_command(run);
    add_word(run, clopt_strdup(run->folder));
    add_sizes(run);
    run_words(run, false, line);
    for (size_t i = 0; i < run->definition->argument_count && !error->status; i++) {
        const struct kernel_argument *argument = &run->definition->arguments[i];
        if (!kernel_argument_is_expected(argument))
            continue;
        read_result(run, argument, to);
        to += kernel_argument_bytes(argument, &run->scope);
    }
    run_fini(run);
    return error->status;
}

/* Copies results to where they are expected. */
static void hand_out(const struct kernel_definition *definition, const char *from,
                     struct kernel_datum *data, struct kernel_scope *scope)
{
    for (size_t i = 0; i < definition->argument_count && !scope->error->status; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        if (!kernel_argument_is_expected(argument))
            continue;
        size_t bytes = kernel_argument_bytes(argument, scope);
        void *expected = malloc(bytes);
        if (!expected) {
            clopt_fail_memory(scope->error);
            break;
        }
        data[i].expected = (struct kernel_values){
            memcpy(expected, from, bytes), kernel_evaluate_product(scope, &argument->values)};
        from += bytes;
        kernel_compare_refuse_nan(argument, data[i].expected, scope->error);
    }
}

void kernel_program_expect(const struct kernel_definition *definition, struct kernel_scope *scope,
                           struct kernel_datum *data)
{
    struct clopt_error *error = scope->error;
    struct run run = {.definition = definition,
                      .data = data,
                      .command = definition->reference.program,
                      .position = definition->reference.position,
                      .scope = *scope};
    size_t total = 0;
    const void *results = NULL;
    for (size_t i = 0; i < definition->argument_count && run.command && !error->status; i++) {
        if (!kernel_argument_is_expected(&definition->arguments[i]))
            continue;
        size_t bytes = kernel_argument_bytes(&definition->arguments[i], scope);
        if (__builtin_add_overflow(total, bytes, &total))
            clopt_fail_memory(error);
    }
    if (!total || error->status)
        return;
    if (clopt_cached(scope->problem, "results of the program", total, compute, &run, &results,
                     error) == CLOPT_OK)
        hand_out(definition, results, data, scope);
    if (results)
        clopt_cached_release(results, total);
}

/* ---- comparing ---- */

void kernel_program_compare(const struct kernel_definition *definition,
                            const struct kernel_pair *pair, struct kernel_scope *scope,
                            struct clopt_verdict *verdict)
{
    const struct kernel_argument *argument = pair->argument;
    struct run run = {.definition = definition,
                      .command = argument->tolerance.program,
                      .position = argument->tolerance.position,
                      .scope = *scope};
    char line[256] = "";
    make_folder(&run);
    write_array(&run, argument, "expected", pair->expected);
    write_array(&run, argument, "actual", pair->actual);
    add_command(&run);
    add_word(&run, path_in(&run, "expected", ".npy"));
    add_word(&run, path_in(&run, "actual", ".npy"));
    add_sizes(&run);
    int code = run_words(&run, true, line);
    run_fini(&run);
    *verdict = (struct clopt_verdict){.right = code == 0, .error = code};
    snprintf(verdict->text, sizeof verdict->text, "%s: %s: %s", argument->name,
             argument->tolerance.program, code ? line : "equal");
}
