/* SPDX-License-Identifier: BSD-3-Clause */
/* A native program that solves a problem instead of an app's kernels: what a trial says of it.
 *
 *     {"label": "openmp", "folder": the study's, "command": shell text or nothing,
 *      "sources": [paths, "<names>" below the folders of kernels], "compiler": shell text,
 *      "cflags": shell text, "libraries": [names], "package": what Debian calls it, or "",
 *      "pin": whether its threads are pinned} */
#pragma once

#include <jansson.h>

#include "file/file_hash.h"
#include "text/text.h"

/* The folder below those of kernels that holds rival.h, and the programs that ship. */
#define CLOPT_RIVALS_FOLDER "rivals"

/* Returns a text of it; "" where there is none. */
const char *clopt_rival_text(const json_t *rival, const char *key);

/* Finds source number `index`; the caller frees its path. */
enum clopt_status clopt_rival_source(const json_t *rival, size_t index, const char *kernel_path,
                                     char **path, struct clopt_error *error);

/* Appends the macros that the compiler defines by itself, as lines of #define: they tell its
 * version, its flags, and the machine that it compiles for. */
enum clopt_status clopt_rival_macros(const json_t *rival, struct clopt_text *macros,
                                     struct clopt_error *error);

/* Appends what compiles it, up to its own files: compiler, flags, the folder of rival.h. */
enum clopt_status clopt_rival_append_compiler(const json_t *rival, const char *kernel_path,
                                              struct clopt_text *line, struct clopt_error *error);

/* Keeps the lines of its sources that are compiled, by the compiler's preprocessor: without empty
 * ones, and without #pragma omp where OpenMP is off: for the caller to free, and
 * empty where the compiler does not print them. */
enum clopt_status clopt_rival_lines(const json_t *rival, const char *kernel_path, char **lines,
                                    struct clopt_error *error);

/* Checks that its sources are there, and that its compiler is and takes the flags. */
enum clopt_status clopt_rival_check(const json_t *rival, const char *kernel_path,
                                    struct clopt_error *error);

/* Adds all that says what the program is, its sources by their contents. */
enum clopt_status clopt_rival_hash(const json_t *rival, const char *kernel_path,
                                   struct clopt_file_hashes *known, struct clopt_sha256 *hash,
                                   struct clopt_error *error);

/* Makes the key of its trial of that of the initial code. */
enum clopt_status clopt_rival_key(const json_t *rival, const char *kernel_path,
                                  struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                  struct clopt_error *error);
