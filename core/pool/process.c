/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts, talks to and ends worker processes. */
#include "pool/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clopt/memory.h>

#include "file/file.h"
#include "file/folder.h"
#include "opencl/traits.h"
#include "pool/transport.h"
#include "process/clock.h"

#define WORKER_FILE      3 /* the connection's number in the worker; notes have the next one */
#define WORKER_FILE_TEXT "3"
#define EXIT_MS          1000 /* a worker that has hung up exits within this time */
#define KILL_MS          5000 /* a worker that is killed does so, unless something hinders it */
#define OWN_PROGRAM      "/proc/self/exe"

/* Has CPU runtimes pin their threads to cores, or sees to it that they do not. */
static void pin_threads(const struct clopt_process_settings *settings)
{
    for (int i = 0; clopt_pin_environment[i]; i += 2) {
        if (settings->pin)
            setenv(clopt_pin_environment[i], clopt_pin_environment[i + 1], 0);
        else if (settings->unpin)
            unsetenv(clopt_pin_environment[i]);
    }
}

/* Replaces the process by clopt's worker, or by a command that runs it. */
static _Noreturn void execute_worker(const struct clopt_process_settings *settings)
{
    char own[PATH_MAX] = "";
    const char *program = settings->program ? settings->program : own;
    if (readlink(OWN_PROGRAM, own, sizeof own - 1) < 0)
        _exit(127);
    const char *const words[] = {"sh",
                                 "-c",
                                 settings->wrapper,
                                 "clopt",
                                 program,
                                 "--plugin-path",
                                 settings->plugin_path ? settings->plugin_path : "",
                                 "--kernel-path",
                                 settings->kernel_path ? settings->kernel_path : "",
                                 "worker",
                                 WORKER_FILE_TEXT,
                                 NULL};
    if (settings->wrapper)
        execv("/bin/sh", (char **)words);
    else
        execv(settings->program ? program : OWN_PROGRAM, (char **)words + 4);
    _exit(127);
}

/* Has drivers use a cache of that number beside the worker's folder, not the user's. */
static void use_own_cache(const char *own, unsigned number)
{
    char folder[PATH_MAX];
    int above = (int)(strrchr(own, '/') - own);
    if (snprintf(folder, sizeof folder, "%.*s/driver-cache-%u", above, own, number) >= PATH_MAX)
        _exit(1);
    clopt_traits_use_cache(folder);
}

/* Becomes the worker. Runs between fork and exec. */
static _Noreturn void become_worker(const struct clopt_process_settings *settings,
                                    const char *folder, const int ends[2], int output,
                                    pid_t supervisor)
{
    if (!settings->wrapper) /* which runs it for another worker, and is paused with that */
        setsid(); /* ctrl-C is the supervisor's; the worker is paused with all that it starts */
    clopt_child_attach(supervisor);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(1);
    /* They may have each other's numbers. */
    int connection = fcntl(ends[0], F_DUPFD_CLOEXEC, WORKER_FILE + 2);
    int notes = fcntl(ends[1], F_DUPFD_CLOEXEC, WORKER_FILE + 2);
    if (dup2(connection, WORKER_FILE) < 0 || dup2(notes, WORKER_FILE + 1) < 0)
        _exit(1);
    pin_threads(settings);
    setenv("OMP_WAIT_POLICY", "passive", 0); /* waiting threads spin beside what is measured */
    char *own = realpath(folder, NULL);      /* what the worker starts may go elsewhere */
    if (!own || setenv("TMPDIR", own, 1) != 0)
        _exit(1);
    const char *cache = settings->driver_cache ? settings->driver_cache : settings->scratch;
    for (int i = 0; clopt_cache_environment[i]; i++)
        setenv(clopt_cache_environment[i], cache, 0);
    if (settings->cache)
        use_own_cache(own, settings->cache);
    for (int i = 0; clopt_no_cache_environment[i]; i++)
        unsetenv(clopt_no_cache_environment[i]);
    execute_worker(settings);
}

