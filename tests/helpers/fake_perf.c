/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded first, is the kernel's perf_event_open, as CLOPT_FAKE_PERF says. A number: all
 * events are refused with this errno. "quarter": each launch counts 1000 times an event's number
 * and one in the first thread, in a quarter of the time; others are idle, and those of caches do
 * not exist. "idle": nothing is ever counted. "clock": instructions are the nanoseconds that
 * threads have run, which the real kernel counts; there is nothing else. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED   __attribute__((visibility("default")))
#define MOST_FILES 1024
#define LAUNCH_NS  4000

static struct {
    bool open;
    uint64_t a_launch;
    uint64_t values[3]; /* value, time enabled, time running */
} counters[MOST_FILES]; /* by the number of their file */

static bool is_to_be(const char *what)
{
    const char *wanted = getenv("CLOPT_FAKE_PERF");
    return wanted && strcmp(wanted, what) == 0;
}

static void find(const char *name, void *function, size_t size)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, size);
}

static long open_counter(struct perf_event_attr *event, long thread)
{
    int code = (int)strtol(getenv("CLOPT_FAKE_PERF"), NULL, 10);
    if (code || event->type != PERF_TYPE_HARDWARE || !event->disabled || !event->inherit) {
        errno = code ? code : ENOENT;
        return -1;
    }
    int file = open("/dev/null", O_RDONLY);
    if (file >= MOST_FILES || file < 0) {
        errno = EMFILE;
        return -1;
    }
    counters[file].open = true;
    counters[file].a_launch = thread == getpid() ? 1000 * (event->config + 1) : 0;
    return file;
}

EXPORTED long syscall(long number, ...)
{
    long a[6];
    long (*real)(long, ...);
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    find("syscall", &real, sizeof real);
    struct perf_event_attr *event = (struct perf_event_attr *)a[0];
    if (number == SYS_perf_event_open && is_to_be("clock")) {
        if (event->type != PERF_TYPE_HARDWARE || event->config != PERF_COUNT_HW_INSTRUCTIONS) {
            errno = ENOENT;
            return -1;
        }
        event->type = PERF_TYPE_SOFTWARE;
        event->config = PERF_COUNT_SW_TASK_CLOCK;
        event->exclude_kernel = 0;
        event->exclude_hv = 0;
    } else if (number == SYS_perf_event_open && getenv("CLOPT_FAKE_PERF"))
        return open_counter(event, a[1]);
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

EXPORTED int prctl(int option, ...)
{
    unsigned long a[4];
    int (*real)(int, ...);
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    find("prctl", &real, sizeof real);
    for (int file = 0; file < MOST_FILES && option == PR_TASK_PERF_EVENTS_DISABLE; file++)
        if (counters[file].a_launch) {
            counters[file].values[0] += counters[file].a_launch;
            counters[file].values[1] += LAUNCH_NS;
            counters[file].values[2] += is_to_be("idle") ? 0 : LAUNCH_NS / 4;
        }
    return real(option, a[0], a[1], a[2], a[3]);
}

EXPORTED ssize_t read(int file, void *data, size_t bytes)
{
    ssize_t (*real)(int, void *, size_t);
    find("read", &real, sizeof real);
    if (file < 0 || file >= MOST_FILES || !counters[file].open)
        return real(file, data, bytes);
    if (bytes != sizeof counters[file].values) {
        errno = EINVAL;
        return -1;
    }
    memcpy(data, counters[file].values, bytes);
    return (ssize_t)bytes;
}

EXPORTED int close(int file)
{
    int (*real)(int);
    find("close", &real, sizeof real);
    if (file >= 0 && file < MOST_FILES)
        memset(&counters[file], 0, sizeof counters[file]);
    return real(file);
}
