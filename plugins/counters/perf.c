/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what the threads of this process do on the processor: by its hardware counters
 * (perf_event_open) where they can be read, and by what the system accounts for in any case. */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <clopt/file.h>

#include "counters/counters.h"
#include "process/clock.h"

#define EVENTS 10 /* that processors count */
#define COUNTS (EVENTS + 3)

#define THREADS  "/proc/self/task"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

#define CACHE(level, result)                                                                       \
    (PERF_COUNT_HW_CACHE_##level | PERF_COUNT_HW_CACHE_OP_READ << 8 |                              \
     PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} events[EVENTS] = {
    {"cpu_instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cpu_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu_branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"l1d_loads", PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS)},
    {"l1d_load_misses", PERF_TYPE_HW_CACHE, CACHE(L1D, MISS)},
    {"llc_loads", PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS)},
    {"llc_load_misses", PERF_TYPE_HW_CACHE, CACHE(LL, MISS)},
};

/* One event in one thread and those that it starts. */
struct opened {
    int file;
    unsigned event;
};

/* What was counted in all that has been added. Of an event also for how long it was to be counted,
 * and was: there may be more events than counters, which the kernel lends to each in its turn. */
struct amount {
    double value;
    double enabled_ns;
    double running_ns;
};

struct hardware {
    struct opened *opened;
    size_t opened_count;
    struct amount last[COUNTS];      /* as read before */
    char source[200];                /* of the system's counters */
    struct amount counted[][COUNTS]; /* of each kernel */
};

/* ---- opening ---- */

static int open_event(unsigned event, pid_t thread)
{
    struct perf_event_attr wanted = {
        .type = events[event].type,
        .size = sizeof wanted,
        .config = events[event].config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Adds an event of a thread; errno says why it cannot be counted. */
static bool add_event(struct hardware *hardware, unsigned event, pid_t thread)
{
    int file = open_event(event, thread);
    if (file < 0)
        return errno == ESRCH; /* the thread has ended meanwhile */
    struct opened *opened =
        clopt_array_add(&hardware->opened, &hardware->opened_count, sizeof *opened);
    *opened = (struct opened){file, event};
    return true;
}

static void close_events(struct hardware *hardware, size_t count)
{
    while (hardware->opened_count > count)
        close(hardware->opened[--hardware->opened_count].file);
}

/* Opens an event in all threads, or in none. Returns errno. */
static int open_everywhere(struct hardware *hardware, unsigned event)
{
    const struct dirent *entry;
    size_t before = hardware->opened_count;
    int failure = 0;
    DIR *threads = opendir(THREADS);
    if (!threads)
        return errno;
    while (!failure && (entry = readdir(threads))) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread > 0 && !add_event(hardware, event, thread))
            failure = errno;
    }
    closedir(threads);
    if (failure)
        close_events(hardware, before);
    return failure;
}

/* Lets this process have as many open files as it may: each event of each thread is one. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit); /* opening says what is missing */
}

/* Says why nothing of the hardware can be counted. */
static void explain(struct hardware *hardware, int failure)
{
    struct clopt_error none;
    CLOPT_CLOSED FILE *stream = NULL;
    char line[32] = "";
    bool read = !clopt_file_open(PARANOID, &stream, &none) && fgets(line, sizeof line, stream);
    int paranoid = read ? (int)strtol(line, NULL, 10) : 0;
    char why[160];
    if (failure == ENOENT || failure == ENODEV || failure == EOPNOTSUPP)
        snprintf(why, sizeof why, "the processor offers none here, as in most virtual machines");
    else if (failure == ENOSYS)
        snprintf(why, sizeof why, "this kernel has no perf_event_open");
    else if ((failure == EACCES || failure == EPERM) && paranoid > 2)
        snprintf(why, sizeof why, "not permitted: %s is %d, and has to be 2 at most", PARANOID,
                 paranoid);
    else if (failure == EACCES || failure == EPERM)
        snprintf(why, sizeof why, "not permitted, as in containers that filter perf_event_open");
    else if (failure == EMFILE)
        snprintf(why, sizeof why, "too many threads for the limit of open files (ulimit -n)");
    else
        snprintf(why, sizeof why, "perf_event_open: %s", strerror(failure));
    snprintf(hardware->source, sizeof hardware->source, "system (no hardware counters: %s)", why);
}