/* Makes the worker's folder, and opens the file there for what it prints, which
 * clopt_process_request() may empty. */
static int open_output(struct clopt_process *process, const char *scratch)
{
    char *folder = clopt_path_join(scratch, "worker-XXXXXX");
    if (!mkdtemp(folder)) {
        free(folder);
        return -1;
    }
    process->folder = folder;
    process->output = clopt_path_join(folder, "output");
    return open(process->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Takes note of what a worker does from a time on. */
static void begin(const struct clopt_process *process, const char *doing, int64_t time_ns)
{
    if (process->begins)
        process->begins(process->user, process->number, doing, time_ns);
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

enum clopt_status clopt_process_start(struct clopt_process *process,
                                      const struct clopt_process_settings *settings,
                                      unsigned number, struct clopt_error *error)
{
    *process = (struct clopt_process){.file = -1,
                                      .notes = -1,
                                      .begins = settings->begins,
                                      .cache = settings->cache,
                                      .user = settings->user,
                                      .number = number};
    begin(process, "start", clopt_now_ns());
    if (settings->host) {
        settings->host->transport->start(settings->host, process, settings);
        return CLOPT_OK;
    }
    int ends[2] = {-1, -1}, notes[2] = {-1, -1};
    int output = open_output(process, settings->scratch);
    pid_t supervisor = getpid(), pid = -1;
    if (output >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, notes) == 0)
        pid = fork();
    if (pid == 0)
        become_worker(settings, process->folder, (int[]){ends[1], notes[1]}, output, supervisor);
    if (pid < 0) {
        int cause = errno;
        char small[CLOPT_SMALL_LIMIT_MAX];
        clopt_small_limit(small);
        clopt_fail(error, CLOPT_FAILED, "worker not started: %s%s", strerror(cause), small);
    }
    close_file(&ends[1]);
    close_file(&notes[1]);
    close_file(&output);
    process->pid = pid > 0 ? pid : 0;
    process->runs = pid > 0;
    process->file = ends[0];
    process->notes = notes[0];
    if (process->runs)
        return CLOPT_OK;
    clopt_process_fini(process);
    return CLOPT_FAILED;
}

enum clopt_status clopt_process_request(struct clopt_process *process, json_t *request,
                                        struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (process->busy) /* its answer would be taken for the other one's */
        status = clopt_fail(error, CLOPT_FAILED, "a worker was sent a request before its answer");
    else if (process->output && clopt_process_printed(process) && truncate(process->output, 0) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", process->output, strerror(errno));
    if (status) {
        json_decref(request);
        return status;
    }
    process->busy = true;
    process->clock.paused_ns = 0;
    process->clock.use = (struct clopt_process_use){0};
    memset(process->clock.seconds, 0, sizeof process->clock.seconds);
    json_decref(process->parts);
    process->parts = NULL;
    process->stage = CLOPT_STAGE_OPEN;
    process->clock.request_began_ns = process->clock.stage_began_ns = clopt_now_ns();
    if (process->clock.paused_since_ns)
        process->clock.paused_since_ns = process->clock.request_began_ns;
    const struct clopt_host *host = process->distant.host;
    return host ? host->transport->request(process, request, error)
                : clopt_message_send(process->file, request, error);
}

/* Takes in a note about a stage that began, with what is known of the answer by then. */
static void take_note(struct clopt_process *process, const json_t *note)
{
    json_t *part = json_object_get(note, "part");
    enum clopt_stage stage = clopt_stage_find(json_string_value(json_object_get(note, "stage")));
    int64_t began_ns = (int64_t)json_integer_value(json_object_get(note, "began_ns"));
    int64_t now = clopt_now_ns();
    bool own = !process->distant.host; /* another host has another clock */
    if (!own || began_ns <= process->clock.request_began_ns || began_ns > now)
        began_ns = now;
    process->clock.seconds[process->stage] +=
        1e-9 * (double)(began_ns - process->clock.stage_began_ns);
    if (stage < CLOPT_STAGES)
        process->stage = stage;
    process->clock.stage_began_ns = began_ns;
    begin(process, clopt_stage_name(process->stage), process->clock.stage_began_ns);
    if (process->parts)
        json_object_update(process->parts, part);
    else
        process->parts = json_incref(part);
}

enum clopt_status clopt_process_take_notes(struct clopt_process *process, struct clopt_error *error)
{
    json_t *note;
    enum clopt_status status = CLOPT_OK;
    if (process->notes >= 0)
        status = clopt_message_reader_fill(&process->note_reader, process->notes, false, error);
    if (status == CLOPT_INTERRUPTED) { /* the connection says so, too */
        *error = (struct clopt_error){0};
        status = CLOPT_OK;
    }
    while (!status) {
        status = clopt_message_reader_take(&process->note_reader, &note, error);
        if (!note)
            break;
        take_note(process, note);
        json_decref(note);
    }
    return status;
}

enum clopt_status clopt_process_read(struct clopt_process *process, json_t **answer,
                                     struct clopt_error *error)
{
    struct clopt_error lost = {0};
    *answer = NULL;
    if (!process->distant.host)
        clopt_message_reader_fill(&process->reader, process->file, false, &lost);
    else if (process->distant.exited)
        clopt_fail(&lost, CLOPT_INTERRUPTED, "connection closed");
    enum clopt_status status = clopt_process_take_notes(process, error);
    if (!status)
        status = clopt_message_reader_take(&process->reader, answer, error);
    if (!status && !*answer && lost.status) { /* only now: the last words of a worker count */
        *error = lost;
        status = lost.status;
    }
    if (status || !*answer)
        return status;
    process->busy = false;
    begin(process, NULL, clopt_now_ns());
    if (process->parts)
        json_object_update_missing(*answer, process->parts);
    return CLOPT_OK;
}

void clopt_process_pause(struct clopt_process *process, bool paused)
{
    int64_t now = clopt_now_ns();
    struct clopt_error none;
    clopt_process_take_notes(process, &none); /* of stages that began before */
    if (!process->runs || paused == (process->clock.paused_since_ns != 0))
        return;
    const struct clopt_host *host = process->distant.host;
    if (host)
        host->transport->order(process, paused ? CLOPT_ORDER_PAUSE : CLOPT_ORDER_RESUME);
    else if (kill(-process->pid, paused ? SIGSTOP : SIGCONT) != 0)
        return;
    int64_t paused_ns = paused ? 0 : now - process->clock.paused_since_ns;
    process->clock.paused_since_ns = paused ? now : 0;
    process->clock.paused_ns += paused_ns;
    process->clock.stage_began_ns += paused_ns;
    process->clock.request_began_ns += paused_ns;
    if (process->busy)
        begin(process, paused ? "paused" : clopt_stage_name(process->stage), now);
}

/* Kills what runs in the worker; the process that waits for that exits once it goes on. */
static void end_all(const struct clopt_process *process)
{
    clopt_child_end_all(process->pid);
    kill(process->pid, SIGCONT);
}

/* Whether a worker has exited, if it is not stopped. */
static bool has_exited(const struct clopt_process *process)
{
    siginfo_t info = {0};
    kill(process->pid, SIGCONT);
    return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process->pid;
}

void clopt_process_kill(struct clopt_process *process)
{
    if (process->runs)
        begin(process, "end", clopt_now_ns());
    if (process->pid > 0)
        end_all(process);
    else if (process->runs)
        process->distant.host->transport->order(process, CLOPT_ORDER_KILL);
    close_file(&process->file);
    close_file(&process->notes);
    process->busy = false;
}

bool clopt_process_has_exited(const struct clopt_process *process)
{
    struct clopt_host *host = process->distant.host;
    if (host) {
        host->transport->advance(host);
        return process->distant.exited;
    }
    end_all(process); /* it may not have started all that it was about to */
    return has_exited(process);
}

int clopt_process_stop(struct clopt_process *process)
{
    int wait_status = 0;
    clopt_process_kill(process); /* how one ended by itself stays known until it is waited for */
    for (int i = 0; process->runs && !clopt_process_has_exited(process) && i < KILL_MS; i++)
        poll(NULL, 0, 1);
    if (process->pid > 0) {
        kill(-process->pid, SIGKILL); /* where something hinders it, or it was killed before them */
        while (waitpid(process->pid, &wait_status, 0) < 0 && errno == EINTR)
            ;
        process->pid = 0;
    }
    if (process->distant.host)
        wait_status = process->distant.host->transport->end(process);
    if (process->runs)
        begin(process, NULL, clopt_now_ns());
    process->runs = false;
    clopt_message_reader_fini(&process->reader);
    clopt_message_reader_fini(&process->note_reader);
    return wait_status;
}

/* Returns the last lines of a file, on one line, for the caller to free. */
static char *last_words(const char *path)
{
    CLOPT_CLOSED FILE *stream = path ? fopen(path, "r") : NULL;
    if (!stream)
        return NULL;
    char words[400] = "";
    if (fseek(stream, -(long)(sizeof words - 1), SEEK_END) != 0)
        rewind(stream);
    size_t length = fread(words, 1, sizeof words - 1, stream);
    while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == ' '))
        length--;
    words[length] = '\0';
    for (char *c = words; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return *words ? clopt_strdup(words) : NULL;
}

int clopt_process_end(struct clopt_process *process, char **words)
{
    for (int i = 0; i < EXIT_MS && process->file >= 0 && !has_exited(process); i++)
        poll(NULL, 0, 1);
    int wait_status = clopt_process_stop(process);
    *words =
        process->distant.words ? clopt_strdup(process->distant.words) : last_words(process->output);
    return wait_status;
}

int clopt_process_explain(struct clopt_process *process, struct clopt_error *error)
{
    CLOPT_FREED char *words = NULL;
    int wait_status = clopt_process_end(process, &words);
    char small[CLOPT_SMALL_LIMIT_MAX];
    clopt_small_limit(small);
    const char *link = words ? "; it printed: " : "";
    const char *tail = words ? words : "";
    int signal_number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    if (signal_number)
        clopt_fail(error, CLOPT_CRASHED, "%s (signal %d) in stage %s%s%s", strsignal(signal_number),
                   signal_number, clopt_stage_name(process->stage), link, tail);
    else if (WEXITSTATUS(wait_status) == CLOPT_EXIT_MEMORY)
        clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "the worker ran out of memory in stage %s%s",
                   clopt_stage_name(process->stage), small);
    else
        clopt_fail(error, CLOPT_CRASHED, "the worker ended with exit code %d in stage %s%s%s%s",
                   WEXITSTATUS(wait_status), clopt_stage_name(process->stage), link, tail, small);
    return signal_number;
}

uint64_t clopt_process_printed(const struct clopt_process *process)
{
    struct stat file;
    if (process->distant.host)
        return process->distant.printed;
    return stat(process->output, &file) == 0 ? (uint64_t)file.st_size : 0;
}

uint64_t clopt_process_memory(const struct clopt_process *process)
{
    return process->distant.host ? process->distant.memory : clopt_memory_of(process->pid);
}

void clopt_process_fini(struct clopt_process *process)
{
    clopt_process_stop(process);
    if (process->folder)
        clopt_folder_remove(process->folder);
    free(process->folder);
    free(process->output);
    free(process->distant.words);
    json_decref(process->parts);
    *process = (struct clopt_process){.file = -1, .notes = -1};
}
