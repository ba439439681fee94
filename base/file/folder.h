/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders, and removes those that clopt made. */
#pragma once

#include <sys/types.h>

#include <clopt/error.h>

/* Makes a folder and those above it, where they are missing. */
enum clopt_status clopt_folder_create(const char *path, struct clopt_error *error);

/* Makes a folder that clopt keeps something in. CLOPT_FAILED names it where it belongs to another
 * user, or where others may write to it: what they put there would be believed. */
enum clopt_status clopt_folder_create_own(const char *path, struct clopt_error *error);

/* Removes a folder with all that is in it, as far as that is possible. Links are removed, never
 * followed, and other file systems are left alone. */
void clopt_folder_remove(const char *path);

/* Makes an empty folder for temporary files, and marks it as clopt's; one that a killed clopt has
 * left there is emptied first. CLOPT_FAILED names what else has this name: it is not touched. */
enum clopt_status clopt_scratch_create(const char *path, struct clopt_error *error);

/* Removes such a folder; anything else is left alone. */
void clopt_scratch_remove(const char *path);

/* ---- a folder for temporary files, which goes when its process ends, however it ends ---- */

struct clopt_temporary {
    char *path; /* NULL: there is none */
    pid_t cleaner;
    int file; /* its end hangs up with this process */
    int lock; /* of the folder, as long as somebody uses it */
};

/* Makes a folder below TMPDIR, or /tmp. Only for a process that has not opened OpenCL. */
enum clopt_status clopt_temporary_create(struct clopt_temporary *temporary,
                                         struct clopt_error *error);
void clopt_temporary_fini(struct clopt_temporary *temporary);

/* Removes such folders that are left of processes that were killed together with what cleans up
 * after them. */
void clopt_temporary_sweep(void);
