/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a native program instead of an app's kernels. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2(), cpu_set_t, close_range() */
#endif
#include "rivals/native.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "file/folder.h"
#include "process/clock.h"

#define TIME_LINE        "clopt-time:"
#define MOST_WORDS_BYTES ((uint64_t)1 << 20)
#define LONGEST_LINE     256  /* that may tell a time */
#define CLOCK_ERROR      1.01 /* clocks may differ by so much */

static const char *label_of(const struct clopt_session *session)
{
    return clopt_rival_text(session->trial.rival, "label");
}

/* ---- its end ---- */

/* Ends the program and returns its wait status. */
static int stop(struct clopt_native *rival)
{
    int wait_status = 0;
    if (rival->pid) {
        clopt_child_end_all(rival->pid);
        kill(rival->pid, SIGKILL); /* changes nothing where it has ended */
        while (waitpid(rival->pid, &wait_status, 0) < 0 && errno == EINTR)
            ;
        close(rival->orders);
        fclose(rival->answers);
    }
    rival->pid = 0;
    return wait_status;
}

static void destroy(void *state)
{
    struct clopt_native *rival = state;
    if (!rival)
        return;
    stop(rival);
    if (rival->folder)
        clopt_folder_remove(rival->folder);
    free(rival->folder);
    free(rival->command);
    free(rival);
}

/* Returns the last line that was printed on standard error, which the supervisor keeps in a file,
 * for the caller to free; NULL: none. */
static char *last_words(void)
{
    CLOPT_FREED char *text = NULL;
    struct clopt_error none;
    if (clopt_file_read("/proc/self/fd/2", MOST_WORDS_BYTES, &text, NULL, &none))
        return NULL;
    char *line = strrchr(clopt_text_trim(text), '\n');
    return clopt_strdup(clopt_text_trim(line ? line : text));
}

/* Says how the program ended before it should. */
static enum clopt_status fail_ended(struct clopt_session *session)
{
    siginfo_t info = {0}; /* its output may end just before itself */
    struct clopt_native *rival = clopt_native_of(session);
    struct clopt_error *error = session->error;
    kill(rival->pid, SIGCONT);
    waitid(P_PID, (id_t)rival->pid, &info, WEXITED | WNOWAIT);
    int wait_status = stop(rival), number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    CLOPT_FREED char *words = last_words();
    if (number)
        clopt_fail(error, CLOPT_CRASHED, "%s (signal %d)", strsignal(number), number);
    else
        clopt_fail(error, CLOPT_CRASHED,
                   "ended with exit code %d before it had printed \"%s SECONDS\"",
                   WEXITSTATUS(wait_status), TIME_LINE);
    if (words && *words)
        clopt_fail(error, CLOPT_CRASHED, "%s; it printed: %.500s", error->message, words);
    return clopt_fail_within(error, "rival %s", label_of(session));
}

/* ---- its start ---- */

/* Writes the line that runs the program. */
static char *make_command(const struct clopt_session *session)
{
    struct clopt_text line = {0};
    const struct clopt_values *inputs = session->workspace->inputs;
    clopt_text_printf(&line, "exec %s ", clopt_native_of(session)->command);
    clopt_text_append_word(&line, clopt_native_of(session)->folder);
    for (size_t i = 0; i < inputs->count; i++) {
        const struct clopt_value *input = &inputs->items[i];
        if (!input->text)
            continue;
        CLOPT_FREED char *path = input->type == CLOPT_FILE ? realpath(input->text, NULL) : NULL;
        CLOPT_FREED char *word = clopt_text_format("%s=%s", input->name, path ? path : input->text);
        clopt_text_append(&line, " ");
        clopt_text_append_word(&line, word);
    }
    clopt_text_printf(&line, " seed=%" PRIu64, session->problem.seed);
    return clopt_text_take(&line);
}

/* Lets the program use the processors that clopt may use: a driver may have bound this thread to
 * one. Its threads may spin as they like, since it is stopped between two runs. */
static void free_threads(bool pin, pid_t supervisor)
{
    cpu_set_t processors;
    if (sched_getaffinity(supervisor, sizeof processors, &processors) == 0)
        sched_setaffinity(0, sizeof processors, &processors);
    unsetenv("OMP_WAIT_POLICY");
    if (!pin)
        return;
    setenv("OMP_PROC_BIND", "close", 0);
    setenv("OMP_PLACES", "cores", 0);
}

