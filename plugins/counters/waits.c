/* SPDX-License-Identifier: BSD-3-Clause */
/* How long threads wait for a processor, as the scheduler of Linux tells. */
#include "counters/waits.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include <clopt/memory.h>

#include "counters/counters.h"
#include "process/clock.h"

#define TASKS  "/proc/self/task"
#define NEARLY 0.9

struct thread {
    int file;
    struct clopt_thread_time began;
};

struct waits {
    struct thread *threads; /* that the process has as it is opened */
    size_t count;
    struct clopt_thread_time *times; /* as many */
    int64_t began_ns;
    double share;
};

double clopt_waits_share(const struct clopt_thread_time *threads, size_t count, double wall_ns)
{
    double longest = 0, waited = 0, busiest = 0;
    for (size_t i = 0; i < count; i++) {
        double busy = (double)(threads[i].ran_ns + threads[i].waited_ns);
        longest = busy > longest ? busy : longest;
    }
    for (size_t i = 0; i < count; i++) {
        double busy = (double)(threads[i].ran_ns + threads[i].waited_ns);
        if (busy < NEARLY * longest)
            continue;
        waited += (double)threads[i].waited_ns;
        busiest++;
    }
    return waited > 0 ? fmin(waited / (busiest * wall_ns), 1) : 0;
}

/* Reads what a thread has done so far; one that has ended does nothing more. */
static struct clopt_thread_time read_time(const struct thread *thread)
{
    struct clopt_thread_time time = thread->began;
    char text[64];
    ssize_t length = pread(thread->file, text, sizeof text - 1, 0);
    if (length <= 0)
        return time;
    text[length] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64, &time.ran_ns, &time.waited_ns) != 2)
        return thread->began;
    return time;
}

/* Adds a thread by its number. */
static void add_thread(struct waits *waits, const char *number)
{
    char path[sizeof TASKS + 32];
    snprintf(path, sizeof path, TASKS "/%.16s/schedstat", number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct thread *thread = clopt_array_add(&waits->threads, &waits->count, sizeof *thread);
    thread->file = file;
}

static void end_watching(void *state)
{
    struct waits *waits = state;
    for (size_t i = 0; i < waits->count; i++)
        close(waits->threads[i].file);
    free(waits->threads);
    free(waits->times);
    free(waits);
}

static enum clopt_status watch(const struct clopt_context *context, unsigned kernels, void **state,
                               struct clopt_error *error)
{
    DIR *tasks = opendir(TASKS);
    const struct dirent *entry;
    struct waits *waits = clopt_calloc(1, sizeof *waits);
    (void)context, (void)kernels;
    while (tasks && (entry = readdir(tasks)))
        if (entry->d_name[0] != '.')
            add_thread(waits, entry->d_name);
    if (tasks)
        closedir(tasks);
    waits->times = clopt_calloc(waits->count + 1, sizeof *waits->times);
    *state = waits;
    if (waits->count)
        return CLOPT_OK;
    end_watching(waits);
    return clopt_fail(error, CLOPT_INFEASIBLE, "this system does not tell it");
}

static enum clopt_status begin(void *state, struct clopt_error *error)
{
    struct waits *waits = state;
    (void)error;
    for (size_t i = 0; i < waits->count; i++)
        waits->threads[i].began = read_time(&waits->threads[i]);
    waits->began_ns = clopt_now_ns();
    return CLOPT_OK;
}

static enum clopt_status end(void *state, unsigned kernel, struct clopt_error *error)
{
    struct waits *waits = state;
    (void)kernel, (void)error;
    for (size_t i = 0; i < waits->count; i++) {
        const struct thread *thread = &waits->threads[i];
        struct clopt_thread_time now = read_time(thread);
        waits->times[i] = (struct clopt_thread_time){now.ran_ns - thread->began.ran_ns,
                                                     now.waited_ns - thread->began.waited_ns};
    }
    waits->share =
        clopt_waits_share(waits->times, waits->count, (double)(clopt_now_ns() - waits->began_ns));
    return CLOPT_OK;
}

static bool get(const void *state, unsigned kernel, unsigned number, struct clopt_reading *count)
{
    const struct waits *waits = state;
    (void)kernel;
    *count = (struct clopt_reading){"waited", "", "scheduler", waits->share};
    return number == 0;
}

const struct clopt_counter clopt_counter_waits = {.use = CLOPT_COUNTS_WAITS,
                                                  .open = watch,
                                                  .begin = begin,
                                                  .end = end,
                                                  .get = get,
                                                  .close = end_watching};
