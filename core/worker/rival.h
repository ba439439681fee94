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

#include "worker/session.h"

struct clopt_rival {
    char *folder;  /* with the program, in/ and out/ */
    char *command; /* that runs it */
    pid_t pid;     /* 0: it does not run */
    int orders;    /* its standard input */
    FILE *answers; /* its standard output */
};

/* Builds the program, or finds it built, and makes session->rival, which the session owns. */
enum clopt_status clopt_rival_build(struct clopt_session *session);

/* Has it solve the problem once, and adds the time by its own clock to `time_ns` (may be NULL). */
enum clopt_status clopt_rival_solve(struct clopt_session *session, double *time_ns);

/* Copies its results to the buffers. */
enum clopt_status clopt_rival_fetch(struct clopt_session *session);

void clopt_rival_destroy(struct clopt_rival *rival);

/* ---- files ---- */

/* Writes what the buffers start from. */
enum clopt_status clopt_rival_write_inputs(const struct clopt_buffers *buffers, const char *folder,
                                           struct clopt_error *error);

/* Reads a result into memory that the caller frees; NULL: there is no such file. */
enum clopt_status clopt_rival_read_result(const char *folder, const char *name, size_t bytes,
                                          void **data, struct clopt_error *error);
