/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt serve`: lets programs, such as agents, run commands within one folder. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2() */
#endif
#include "commands/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/shared/commands.h"
#include "commands/shared/usage.h"
#include "process/child.h"
#include "process/clock.h"

#define PROGRESS_MS 5000

static const struct clopt_key options[] = {
    CLOPT_FLAG(0, "mcp", struct serve, speaks_mcp,
               "speak the Model Context Protocol on standard input and output"),
    CLOPT_TEXT(0, "folder", "FOLDER", struct serve, reach.folder,
               "the only folder that callers read and write [the working directory]"),
    CLOPT_EACH(0, "read", "FOLDER", struct serve, reach.readable,
               "let drivers read this one, too, where they are not in a folder of the system; "
               "again for more"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct serve, limit_s, CLOPT_LEGAL_LIMIT,
                  "end a call that takes longer than this [1800]"),
    CLOPT_NUMBER(0, "memory", "MIB", struct serve, memory_mib, "1..2147483647",
                 "end a call that takes more memory than this [4096]"),
    CLOPT_FLAG(0, "unconfined", struct serve, unconfined,
               "check the paths that callers name, and rely on a container for the rest: where "
               "the system cannot keep them within the folder"),
    {0},
};

/* ---- the call that runs ---- */

/* Starts the first call in a process of its own, which can wait for it. */
static void start_call(struct serve *serve)
{
    int ends[2] = {-1, -1};
    pid_t parent = getpid();
    clopt_text_clear(&serve->result);
    serve->begun_ns = clopt_now_ns();
    serve->runner = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (serve->runner == 0) {
        clopt_child_attach(parent);
        signal(SIGPIPE, SIG_DFL);
        CLOPT_FREED char *answer = serve_run_call(serve);
        for (size_t done = 0, length = strlen(answer); done < length;) {
            ssize_t written = write(ends[1], answer + done, length - done);
            if (written <= 0)
                break;
            done += (size_t)written;
        }
        _exit(0);
    }
    if (ends[1] >= 0)
        close(ends[1]);
    serve->pipe = ends[0];
    if (serve->runner < 0) {
        if (ends[0] >= 0)
            close(ends[0]);
        serve->runner = 0;
        serve_finish_call(serve);
    }
}

void serve_end_runner(const struct serve *serve)
{
    clopt_child_end_all(serve->runner);
    kill(serve->runner, SIGKILL); /* it may not have had a child yet; one goes with it */
}

/* Takes what the process of the call has to say; its end ends the call. */
static void take_result(struct serve *serve)
{
    char chunk[65536];
    ssize_t got = read(serve->pipe, chunk, sizeof chunk);
    if (got > 0) {
        clopt_text_append_bytes(&serve->result, chunk, (size_t)got);
        return;
    }
    if (got < 0 && errno == EINTR)
        return;
    close(serve->pipe);
    waitpid(serve->runner, NULL, 0);
    serve->runner = 0;
    serve_finish_call(serve);
}

/* ---- the server ---- */

/* Reads what there is from standard input; false: it has ended. */
static bool take_input(struct serve *serve)
{
    char chunk[65536];
    ssize_t got = read(STDIN_FILENO, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
        return true;
    if (got > 0)
        serve_take_input(serve, chunk, (size_t)got);
    else
        serve_take_input(serve, "\n", 1); /* a last line without an end */
    return got > 0;
}

/* Serves until the caller closes one side. */
static void serve_caller(struct serve *serve)
{
    bool open = true;
    while (open && !serve->closed) {
        while (json_array_size(serve->calls) && !serve->runner)
            start_call(serve);
        struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = serve->runner ? serve->pipe : -1, .events = POLLIN}};
        int ready = poll(files, 2, serve->runner ? PROGRESS_MS : -1);
        if (ready == 0)
            serve_report_progress(serve);
        if (ready > 0 && files[1].revents)
            take_result(serve);
        if (ready > 0 && files[0].revents)
            open = take_input(serve);
    }
    if (serve->runner) {
        serve_end_runner(serve);
        close(serve->pipe);
        waitpid(serve->runner, NULL, 0);
    }
}

/* Makes the folders that may be read absolute, and goes to the one that callers have. */
static enum clopt_status enter_folder(struct serve *serve, struct clopt_error *error)
{
    for (size_t i = 0; i < serve->reach.readable.count; i++) {
        char **item = &serve->reach.readable.items[i];
        char *path = realpath(*item, NULL);
        if (!path)
            return clopt_fail(error, CLOPT_INVALID, "--read=%s: %s", *item, strerror(errno));
        free(*item);
        *item = path;
    }
    const char *folder = serve->reach.folder;
    serve->reach.folder = ".";
    return folder && chdir(folder) != 0
               ? clopt_fail(error, CLOPT_INVALID, "%s: %s", folder, strerror(errno))
               : CLOPT_OK;
}

/* Has all that commands keep besides their results in a folder that goes with this process. */
static enum clopt_status use_temporary(struct serve *serve, struct clopt_error *error)
{
    static const char *const variables[] = {"TMPDIR",          "HOME",           "XDG_CACHE_HOME",
                                            "CLOPT_CACHE_DIR", "POCL_CACHE_DIR", "CUDA_CACHE_PATH"};
    CLOPT_TRY(clopt_temporary_create(&serve->temporary, error));
    serve->reach.temporary = serve->temporary.path;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], serve->temporary.path, 1);
    return CLOPT_OK;
}

static int run_serve(struct serve *serve)
{
    struct clopt_error error = {0};
    signal(SIGPIPE, SIG_IGN);
    if (enter_folder(serve, &error) || use_temporary(serve, &error) ||
        (!serve->unconfined && serve_confine(&serve->reach, serve->global, &error)))
        return clopt_report_error(&error);
    serve->calls = json_array();
    serve_caller(serve);
    json_decref(serve->calls);
    return CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct serve serve = {.global = global, .limit_s = 1800, .memory_mib = 4096};
    int code;
    if (clopt_command_read(global, &clopt_serve_command, &serve, argc, argv, &code)) {
        if (optind < argc)
            code = clopt_usage_error("serve", "%s: one argument too many", argv[optind]);
        else if (!serve.speaks_mcp)
            code = clopt_usage_error("serve", "which protocol? There is --mcp");
        else
            code = run_serve(&serve);
    }
    clopt_temporary_fini(&serve.temporary);
    clopt_text_fini(&serve.line);
    clopt_text_fini(&serve.result);
    clopt_list_fini(&serve.reach.readable);
    return code;
}

const struct clopt_command clopt_serve_command = {
    .name = "serve",
    .usage = "serve --mcp [--folder=FOLDER] [OPTION ...]\n",
    .about = "Example: clopt serve --mcp --folder=work\n\n"
             "Lets agents judge, tune and rewrite kernels: each tool is a command of clopt,\n"
             "which runs in a child process, within limits of time and memory, in one folder.\n"
             "What is outside of it is neither read nor written: Linux (Landlock) sees to\n"
             "that. It ends with its standard input.\n"
             "\n",
    .lists = {{options, 0}},
    .run = run_command,
};
