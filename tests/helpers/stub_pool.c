/* SPDX-License-Identifier: BSD-3-Clause */
/* A pool of workers without a device, for tests and bench/scale: it speaks the protocol of
 * plugins/launchers/stream.h and answers after the times of a recorded space.
 *
 * Usage: stub_pool SPACE SPEED ..., where SPACE has a line "VALUES TIME COMPILE" (ms) for each
 * variant after an empty one, with the values of the study's parameters and commas between them.
 * Waiting takes 1 / SPEED of the time; SPEED 0: none. Its device is of the type STUB_TYPE in the
 * environment, by default gpu. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clopt/plugin.h>
#include <config.h>
#include <jansson.h>

#define MAGIC        "\nclopt worker pool\n"
#define HEAD         9
#define MOST_WORKERS 64
#define MOST_IDS     128

/* A variant that a worker has made. */
struct made {
    double time_ms, compile_ms;
    char values[64];
};

struct worker {
    uint32_t channel; /* 0: none */
    double due_s;     /* when the answer is sent */
    char *answer;     /* NULL: there is none */
    struct made made[MOST_IDS];
};

static const char *space;
static double speed = 1;
static struct worker workers[MOST_WORKERS];
static unsigned noise = 1;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- writing ---- */

static void write_all(const char *data, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(1, data, size);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            exit(0);
        data += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
}

static void put_number(char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(number >> (24 - 8 * i));
}

/* Sends a frame, of a message where `message`. */
static void put(char kind, uint32_t channel, const char *text, int message)
{
    size_t length = strlen(text), before = HEAD + (message ? 4 : 0);
    char *frame = malloc(before + length);
    put_number(frame, (uint32_t)(length + before - HEAD));
    put_number(frame + 4, channel);
    frame[8] = kind;
    if (message)
        put_number(frame + HEAD, (uint32_t)length);
    memcpy(frame + before, text, length);
    write_all(frame, before + length);
    free(frame);
}

/* ---- answers ---- */

static const char device[] =
    "{\"platform\":\"Stub\",\"name\":\"stub\",\"vendor\":\"none\",\"type\":\"gpu\","
    "\"opencl_version\":\"OpenCL 1.2\",\"driver_version\":\"1\",\"platform_version\":\"1\","
    "\"extensions\":\"\",\"opencl_c_features\":\"\",\"available\":true,\"compiler_available\":true,\"compute_units\":8,"
    "\"clock_mhz\":1000,\"max_work_group_size\":1024,\"max_work_item_sizes\":[1024,1024,64],"
    "\"local_memory_bytes\":49152,\"global_memory_bytes\":8589934592,"
    "\"max_allocation_bytes\":4294967296,\"max_constant_bytes\":65536,"
    "\"preferred_vector_width_float\":1,\"preferred_vector_width_double\":1,"
    "\"preferred_vector_width_int\":1,\"native_vector_width_float\":1,"
    "\"native_vector_width_double\":1,\"native_vector_width_int\":1,"
    "\"base_address_alignment_bits\":4096,\"timer_resolution_ns\":1000}";

static json_t *describe_device(void)
{
    json_t *described = json_loads(device, 0, NULL);
    const char *type = getenv("STUB_TYPE");
    if (type)
        json_object_set_new(described, "type", json_string(type));
    return described;
}

/* Finds the values of a trial in the space; its time is 0 where they are not there. */
static struct made find(const json_t *trial)
{
    struct made made = {0, 0, ""};
    char line[80];
    size_t i;
    json_t *parameter;
    json_array_foreach(json_object_get(trial, "parameters"), i, parameter)
    {
        size_t length = strlen(made.values);
        snprintf(made.values + length, sizeof made.values - length, "%s%s", i ? "," : "",
                 json_string_value(json_object_get(parameter, "value")));
    }
    snprintf(line, sizeof line, "\n%s ", made.values);
    const char *found = strstr(space, line);
    if (found)
        sscanf(found + strlen(line), "%lf %lf", &made.time_ms, &made.compile_ms);
    return made;
}

static double jitter(void)
{
    noise = noise * 1103515245 + 12345;
    return 1 + 0.01 * ((double)(noise >> 16 & 255) / 255 - 0.5);
}

/* Answers a request of a trial; `*seconds`: what that takes. */
static json_t *serve_trial(struct worker *worker, const json_t *request, double *seconds)
{
    const char *from = json_string_value(json_object_get(request, "from"));
    const char *until = json_string_value(json_object_get(request, "until"));
    const json_t *trial = json_object_get(request, "trial");
    struct made *made =
        &worker->made[json_integer_value(json_object_get(request, "id")) % MOST_IDS];
    json_t *answer = json_object();
    int samples = strcmp(until, "sample") == 0;
    if (trial)
        *made = find(trial);
    if (made->time_ms <= 0) {
        json_object_set_new(answer, "status", json_integer(CLOPT_INFEASIBLE));
        json_object_set_new(answer, "message", json_string("not in the recorded space"));
        return answer;
    }
    if (strcmp(from, "make") == 0 && !json_object_get(request, "variant")) {
        json_object_set_new(
            answer, "kernels",
            json_pack("[s,s]", json_string_value(json_object_get(trial, "kernel")), ""));
        json_object_set_new(answer, "source", json_string("stub"));
        json_object_set_new(answer, "variant",
                            json_pack("{s:s,s:s,s:i,s:{}}", "options", "", "fingerprint",
                                      made->values, "lines_changed", 1, "changes"));
    }
    if (strcmp(until, "make") != 0 && !samples && strcmp(from, "verify") != 0) {
        int built = json_object_get(request, "variant") != NULL;
        *seconds += built ? 0 : 1e-3 * made->compile_ms;
        json_object_update_new(answer,
                               json_pack("{s:I,s:b,s:b,s:i,s:b}", "build_ns",
                                         (json_int_t)(1e6 * made->compile_ms), "cached", built,
                                         "launched", 1, "deferred_ns", 0, "built", 1));
    }
    if (strcmp(until, "verify") == 0)
        json_object_update_new(answer,
                               json_pack("{s:b,s:f,s:f,s:s,s:s}", "verified", 1, "error", 0.0,
                                         "bound", 0.0, "text", "stub", "digest", "stub"));
    if (samples) {
        json_t *rows = json_array();
        json_int_t count = json_integer_value(json_object_get(request, "count"));
        for (json_int_t i = 0; i < count; i++) {
            double time_ns = 1e6 * made->time_ms * jitter();
            json_array_append_new(rows, json_pack("[f,f]", time_ns, time_ns));
            *seconds += 1e-9 * time_ns;
        }
        json_object_set_new(answer, "times_ns", rows);
    }
    return answer;
}