/* Becomes the program. Runs between fork and exec; only returns by ending. */
static _Noreturn void become(const struct clopt_session *session, const char *command,
                             const int files[2], pid_t worker, pid_t supervisor)
{
    const json_t *description = session->trial.rival;
    const char *folder = clopt_rival_text(description, "folder");
    bool elsewhere = *clopt_rival_text(description, "command");
    clopt_child_attach(worker);
    if (dup2(files[0], 0) < 0 || dup2(files[1], 1) < 0 || (elsewhere && chdir(folder) != 0))
        _exit(127);
    close_range(3, ~0U, 0); /* what the worker talks to the supervisor by */
    free_threads(json_is_true(json_object_get(description, "pin")), supervisor);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Makes the folders in and out, and writes what the buffers start from. */
static enum clopt_status make_folders(const struct clopt_session *session)
{
    static const char *const parts[] = {"in", "out"};
    const char *folder = clopt_native_of(session)->folder;
    for (size_t i = 0; i < 2; i++) {
        CLOPT_FREED char *path = clopt_path_join(folder, parts[i]);
        CLOPT_TRY(clopt_folder_create(path, session->error));
    }
    return clopt_native_write_inputs(session->buffers, folder, session->error);
}

/* Starts the program on the inputs of the session. */
static enum clopt_status start(struct clopt_session *session)
{
    struct clopt_native *rival = clopt_native_of(session);
    int orders[2] = {-1, -1}, answers[2] = {-1, -1};
    CLOPT_FREED char *command = make_command(session);
    pid_t worker = getpid(), supervisor = getppid(), pid = -1;
    enum clopt_status status = make_folders(session);
    if (!status && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, orders) == 0 &&
        pipe2(answers, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        become(session, command, (int[]){orders[1], answers[1]}, worker, supervisor);
    if (!status && (pid < 0 || !(rival->answers = fdopen(answers[0], "r"))))
        status = clopt_fail(session->error, CLOPT_FAILED, "rival %s: not started: %s",
                            label_of(session), strerror(errno));
    int ends[] = {orders[1], answers[1], status ? orders[0] : -1, status ? answers[0] : -1};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    rival->pid = status ? 0 : pid;
    rival->orders = orders[0];
    return status;
}

/* ---- runs ---- */

/* Reads lines until one tells the time, which it leaves in `line`; false: there is none. */
static bool find_time(FILE *answers, char *line, int size)
{
    bool starts = true, found = false;
    while (!found && fgets(line, size, answers)) {
        found = starts && strncmp(line, TIME_LINE, strlen(TIME_LINE)) == 0;
        starts = strchr(line, '\n') != NULL; /* longer lines come in pieces */
    }
    return found;
}

/* Reads the time of a run that began at `began_ns`: more than has passed since is none. */
static enum clopt_status read_time(struct clopt_session *session, int64_t began_ns, double *seconds)
{
    char line[LONGEST_LINE], *end;
    if (!find_time(clopt_native_of(session)->answers, line, sizeof line))
        return fail_ended(session);
    double passed = (double)(clopt_now_ns() - began_ns) * 1e-9;
    *seconds = strtod(line + strlen(TIME_LINE), &end);
    if (!isfinite(*seconds) || *seconds <= 0 || *clopt_text_trim(end))
        return clopt_fail(session->error, CLOPT_WRONG_RESULT,
                          "rival %s printed \"%.80s\": no time above 0 in seconds",
                          label_of(session), clopt_text_trim(line));
    if (*seconds > CLOCK_ERROR * passed)
        return clopt_fail(session->error, CLOPT_WRONG_RESULT,
                          "rival %s printed \"%.80s\": its run took %.3g s, with all that it did; "
                          "the time is in seconds, and of one run",
                          label_of(session), clopt_text_trim(line), passed);
    return CLOPT_OK;
}

static enum clopt_status solve(struct clopt_session *session, double *time_ns)
{
    struct clopt_native *rival = clopt_native_of(session);
    double seconds = 0;
    CLOPT_TRY(rival->pid ? CLOPT_OK : start(session));
    int64_t began_ns = clopt_now_ns();
    kill(rival->pid, SIGCONT);
    if (send(rival->orders, "\n", 1, MSG_NOSIGNAL) != 1)
        return fail_ended(session);
    enum clopt_status status = read_time(session, began_ns, &seconds);
    if (rival->pid)
        kill(rival->pid, SIGSTOP); /* its threads may wait by spinning, beside what is measured */
    if (time_ns)
        *time_ns += seconds * 1e9;
    return status;
}

static enum clopt_status fetch(struct clopt_session *session)
{
    const struct clopt_buffers *buffers = session->buffers;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        CLOPT_FREED void *data = NULL;
        if (!clopt_buffer_is_computed(buffer))
            continue;
        CLOPT_TRY(clopt_native_read_result(clopt_native_of(session)->folder, buffer->name,
                                           buffer->bytes, &data, session->error));
        if (data)
            CLOPT_TRY(clopt_buffer_write(buffers, buffer, 0, buffer->bytes, data));
    }
    return CLOPT_OK;
}

static const struct clopt_rival native = {.standard = true,
                                          .parameters = clopt_native_parameters,
                                          .describe = clopt_native_describe,
                                          .key = clopt_native_key,
                                          .check = clopt_native_check,
                                          .lines = clopt_native_lines,
                                          .build = clopt_native_build,
                                          .solve = solve,
                                          .fetch = fetch,
                                          .destroy = destroy};

CLOPT_PLUGIN(CLOPT_EXTENSION(RIVAL, "native", "programs that are compiled, or commands", &native),
             CLOPT_EXTENSION(SECTION, "rival", "programs that solve the same problems",
                             &clopt_section_rival));
