/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and runs other programs. */
#include "process/program.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "process/child.h"

#define MOST_WORDS 3 /* lines of what a program says is wrong */

char *clopt_program_find(const char *name)
{
    const char *folders = getenv("PATH");
    for (const char *at = folders; at && *at;) {
        size_t length = strcspn(at, ":");
        CLOPT_FREED char *folder = clopt_strndup(at, length);
        char *path = length ? clopt_path_join(folder, name) : NULL;
        if (path && access(path, X_OK) == 0)
            return path;
        free(path);
        at += length + (at[length] == ':');
    }
    return NULL;
}

/* The program's standard input, output and error: files without a name, so that neither side ever
 * waits for the other. */
struct streams {
    FILE *files[3];
};

static enum clopt_status streams_init(struct streams *streams, const char *input,
                                      struct clopt_error *error)
{
    *streams = (struct streams){0};
    for (int i = 0; i < 3; i++)
        if (!(streams->files[i] = tmpfile()))
            return clopt_fail(error, CLOPT_FAILED, "no temporary file: %s", strerror(errno));
    if (fputs(input, streams->files[0]) == EOF || fflush(streams->files[0]) != 0)
        return clopt_fail(error, CLOPT_FAILED, "temporary file: %s", strerror(errno));
    rewind(streams->files[0]);
    return CLOPT_OK;
}

/* Becomes the program. Runs between fork and exec; only returns by ending. */
static _Noreturn void become(const char *path, char *const *argv, const struct streams *streams,
                             pid_t parent)
{
    int copies[3];
    clopt_child_attach(parent);
    for (int i = 0; i < 3; i++) /* above 2 first: one of them may be another's number */
        copies[i] = dup(fileno(streams->files[i]));
    for (int i = 0; i < 3; i++)
        if (copies[i] < 0 || dup2(copies[i], i) < 0)
            _exit(127);
    for (int i = 0; i < 3; i++)
        if (copies[i] > 2)
            close(copies[i]);
    execv(path, argv);
    _exit(127);
}

static enum clopt_status read_all(FILE *stream, struct clopt_text *text, struct clopt_error *error)
{
    char chunk[65536];
    size_t got;
    rewind(stream);
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        clopt_text_append_bytes(text, chunk, got);
    if (ferror(stream))
        return clopt_fail(error, CLOPT_FAILED, "temporary file: %s", strerror(errno));
    return CLOPT_OK;
}

/* Whether a line says what is wrong, as a compiler, a linker or a shell does. */
static bool names_error(const char *line)
{
    static const char *const signs[] = {" error: ", " cannot find ", ": not found"};
    bool found = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        found |= strstr(line, signs[i]) != NULL;
    return found;
}

/* Appends the first lines of a text that say what is wrong, or else the last one. */
static void append_words(struct clopt_text *words, char *text)
{
    char *rest, *last = NULL;
    size_t count = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*(line = clopt_text_trim(line)))
            last = line;
        if (names_error(line) && count++ < MOST_WORDS)
            clopt_text_printf(words, "%s%s", count > 1 ? "; " : ": ", line);
    }
    if (!count && last)
        clopt_text_printf(words, ": %s", last);
}

/* Says how a program failed. */
static enum clopt_status fail_as(const char *name, int wait_status, FILE *stream,
                                 struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) said = {0}, words = {0};
    struct clopt_error none = {0};
    read_all(stream, &said, &none);
    if (said.data)
        append_words(&words, said.data);
    if (WIFSIGNALED(wait_status))
        clopt_fail(error, CLOPT_FAILED, "%s: killed by signal %d (%s)", name, WTERMSIG(wait_status),
                   strsignal(WTERMSIG(wait_status)));
    else
        clopt_fail(error, CLOPT_FAILED, "%s: exit code %d%s", name, WEXITSTATUS(wait_status),
                   clopt_text_string(&words));
    return CLOPT_FAILED;
}

struct program {
    const char *path;
    const char *name; /* for messages */
    char *const *argv;
};

static enum clopt_status run(const struct program *program, const char *input,
                             struct clopt_text *output, struct clopt_error *error)
{
    const char *name = program->name;
    struct streams streams;
    int wait_status = 0;
    enum clopt_status status = streams_init(&streams, input, error);
    pid_t parent = getpid();
    pid_t child = status ? -1 : fork();
    if (child == 0)
        become(program->path, program->argv, &streams, parent);
    if (!status && child < 0)
        status = clopt_fail(error, CLOPT_FAILED, "%s: not started: %s", name, strerror(errno));
    while (!status && waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR)
            status = clopt_fail(error, CLOPT_FAILED, "%s: %s", name, strerror(errno));
    if (!status && wait_status != 0)
        status = fail_as(name, wait_status, streams.files[2], error);
    if (!status)
        status = read_all(streams.files[1], output, error);
    for (int i = 0; i < 3; i++)
        if (streams.files[i])
            fclose(streams.files[i]);
    return status;
}

enum clopt_status clopt_program_run(const char *path, char *const *argv, const char *input,
                                    struct clopt_text *output, struct clopt_error *error)
{
    return run(&(struct program){path, path, argv}, input, output, error);
}

enum clopt_status clopt_shell_run(const char *line, const char *name, struct clopt_text *output,
                                  struct clopt_error *error)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)line, NULL};
    return run(&(struct program){"/bin/sh", name, words}, "", output, error);
}
