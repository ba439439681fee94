/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one call of a tool in a child, and makes its result. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "commands/serve/serve.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process/child.h"

#define MOST_ANSWER ((size_t)8 << 20)  /* bytes of JSON */
#define MOST_SAID   ((size_t)8 << 10)  /* of messages */
#define MOST_TEXT   ((size_t)64 << 10) /* of an answer as text: what a caller reads at once */
#define NOT_FASTER  5                  /* what judge says with its exit code */

struct running {
    const struct serve *serve;
    const struct clopt_command *command;
    const json_t *arguments;
    int *code; /* the command's exit code, in memory that the child shares */
};

/* Runs the command, in the child. */
static enum clopt_status run_tool(void *user, struct clopt_error *error)
{
    struct running *running = user;
    const struct clopt_global_options *global = running->serve->global;
    struct clopt_list words = {0};
    CLOPT_TRY(serve_make_words(global, running->command, running->arguments, &words, error));
    clopt_array_add(&words.items, &words.count, sizeof *words.items); /* NULL, after the last one */
    *running->code = running->command->run(global, (int)words.count - 1, words.items);
    return CLOPT_OK;
}

/* Sends what is printed to memory, where no kernel can change it. */
static int redirect(const char *name, int stream)
{
    int file = memfd_create(name, MFD_CLOEXEC);
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
    return (size_t)code < sizeof meanings / sizeof *meanings ? meanings[code] : "ended";
}

json_t *serve_failure(const char *message, const char *next)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_append_printable(&text, message);
    clopt_text_printf(&text, "\nNext: %s.", next);
    return json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
                     clopt_json_text(clopt_text_string(&text)), "isError", 1);
}

/* Makes the result of a command that has ended. */
static json_t *make_result(const char *tool, int code, const char *printed, const char *said)
{
    CLOPT_OWNED(clopt_text) summary = {0}, text = {0};
    json_t *structured = strlen(printed) < MOST_ANSWER ? json_loads(printed, 0, NULL) : NULL;
    clopt_text_printf(&summary, "clopt %s: %s (exit code %d).\n", tool, meaning_of(code), code);
    append_some(&summary, said, MOST_SAID);
    clopt_text_printf(&summary, "%sNext: %s.", *said ? "\n" : "", serve_next_step(tool, code));
    append_some(&text, printed, MOST_TEXT);
    json_t *result =
        json_pack("{s:[{s:s, s:o}, {s:s, s:o}], s:b}", "content", "type", "text", "text",
                  clopt_json_text(clopt_text_string(&summary)), "type", "text", "text",
                  clopt_json_text(clopt_text_string(&text)), "isError",
                  code != CLOPT_EXIT_DONE && code != CLOPT_EXIT_VERIFICATION && code != NOT_FASTER);
    if (json_is_array(structured))
        structured = json_pack("{s:o}", "rows", structured);
    if (structured)
        json_object_set_new(result, "structuredContent", structured);
    return result;
}

char *serve_run_call(const struct serve *serve)
{
    const struct clopt_child_limits limits = {.seconds = (double)serve->limit_s,
                                              .seconds_key = "clopt serve --limit",
                                              .memory_bytes = (uint64_t)serve->memory_mib << 20,
                                              .memory_key = "clopt serve --memory"};
    const json_t *params = json_object_get(json_array_get(serve->calls, 0), "params");
    const char *tool = clopt_json_string(params, "name");
    struct clopt_error error = {0};
    CLOPT_OWNED(clopt_text) printed = {0}, said = {0};
    int nothing = open("/dev/null", O_RDONLY);
    int output = redirect("printed", STDOUT_FILENO);
    int messages = redirect("said", STDERR_FILENO);
    int *code = mmap(NULL, sizeof *code, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || code == MAP_FAILED)
        _exit(1);
    struct running running = {serve, serve_find_tool(serve->global, tool),
                              json_object_get(params, "arguments"), code};
    enum clopt_status status = clopt_child_run(&limits, run_tool, &running, &error);
    read_back(output, MOST_ANSWER, &printed);
    read_back(messages, MOST_SAID, &said);
    int failed = status == CLOPT_INVALID ? CLOPT_EXIT_USAGE : CLOPT_EXIT_FAILURE;
    json_t *result =
        status ? serve_failure(error.message, serve_next_step(tool, failed))
               : make_result(tool, *code, clopt_text_string(&printed), clopt_text_string(&said));
    return json_dumps(result, JSON_COMPACT);
}
