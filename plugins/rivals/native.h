/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a native program instead of an app's kernels, on the same inputs, for the same check.
 *
 * The program is a child of the worker, so that it is timed beside variants in each process, and
 * ends with the worker. It gets a folder, then every input of the app and the seed as NAME=VALUE.
 * The folder has in/BUFFER.npy for each buffer that has contents. For each line on its standard
 * input it solves the problem once and prints "clopt-time: SECONDS"; before it does so for the
 * first time, it writes out/BUFFER.npy for each buffer that holds a result. The end of the input is
 * its own. */
#pragma once

#include "trial/rival.h"
#include "worker/session.h"

struct clopt_native {
    char *folder;  /* with the program, in/ and out/ */
    char *command; /* that runs it */
    pid_t pid;     /* 0: it does not run */
    int orders;    /* its standard input */
    FILE *answers; /* its standard output */
};

/* Builds the program, or finds it built, and makes session->rival_state. */
enum clopt_status clopt_native_build(struct clopt_session *session);

static inline struct clopt_native *clopt_native_of(const struct clopt_session *session)
{
    return session->rival_state;
}

/* ---- sources ---- */

/* Appends the macros that the compiler defines by itself, as lines of #define: they tell its
 * version, its flags, and the machine that it compiles for. */
enum clopt_status clopt_native_macros(const json_t *rival, struct clopt_text *macros,
                                      struct clopt_error *error);

/* Appends what compiles it, up to its own files: compiler, flags, the folder of rival.h. */
enum clopt_status clopt_native_append_compiler(const json_t *rival, const char *kernel_path,
                                               struct clopt_text *line, struct clopt_error *error);

/* Keeps the lines of its sources that are compiled, by the compiler's preprocessor: without empty
 * ones, and without #pragma omp where OpenMP is off: for the caller to free, and
 * empty where the compiler does not print them. */
enum clopt_status clopt_native_lines(const json_t *rival, const char *kernel_path, char **lines,
                                     struct clopt_error *error);

/* Checks that its sources are there, and that its compiler is and takes the flags. */
enum clopt_status clopt_native_check(const json_t *rival, const char *kernel_path,
                                     struct clopt_error *error);

/* ---- files ---- */

/* Writes what the buffers start from. */
enum clopt_status clopt_native_write_inputs(const struct clopt_buffers *buffers, const char *folder,
                                            struct clopt_error *error);

/* Reads a result into memory that the caller frees; NULL: there is no such file. */
enum clopt_status clopt_native_read_result(const char *folder, const char *name, size_t bytes,
                                           void **data, struct clopt_error *error);
