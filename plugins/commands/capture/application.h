/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an application with the layer between it and its OpenCL drivers. */
#pragma once

#include <clopt/error.h>

#include "commands/capture/record.h"

struct clopt_application {
    const char *plugin_path; /* folders, with colons between them; NULL: the usual ones alone */
    char *const *argv;       /* its command line, as execvp() takes it */

    /* What is captured of its launches; NULL: nothing. */
    const char *folder; /* where that goes: an absolute path */
    const char *kernel; /* the only one that is wanted; NULL: all */
    uint32_t launches;  /* of each kernel and each size */
    uint64_t limit_bytes;

    const char *winners; /* the file that clopt_winners_write() has written; NULL: none */
    uint32_t checks;     /* so many launches of each kernel run both, and are compared */
    bool keeps;          /* binaries of its own programs, and loads those that are kept */

    /* Once it has run: */
    struct clopt_record *record;
    uint64_t wall_ns; /* from its start to its end */
    int exit_code;    /* its own, or as shells have it 128 and the signal that ended it */
    int signal;       /* 0: none did */
};

/* Runs it, with the streams of this process, and waits for its end; what its processes have
 * recorded is `record` then. CLOPT_INVALID where it cannot be started. */
enum clopt_status clopt_application_run(struct clopt_application *application,
                                        struct clopt_error *error);
void clopt_application_fini(struct clopt_application *application);
