/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one call of a tool in a child, and makes its result. */
#include "commands/serve/serve.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/file.h"
#include "process/child.h"

#define MOST_ANSWER ((size_t)8 << 20)  /* bytes of JSON */
#define MOST_SAID   ((size_t)8 << 10)  /* of messages */
#define MOST_TEXT   ((size_t)64 << 10) /* of an answer as text: what a caller reads at once */

struct running {
    const struct serve *serve;
    const struct serve_call *call;
    int *code; /* the command's exit code, in memory that the child shares; -1: it did not run */
};

/* Runs the command, in the child. */
static enum clopt_status run_tool(void *user, struct clopt_error *error)
{
    struct running *running = user;
    const struct clopt_global_options *global = running->serve->global;
    char **words;
    size_t count;
    CLOPT_TRY(serve_make_words(global, running->call, &words, &count, error));
    *running->code = serve_command(global, running->call->tool)->run(global, (int)count, words);
    return CLOPT_OK;
}

/* Sends what is printed to a file of the temporary folder. */
static int redirect(const struct serve *serve, const char *name, int stream)
{
    CLOPT_FREED char *path = clopt_path_join(serve->reach.temporary, name);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || dup2(file, stream) < 0)
        _exit(1);
    return file;
}

/* Reads what was printed, as far as it counts. */
static void read_back(int file, size_t most, struct clopt_text *text)
{
    char chunk[65536];
    ssize_t got;
    lseek(file, 0, SEEK_SET);
    while (text->length < most && (got = read(file, chunk, sizeof chunk)) > 0)
        clopt_text_append_bytes(text, chunk, (size_t)got);
}

static void append_content(json_t *content, const char *text)
{
    json_array_append_new(content, clopt_json_object("type:s text:s", "text", text));
}

/* Appends a text as people can read it, and not all of a long one. */
static void append_some(struct clopt_text *text, const char *string, size_t most)
{
    CLOPT_FREED char *some = clopt_strndup(string, most);
    clopt_text_append_printable_lines(text, some);
    if (strlen(string) > most)
        clopt_text_printf(text, "\n[%zu bytes more]", strlen(string) - most);
}

static const char *meaning_of(int code)
{
    static const char *const meanings[] = {"done",
                                           "failed",
                                           "wrong arguments or study",
                                           "a plugin is missing",
                                           "something is wrong with a result or an access",
                                           "right, but not surely faster"};
    return code >= 0 && code < (int)(sizeof meanings / sizeof *meanings) ? meanings[code] : "ended";
}

json_t *serve_failure(const char *message, const char *next)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_append_printable(&text, message);
    clopt_text_printf(&text, "\nNext: %s.", next);
    json_t *content = json_array();
    append_content(content, clopt_text_string(&text));
    return clopt_json_object("content:o isError:b", content, true);
}

/* Makes the result of a command that has ended. */
static json_t *make_result(const struct serve_tool *tool, int code, const char *printed,
                           const char *said)
{
    CLOPT_OWNED(clopt_text) summary = {0}, text = {0};
    json_t *content = json_array();
    json_t *structured = strlen(printed) < MOST_ANSWER ? json_loads(printed, 0, NULL) : NULL;
    if (json_is_array(structured))
        structured = json_pack("{s:o}", "rows", structured);
    clopt_text_printf(&summary, "clopt %s: %s (exit code %d).\n", tool->name, meaning_of(code),
                      code);
    append_some(&summary, said, MOST_SAID);
    clopt_text_printf(&summary, "%sNext: %s.", *said ? "\n" : "", serve_next_step(tool, code));
    append_content(content, clopt_text_string(&summary));
    append_some(&text, printed, MOST_TEXT);
    if (*printed)
        append_content(content, clopt_text_string(&text));
    return clopt_json_object("content:o isError:b structuredContent:O", content,
                             code != 0 && code != 4 && code != 5,
                             structured ? structured : json_null());
}

char *serve_run_call(const struct serve *serve, const struct serve_call *call)
{
    const struct clopt_child_limits limits = {.seconds = (double)serve->limits.seconds,
                                              .seconds_key = "clopt serve --limit",
                                              .memory_bytes = (uint64_t)serve->limits.memory_mib
                                                              << 20,
                                              .memory_key = "clopt serve --memory"};
    struct clopt_error error = {0};
    CLOPT_OWNED(clopt_text) printed = {0}, said = {0};
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        _exit(1);
    int output = redirect(serve, "printed", STDOUT_FILENO);
    int messages = redirect(serve, "said", STDERR_FILENO);
    int *code = mmap(NULL, sizeof *code, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        _exit(1);
    *code = -1;
    struct running running = {serve, call, code};
    enum clopt_status status = clopt_child_run(&limits, run_tool, &running, &error);
    read_back(output, MOST_ANSWER, &printed);
    read_back(messages, MOST_SAID, &said);
    json_t *result =
        status
            ? serve_failure(error.message, serve_next_step(call->tool, status == CLOPT_INVALID
                                                                           ? CLOPT_EXIT_USAGE
                                                                           : CLOPT_EXIT_FAILURE))
            : make_result(call->tool, *code, clopt_text_string(&printed), clopt_text_string(&said));
    return json_dumps(result, JSON_COMPACT);
}
