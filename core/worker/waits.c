/* SPDX-License-Identifier: BSD-3-Clause */
/* How long threads wait for a processor, as the scheduler of Linux tells. */
#include "worker/waits.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <clopt/memory.h>

#include "process/clock.h"

#define TASKS  "/proc/self/task"
#define NEARLY 0.9

struct thread {
    int file;
    struct clopt_thread_time began;
};

struct clopt_waits {
    struct thread *threads;
    size_t count;
    struct clopt_thread_time *times; /* as many */
    int64_t began_ns;
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
static void add_thread(struct clopt_waits *waits, const char *number)
{
    char path[sizeof TASKS + 32];
    snprintf(path, sizeof path, TASKS "/%.16s/schedstat", number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct thread *thread = clopt_array_add(&waits->threads, &waits->count, sizeof *thread);
    thread->file = file;
}

struct clopt_waits *clopt_waits_open(void)
{
    DIR *tasks = opendir(TASKS);
    const struct dirent *entry;
    if (!tasks)
        return NULL;
    struct clopt_waits *waits = clopt_calloc(1, sizeof *waits);
    while ((entry = readdir(tasks)))
        if (entry->d_name[0] != '.')
            add_thread(waits, entry->d_name);
    closedir(tasks);
    waits->times = clopt_calloc(waits->count, sizeof *waits->times);
    if (waits->count)
        return waits;
    clopt_waits_close(waits);
    return NULL;
}

void clopt_waits_close(struct clopt_waits *waits)
{
    if (!waits)
        return;
    for (size_t i = 0; i < waits->count; i++)
        close(waits->threads[i].file);
    free(waits->threads);
    free(waits->times);
    free(waits);
}

void clopt_waits_begin(struct clopt_waits *waits)
{
    for (size_t i = 0; waits && i < waits->count; i++)
        waits->threads[i].began = read_time(&waits->threads[i]);
    if (waits)
        waits->began_ns = clopt_now_ns();
}

double clopt_waits_end(struct clopt_waits *waits)
{
    if (!waits)
        return 0;
    for (size_t i = 0; i < waits->count; i++) {
        const struct thread *thread = &waits->threads[i];
        struct clopt_thread_time now = read_time(thread);
        waits->times[i] = (struct clopt_thread_time){now.ran_ns - thread->began.ran_ns,
                                                     now.waited_ns - thread->began.waited_ns};
    }
    return clopt_waits_share(waits->times, waits->count,
                             (double)(clopt_now_ns() - waits->began_ns));
}
