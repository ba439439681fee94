/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and runs other programs. */
#include "base/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"

char *clopt_program_find(const char *name)
{
    const char *folders = getenv("PATH");
    for (const char *at = folders; at && *at;) {
        size_t length = strcspn(at, ":");
        char *folder = strndup(at, length);
        char *path = folder && *folder ? clopt_path_join(folder, name) : NULL;
        free(folder);
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

static void streams_fini(struct streams *streams)
{
    for (int i = 0; i < 3; i++)
        if (streams->files[i])
            fclose(streams->files[i]);
}

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
static void become(const char *path, char *const *argv, const struct streams *streams, pid_t parent)
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
    return text->failed ? clopt_fail_memory(error) : CLOPT_OK;
}

/* Returns the line of a text that says best what is wrong: the first in which a compiler or a
 * linker does, or else the last one. It is cut out of the text. */
static char *find_words(char *text)
{
    static const char *const signs[] = {" error: ", " cannot find ", ": not found"};
    char *found = NULL;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char *at = strstr(text, signs[i]);
        found = at && (!found || at < found) ? at : found;
    }
    if (!found) {
        text = clopt_text_trim(text);
        found = text + strlen(text);
    }
    while (found > text && found[-1] != '\n')
        found--;
    found[strcspn(found, "\n")] = '\0';
    return clopt_text_trim(found);
}

/* Says how a program failed. */
static enum clopt_status fail_as(const char *path, int wait_status, FILE *stream,
                                 struct clopt_error *error)
{
    struct clopt_text words = {0};
    struct clopt_error none = {0};
    read_all(stream, &words, &none);
    char *said = clopt_text_take(&words);
    const char *last = said ? find_words(said) : "";
    if (WIFSIGNALED(wait_status))
        clopt_fail(error, CLOPT_FAILED, "%s: killed by signal %d (%s)", path, WTERMSIG(wait_status),
                   strsignal(WTERMSIG(wait_status)));
    else
        clopt_fail(error, CLOPT_FAILED, "%s: exit code %d%s%s", path, WEXITSTATUS(wait_status),
                   *last ? ": " : "", last);
    free(said);
    return CLOPT_FAILED;
}

enum clopt_status clopt_program_run(const char *path, char *const *argv, const char *input,
                                    struct clopt_text *output, struct clopt_error *error)
{
    struct streams streams;
    int wait_status = 0;
    enum clopt_status status = streams_init(&streams, input, error);
    pid_t parent = getpid();
    pid_t child = status ? -1 : fork();
    if (child == 0)
        become(path, argv, &streams, parent);
    if (!status && child < 0)
        status = clopt_fail(error, CLOPT_FAILED, "%s: not started: %s", path, strerror(errno));
    while (!status && waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR)
            status = clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    if (!status && wait_status != 0)
        status = fail_as(path, wait_status, streams.files[2], error);
    if (!status)
        status = read_all(streams.files[1], output, error);
    streams_fini(&streams);
    return status;
}
