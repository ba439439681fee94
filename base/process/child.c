/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function in a child process: what it crashes or exhausts is lost there alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2(), close_range() */
#endif
#include "process/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clopt/memory.h>

#include "file/folder.h"
#include "process/clock.h"

#define PERIOD_MS 20 /* in which limits are looked at */

/* What parent and child share. */
struct shared {
    struct clopt_error error; /* of `work`: first, which clopt_child_limit() makes use of */
    bool done;                /* it has returned, with this: */
    enum clopt_status status;
    _Atomic int64_t late_ns; /* from when on it takes too long; 0: never */
    double seconds;          /* that it may take; where a user sets it: */
    char key[128];
};

/* A child as its parent sees it. */
struct child {
    const struct clopt_child_limits *limits;
    struct shared *shared;
    pid_t pid;
    int file; /* is hung up when the child ends; -1: it was before */
    int wait_status;
    struct clopt_process_use use; /* by when limits were looked at last */
    int64_t late_ns;              /* the time that `lost_s` counts for */
    double lost_s;
};

void clopt_child_attach(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    int adjust = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (adjust < 0)
        return;
    if (write(adjust, "1000", 4) != 4)
        errno = 0; /* not allowed here: as good as before */
    close(adjust);
}

void clopt_small_limit(char text[CLOPT_SMALL_LIMIT_MAX])
{
    static const struct {
        int resource;
        rlim_t least, unit;
        const char *what, *option;
    } limits[] = {{RLIMIT_AS, (rlim_t)1 << 30, 1024, "address space", "-v"},
                  {RLIMIT_NOFILE, 32, 1, "open files", "-n"},
                  {RLIMIT_NPROC, 64, 1, "processes", "-u"}};
    struct rlimit limit;
    *text = '\0';
    for (size_t i = 0; i < sizeof limits / sizeof *limits && !*text; i++)
        if (getrlimit(limits[i].resource, &limit) == 0 && limit.rlim_cur < limits[i].least)
            snprintf(text, CLOPT_SMALL_LIMIT_MAX,
                     "; the limit of %s is small (ulimit %s is %llu): raise it", limits[i].what,
                     limits[i].option, (unsigned long long)(limit.rlim_cur / limits[i].unit));
}

/* Notes how long something may take that begins now. */
static void set_limit(struct shared *shared, double seconds, const char *key)
{
    shared->late_ns = 0;
    shared->seconds = seconds;
    snprintf(shared->key, sizeof shared->key, "%s", key ? key : "");
    if (seconds > 0)
        shared->late_ns = clopt_now_ns() + (int64_t)(seconds * 1e9);
}

void clopt_child_limit(struct clopt_error *error, double seconds, const char *key)
{
    set_limit((struct shared *)error, seconds, key);
}

/* Opens a file that the system has about a process; NULL: there is none. */
static FILE *open_about(const char *format, pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, format, (long)process, (long)process);
    return fopen(path, "re");
}

/* Adds up what `use` returns for the children of a process, which are those of its first thread. */
static double sum_children(pid_t process, double (*use)(pid_t process))
{
    CLOPT_CLOSED FILE *stream = open_about("/proc/%ld/task/%ld/children", process);
    double sum = 0;
    long child;
    while (stream && fscanf(stream, "%ld", &child) == 1)
        sum += use((pid_t)child);
    return sum;
}

static double memory_of(pid_t process)
{
    CLOPT_CLOSED FILE *stream = open_about("/proc/%ld/statm", process);
    unsigned long long total, resident;
    if (!stream)
        return 0;
    if (fscanf(stream, "%llu %llu", &total, &resident) != 2)
        resident = 0;
    return (double)resident * (double)sysconf(_SC_PAGESIZE) + sum_children(process, memory_of);
}

uint64_t clopt_memory_of(pid_t process)
{
    return (uint64_t)memory_of(process);
}

uint64_t clopt_memory_free(void)
{
    CLOPT_CLOSED FILE *stream = fopen("/proc/meminfo", "re");
    unsigned long long kib = 0;
    char line[128];
    while (stream && fgets(line, sizeof line, stream))
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            break;
    return kib << 10;
}

static double end_tree(pid_t process)
{
    sum_children(process, end_tree);
    kill(process, SIGKILL);
    return 0;
}

void clopt_child_end_all(pid_t process)
{
    sum_children(process, end_tree);
}

