/* SPDX-License-Identifier: BSD-3-Clause */
/* What a native program needs to be measured beside clopt's variants, [rival LABEL] in a study.
 *
 *     #include <rival.h>
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct rival rival = rival_begin(argc, argv);
 *         size_t bytes;
 *         const float *x = rival_input(&rival, "x", &bytes);
 *         float *y = rival_result(&rival, "y", bytes);
 *         while (rival_next(&rival)) {
 *             rival_start(&rival);
 *             for (size_t i = 0; i < bytes / sizeof *x; i++)
 *                 y[i] = 2 * x[i];
 *             rival_stop(&rival);
 *         }
 *         return 0;
 *     }
 *
 * Names are those of the app's buffers; a result must be written in each round. What is done before
 * rival_start(), such as making a copy of what is worked on in place, takes no time. Errors end the
 * program with a message. */
#ifndef RIVAL_H
#define RIVAL_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime(), in C11 mode; include this file first */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RIVAL_MOST_RESULTS 8

struct rival {
    char **arguments; /* a folder, then NAME=VALUE of each input, and the seed */
    const char *names[RIVAL_MOST_RESULTS];
    void *results[RIVAL_MOST_RESULTS];
    size_t bytes[RIVAL_MOST_RESULTS];
    size_t count;  /* of results */
    size_t rounds; /* that have begun */
    struct timespec began;
    double seconds; /* of the last round; 0: it was not timed */
};

static inline void rival_fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

static inline struct rival rival_begin(int argc, char **argv)
{
    struct rival rival = {argv + 1, {0}, {0}, {0}, 0, 0, {0, 0}, 0};
    if (argc < 2)
        rival_fail("give it a folder, and NAME=VALUE; see clopt-study(5), [rival LABEL]", argv[0]);
    return rival;
}

/* Returns an input of the app, as text; NULL: it has no value. */
static inline const char *rival_text(const struct rival *rival, const char *name)
{
    size_t length = strlen(name);
    for (char **at = rival->arguments + 1; *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

static inline long rival_integer(const struct rival *rival, const char *name, long otherwise)
{
    const char *text = rival_text(rival, name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static inline double rival_real(const struct rival *rival, const char *name, double otherwise)
{
    const char *text = rival_text(rival, name);
    return text ? strtod(text, NULL) : otherwise;
}

/* Returns memory for a vector of any width. */
static inline void *rival_memory(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes + 64) != 0)
        rival_fail("no memory", "rival");
    return memset(memory, 0, bytes + 64);
}

static inline FILE *rival_file(const struct rival *rival, const char *part, const char *name,
                               const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s.npy", rival->arguments[0], part, name);
    FILE *file = fopen(path, mode);
    if (!file)
        rival_fail("cannot be opened", path);
    return file;
}

/* Reads what a buffer starts from; `bytes` may be NULL. */
static inline void *rival_input(const struct rival *rival, const char *name, size_t *bytes)
{
    unsigned char head[10];
    FILE *file = rival_file(rival, "in", name, "rb");
    if (fread(head, sizeof head, 1, file) != 1 || fseek(file, 0, SEEK_END) != 0)
        rival_fail("cannot be read", name);
    long from = 10 + head[8] + 256L * head[9]; /* the header of a .npy file, version 1.0 */
    size_t size = (size_t)(ftell(file) - from);
    void *data = rival_memory(size);
    if (fseek(file, from, SEEK_SET) != 0 || (size && fread(data, size, 1, file) != 1))
        rival_fail("cannot be read", name);
    fclose(file);
    if (bytes)
        *bytes = size;
    return data;
}

/* Returns memory for what a buffer must hold in the end. */
static inline void *rival_result(struct rival *rival, const char *name, size_t bytes)
{
    if (rival->count == RIVAL_MOST_RESULTS)
        rival_fail("too many results", name);
    rival->names[rival->count] = name;
    rival->bytes[rival->count] = bytes;
    rival->results[rival->count] = rival_memory(bytes);
    return rival->results[rival->count++];
}

/* Writes a .npy file of bytes. */
static inline void rival_write(const struct rival *rival, size_t number)
{
    size_t bytes = rival->bytes[number];
    FILE *file = rival_file(rival, "out", rival->names[number], "wb");
    char text[128];
    snprintf(text, sizeof text, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }",
             bytes);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 10, 1, file);
    fprintf(file, "%-117s\n", text);
    fwrite(rival->results[number], bytes, 1, file);
    if (fclose(file) != 0)
        rival_fail("cannot be written", rival->names[number]);
}

/* Tells the time of the round before, with its results where it was the first, and waits for what
 * comes next: false is the end. */
static inline int rival_next(struct rival *rival)
{
    for (size_t i = 0; rival->rounds == 1 && i < rival->count; i++)
        rival_write(rival, i);
    if (rival->rounds) {
        printf("clopt-time: %.9g\n", rival->seconds);
        fflush(stdout);
    }
    rival->rounds++;
    rival->seconds = 0;
    int order;
    while ((order = getchar()) != '\n')
        if (order == EOF)
            return 0;
    return 1;
}

static inline void rival_start(struct rival *rival)
{
    clock_gettime(CLOCK_MONOTONIC, &rival->began);
}

/* Adds the time since rival_start() to that of the round. */
static inline void rival_stop(struct rival *rival)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    rival->seconds += (double)(now.tv_sec - rival->began.tv_sec) +
                      1e-9 * (double)(now.tv_nsec - rival->began.tv_nsec);
}

#endif
