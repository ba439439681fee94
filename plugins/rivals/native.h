/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a native program instead of an app's kernels, on the same inputs, for the same check.
 *
 * The program is a child of the worker, so that it is timed beside variants in each process, and
 * ends with the worker. It gets a folder, then every input of the app and the seed as NAME=VALUE.
 * The folder has in/BUFFER.npy for each buffer that has contents. For each line on its standard
 * input it solves the problem once and prints "clopt-time: SECONDS"; before it does so for the
 * first time, it writes out/BUFFER.npy for each buffer that holds a result. The end of the input is
 * its own.
 *
 * A trial says of it, besides what it says of each rival,
 *
 *     {"command": shell text or nothing, "sources": [paths, "<names>" below the folders of
 * kernels], "compiler": shell text, "cflags": shell text, "libraries": [names], "package": what
 * Debian calls it} */
#pragma once

#include "study/schema.h"
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

/* ---- what a study says ---- */

extern const struct clopt_study_section clopt_section_rival;
extern const struct clopt_parameter clopt_native_parameters[];
enum clopt_status clopt_native_describe(const struct clopt_ini_section *section, const char *study,
                                        json_t *rival, struct clopt_error *error);

/* Finds source number `index`; the caller frees its path. */
enum clopt_status clopt_native_source(const json_t *rival, size_t index, const char *kernel_path,
                                      char **path, struct clopt_error *error);

/* Adds all that says what the program is, its sources by their contents; and makes a key of that.
 */
enum clopt_status clopt_native_hash(const json_t *rival, const char *kernel_path,
                                    struct clopt_file_hashes *known, struct clopt_sha256 *hash,
                                    struct clopt_error *error);
enum clopt_status clopt_native_key(const json_t *rival, const char *kernel_path,
                                   struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                   struct clopt_error *error);

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