/* Opens what can be counted of all threads that there are, and of those that they start later. */
static enum clopt_status open_hardware(const struct clopt_context *context, unsigned kernels,
                                       void **state, struct clopt_error *error)
{
    if (!clopt_device_is_cpu(&context->info))
        return clopt_fail(error, CLOPT_INFEASIBLE, "it is no processor");
    struct hardware *opened = clopt_calloc(1, sizeof *opened + kernels * sizeof *opened->counted);
    int failure = 0;
    raise_limit();
    for (unsigned event = 0; event < EVENTS; event++) {
        int code = open_everywhere(opened, event);
        failure = failure ? failure : code;
    }
    snprintf(opened->source, sizeof opened->source, "system");
    if (!opened->opened_count)
        explain(opened, failure);
    *state = opened;
    return CLOPT_OK;
}

static void close_hardware(void *state)
{
    struct hardware *hardware = state;
    close_events(hardware, 0);
    free(hardware->opened);
    free(hardware);
}

/* ---- counting ---- */

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Reads the processor's counters: sums over the threads. */
static enum clopt_status read_events(const struct hardware *hardware, struct amount *counts,
                                     struct clopt_error *error)
{
    for (size_t i = 0; i < hardware->opened_count; i++) {
        uint64_t values[3]; /* value, time enabled, time running */
        const struct opened *opened = &hardware->opened[i];
        struct amount *count = &counts[opened->event];
        if (read(opened->file, values, sizeof values) != sizeof values)
            return clopt_fail(error, CLOPT_FAILED, "%s cannot be read: %s",
                              events[opened->event].name, strerror(errno));
        count->value += (double)values[0];
        count->enabled_ns += (double)values[1];
        count->running_ns += (double)values[2];
    }
    return CLOPT_OK;
}

/* Reads those of the system, which counts all the time. */
static enum clopt_status read_system(struct amount *counts, struct clopt_error *error)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return clopt_fail(error, CLOPT_FAILED, "getrusage: %s", strerror(errno));
    const double values[] = {1e9 * (seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)),
                             (double)(usage.ru_minflt + usage.ru_majflt),
                             (double)(usage.ru_nvcsw + usage.ru_nivcsw)};
    double now_ns = (double)clopt_now_ns();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        counts[EVENTS + i] = (struct amount){values[i], now_ns, now_ns};
    return CLOPT_OK;
}

/* Has all events that this thread opened count from now on, or no longer. */
static enum clopt_status set_counting(const struct hardware *hardware, int option,
                                      struct clopt_error *error)
{
    return hardware->opened_count && prctl(option) != 0
               ? clopt_fail(error, CLOPT_FAILED, "hardware counters: %s", strerror(errno))
               : CLOPT_OK;
}

static enum clopt_status begin(void *state, struct clopt_error *error)
{
    struct hardware *hardware = state;
    memset(hardware->last, 0, sizeof hardware->last);
    CLOPT_TRY(read_events(hardware, hardware->last, error));
    CLOPT_TRY(set_counting(hardware, PR_TASK_PERF_EVENTS_ENABLE, error));
    return read_system(hardware->last, error);
}

static enum clopt_status end(void *state, unsigned kernel, struct clopt_error *error)
{
    struct hardware *hardware = state;
    struct amount *counts = hardware->counted[kernel];
    struct amount now[COUNTS] = {{0, 0, 0}};
    CLOPT_TRY(read_system(now, error));
    CLOPT_TRY(set_counting(hardware, PR_TASK_PERF_EVENTS_DISABLE, error));
    CLOPT_TRY(read_events(hardware, now, error));
    for (unsigned i = 0; i < COUNTS; i++) {
        const struct amount *last = &hardware->last[i];
        counts[i].value += now[i].value - last->value;
        counts[i].enabled_ns += now[i].enabled_ns - last->enabled_ns;
        counts[i].running_ns += now[i].running_ns - last->running_ns;
    }
    return CLOPT_OK;
}

/* Tells an amount of all the time, as far as that can be told from a part of it. */
static bool get(const void *state, unsigned kernel, unsigned number, struct clopt_reading *count)
{
    static const char *const system[] = {"cpu_time", "page_faults", "context_switches"};
    const struct hardware *hardware = state;
    if (number >= COUNTS)
        return false;
    const struct amount *amount = &hardware->counted[kernel][number];
    bool event = number < EVENTS;
    *count = (struct clopt_reading){
        event ? events[number].name : system[number - EVENTS], number == EVENTS ? "ns" : "",
        event ? "processor" : hardware->source,
        amount->running_ns > 0 ? amount->value * (amount->enabled_ns / amount->running_ns) : NAN};
    return true;
}

const struct clopt_counter clopt_counter_perf = {.use = CLOPT_COUNTS_LAUNCHES,
                                                 .open = open_hardware,
                                                 .begin = begin,
                                                 .end = end,
                                                 .get = get,
                                                 .close = close_hardware};