double clopt_processor_time_of(pid_t process)
{
    char line[1024];
    CLOPT_CLOSED FILE *stream = open_about("/proc/%ld/stat", process);
    if (!stream)
        return 0;
    size_t length = fread(line, 1, sizeof line - 1, stream);
    line[length] = '\0';
    const char *name = strrchr(line, ')'); /* it may hold anything */
    unsigned long long ticks[4] = {0};
    if (!name || sscanf(name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                        &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 4)
        return 0;
    return (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK) +
           sum_children(process, clopt_processor_time_of);
}

/* Returns how long threads waited for a processor that others used, in seconds. */
static double waited_time_of(pid_t process)
{
    char path[64];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *tasks = opendir(path);
    const struct dirent *task;
    while (tasks && (task = readdir(tasks))) {
        unsigned long long waited_ns;
        char format[64];
        snprintf(format, sizeof format, "/proc/%%ld/task/%.16s/schedstat", task->d_name);
        CLOPT_CLOSED FILE *stream = task->d_name[0] == '.' ? NULL : open_about(format, process);
        if (stream && fscanf(stream, "%*u %llu", &waited_ns) == 1)
            sum += (double)waited_ns * 1e-9;
    }
    if (tasks)
        closedir(tasks);
    return sum + sum_children(process, waited_time_of);
}

double clopt_lost_time(struct clopt_process_use *last, pid_t process)
{
    struct clopt_process_use now = {clopt_now_ns(), clopt_processor_time_of(process),
                                    waited_time_of(process)};
    double wall_s = (double)(now.read_ns - last->read_ns) * 1e-9;
    double waited_s = fmax(now.waited_s - last->waited_s, 0); /* threads may have ended */
    double busy_s = fmax(now.ran_s - last->ran_s, 0) + waited_s;
    bool first = last->read_ns == 0;
    *last = now;
    return first ? 0 : fmin(waited_s * wall_s / fmax(busy_s, wall_s), CLOPT_MOST_LOST * wall_s);
}

uint64_t clopt_memory_limit(uint64_t bytes)
{
    if (bytes)
        return bytes;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 10 * 9;
}

/* Says that a child was lost: what it was about, how it ended, and what to do. */
static enum clopt_status fail_lost(const struct child *child, enum clopt_status status,
                                   const char *how, const char *advice, struct clopt_error *error)
{
    const char *what = child->shared->error.message;
    return clopt_fail(error, status, "%.1024s%s%s%s%s", what, *what ? ": " : "", how,
                      advice ? "; " : "", advice ? advice : "");
}

static bool parses(const struct child *child)
{
    return child->limits->advice && strcmp(child->limits->advice, CLOPT_PARSING_ADVICE) == 0;
}

static enum clopt_status fail_late(const struct child *child, struct clopt_error *error)
{
    const struct shared *shared = child->shared;
    char how[80 + sizeof shared->key];
    snprintf(how, sizeof how, "took longer than %g s%s%s%s", shared->seconds,
             *shared->key ? " (" : "", shared->key, *shared->key ? ")" : "");
    return fail_lost(child, CLOPT_TIMED_OUT, how, child->limits->advice, error);
}

/* Tells whether a child oversteps a limit: CLOPT_OK where it does not. */
static enum clopt_status check_limits(struct child *child, struct clopt_error *error)
{
    const struct clopt_child_limits *limits = child->limits;
    char how[128];
    const char *key = limits->memory_key ? limits->memory_key : "";
    if (limits->memory_bytes && clopt_memory_of(child->pid) > limits->memory_bytes) {
        snprintf(how, sizeof how, "took more than %.2f GiB of memory%s%s%s",
                 (double)limits->memory_bytes / 0x1p30, *key ? " (" : "", key, *key ? ")" : "");
        return fail_lost(child, CLOPT_OUT_OF_RESOURCES, how, limits->advice, error);
    }
    if (limits->stop && *limits->stop)
        return fail_lost(child, CLOPT_INTERRUPTED, "interrupted", NULL, error);
    int64_t late_ns = child->shared->late_ns;
    double lost_s = clopt_lost_time(&child->use, child->pid);
    child->lost_s = late_ns == child->late_ns ? child->lost_s + lost_s : 0;
    child->late_ns = late_ns;
    if (!late_ns || clopt_now_ns() < late_ns + (int64_t)(child->lost_s * 1e9))
        return CLOPT_OK;
    return fail_late(child, error);
}

/* Whether the child has ended. */
static bool has_ended(struct child *child)
{
    pid_t ended = waitpid(child->pid, &child->wait_status, WNOHANG);
    return ended == child->pid || (ended < 0 && errno != EINTR);
}

/* Waits for the child's end, or ends it where it oversteps a limit. */
static enum clopt_status watch(struct child *child, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct pollfd end = {.fd = child->file, .events = POLLIN};
    while (!has_ended(child)) {
        /* One that has hung up may go on for long all the same. */
        if (poll(&end, 1, end.fd < 0 ? 1 : PERIOD_MS) > 0)
            end.fd = -1;
        if (status || (status = check_limits(child, error)))
            clopt_child_end_all(child->pid);
        kill(child->pid, SIGCONT); /* it may have been stopped before it could hang up */
    }
    return status;
}

/* Whether what reads the output of this process has had enough. */
static bool has_no_reader(void)
{
    struct pollfd outputs[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    return poll(outputs, 2, 0) > 0 && ((outputs[0].revents | outputs[1].revents) & POLLERR);
}

/* Says how a child has ended that was not done. Not each crash is a source's fault. */
static enum clopt_status explain(const struct child *child, struct clopt_error *error)
{
    char how[256 + CLOPT_SMALL_LIMIT_MAX];
    int number = WIFSIGNALED(child->wait_status) ? WTERMSIG(child->wait_status) : 0;
    if (number == SIGPIPE && has_no_reader()) { /* not of a pipe that a kernel wrote to */
        signal(number, SIG_DFL);
        raise(number);
    }
    if (number)
        snprintf(how, sizeof how, "killed by signal %d (%s)%s", number, strsignal(number),
                 number == SIGKILL ? ", probably because memory ran out" : "");
    else
        snprintf(how, sizeof how, "called exit(%d)", WEXITSTATUS(child->wait_status));
    bool memory = !number && WEXITSTATUS(child->wait_status) == CLOPT_EXIT_MEMORY;
    if (memory)
        snprintf(how, sizeof how, "ran out of memory");
    clopt_small_limit(how + strlen(how));
    return fail_lost(child, memory ? CLOPT_OUT_OF_RESOURCES : CLOPT_CRASHED, how,
                     !memory && number != SIGKILL && parses(child) ? NULL : child->limits->advice,
                     error);
}

/* Ends as a child of this process has ended, once all are gone that it left behind. */
static void end_as(int wait_status)
{
    const struct rlimit none = {0};
    pid_t own = getpid(), ended;
    do {
        clopt_child_end_all(own);
        ended = waitpid(-1, NULL, 0);
    } while (ended > 0 || errno == EINTR);
    if (WIFSIGNALED(wait_status)) {
        setrlimit(RLIMIT_CORE, &none); /* the child has left one, if it may */
        signal(WTERMSIG(wait_status), SIG_DFL);
        raise(WTERMSIG(wait_status));
    }
    _exit(WEXITSTATUS(wait_status));
}

void clopt_child_shield(void)
{
    pid_t own = getpid(), child, ended;
    int wait_status = 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what the child leaves behind is this process's */
    child = fork();
    if (child == 0) {
        clopt_child_attach(own);
        return;
    }
    if (child < 0)
        _exit(1);
    close_range(0, ~0U, 0); /* who reads from the child sees when it hangs up */
    do
        ended = waitpid(-1, &wait_status, 0);
    while (ended != child && (ended > 0 || errno == EINTR));
    end_as(wait_status);
}

/* Is the child, to its end. */
static _Noreturn void become_child(struct shared *shared, pid_t parent,
                                   enum clopt_status (*work)(void *user, struct clopt_error *error),
                                   void *user)
{
    clopt_child_attach(parent);
    clopt_child_shield();
    shared->status = work(user, &shared->error);
    if ((fflush(stdout) != 0 || ferror(stdout)) && !shared->status)
        shared->status = clopt_fail(&shared->error, CLOPT_FAILED,
                                    "standard output cannot be written: %s", strerror(errno));
    shared->done = true;
    _exit(0);
}

/* Takes over what the child has left. */
static enum clopt_status finish(struct child *child, struct clopt_error *error)
{
    struct shared *shared = child->shared;
    CLOPT_TRY(watch(child, error));
    shared->error.message[sizeof shared->error.message - 1] = '\0';
    if (!shared->done)
        return explain(child, error);
    return shared->status ? clopt_fail(error, shared->status, "%s", shared->error.message)
                          : CLOPT_OK;
}

enum clopt_status clopt_child_run(const struct clopt_child_limits *limits,
                                  enum clopt_status (*work)(void *user, struct clopt_error *error),
                                  void *user, struct clopt_error *error)
{
    int ends[2] = {-1, -1};
    pid_t parent = getpid();
    struct child child = {.limits = limits};
    child.shared =
        mmap(NULL, sizeof *child.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (child.shared == MAP_FAILED)
        return clopt_fail_memory(error);
    set_limit(child.shared, limits->seconds, limits->seconds_key);
    fflush(stdout);
    child.pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (child.pid == 0)
        become_child(child.shared, parent, work, user);
    int cause = errno;
    if (ends[1] >= 0)
        close(ends[1]);
    child.file = ends[0];
    char small[CLOPT_SMALL_LIMIT_MAX];
    clopt_small_limit(small);
    enum clopt_status status =
        child.pid > 0
            ? finish(&child, error)
            : clopt_fail(error, CLOPT_FAILED, "no child process: %s%s", strerror(cause), small);
    if (ends[0] >= 0)
        close(ends[0]);
    bool done = child.shared->done;
    munmap(child.shared, sizeof *child.shared);
    if (!done) /* it was ended with all that it had, also with what removes its folders */
        clopt_temporary_sweep();
    return status;
}