static void serve(struct worker *worker, const char *data, size_t length)
{
    const char *end = length > 4 ? memchr(data + 4, '\0', length - 4) : NULL;
    json_t *request = json_loadb(data + 4, end ? (size_t)(end - data - 4) : length - 4, 0, NULL);
    const char *op = json_string_value(json_object_get(request, "op"));
    json_t *answer = NULL;
    double seconds = 0;
    if (op && strcmp(op, "list") == 0)
        answer = json_pack("{s:[o]}", "devices", describe_device());
    else if (op && strcmp(op, "open") == 0)
        answer = json_pack("{s:o}", "device", describe_device());
    else
        answer = serve_trial(worker, request, &seconds);
    json_object_set_new(answer, "seconds", json_pack("{s:f}", "sample", seconds));
    worker->answer = json_dumps(answer, JSON_COMPACT);
    worker->due_s = speed > 0 ? now_s() + seconds / speed : 0;
    json_decref(answer);
    json_decref(request);
}

/* ---- frames ---- */

static struct worker *find_worker(uint32_t channel)
{
    for (size_t i = 0; i < MOST_WORKERS; i++)
        if (workers[i].channel == channel)
            return &workers[i];
    return NULL;
}

static void take(char kind, uint32_t channel, const char *data, size_t length)
{
    struct worker *worker = find_worker(kind == 's' ? 0 : channel);
    if (!worker) /* it has ended */
        return;
    switch (kind) {
    case 'v': /* files do not matter here */
        put('w', 0, "{\"files\":[]}", 0);
        break;
    case 's':
        *worker = (struct worker){.channel = channel};
        break;
    case 'q':
        serve(worker, data, length);
        break;
    case 'k':
        free(worker->answer);
        *worker = (struct worker){.channel = 0};
        put('X', channel, "{\"status\":9}", 0);
        break;
    default:
        break;
    }
}

/* Sends what is due; returns the ms until the next is, at most a second. */
static int send_due(void)
{
    double now = now_s(), next = now + 1;
    for (size_t i = 0; i < MOST_WORKERS; i++) {
        struct worker *worker = &workers[i];
        if (worker->answer && worker->due_s <= now) {
            put('A', worker->channel, worker->answer, 1);
            free(worker->answer);
            worker->answer = NULL;
        } else if (worker->answer && worker->due_s < next) {
            next = worker->due_s;
        }
    }
    return (int)(1e3 * (next - now)) + (next < now + 1);
}

static uint32_t get_number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void map_space(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &about) != 0) {
        perror(path);
        exit(1);
    }
    space = mmap(NULL, (size_t)about.st_size + 1, PROT_READ, MAP_PRIVATE, file, 0);
    if (space == MAP_FAILED)
        exit(1);
}

int main(int argc, char **argv)
{
    static char bytes[1 << 20];
    char identity[256];
    size_t have = 0;
    double told_s = 0;
    char *rest;
    if (argc < 3)
        return 2;
    map_space(argv[1]);
    speed = strtod(argv[2], &rest);
    if (rest == argv[2] || *rest || speed < 0)
        return 2;
    noise = (unsigned)getpid();
    write_all(MAGIC, strlen(MAGIC));
    snprintf(identity, sizeof identity,
             "{\"version\":\"%s\",\"abi\":%u,\"processors\":4,\"memory\":8589934592}",
             PACKAGE_VERSION, CLOPT_ABI);
    put('i', 0, identity, 0);
    for (;;) {
        struct pollfd input = {0, POLLIN, 0};
        poll(&input, 1, send_due());
        if (now_s() - told_s > 1) {
            put('a', 0, "", 0);
            told_s = now_s();
        }
        if (!input.revents)
            continue;
        ssize_t got = read(0, bytes + have, sizeof bytes - have);
        if (got <= 0 && errno != EINTR)
            return 0;
        have += (size_t)got;
        size_t at = 0;
        while (have - at >= HEAD) {
            if (bytes[at] == '\n') { /* between frames, of which none here is so long */
                at++;
                continue;
            }
            uint32_t length = get_number((unsigned char *)bytes + at);
            if (have - at - HEAD < length)
                break;
            take(bytes[at + 8], get_number((unsigned char *)bytes + at + 4), bytes + at + HEAD,
                 length);
            at += HEAD + length;
        }
        memmove(bytes, bytes + at, have - at);
        have -= at;
    }
}
