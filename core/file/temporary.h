/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for temporary files, which goes when its process ends, however it ends. */
#ifndef CLOPT_FILE_TEMPORARY_H
#define CLOPT_FILE_TEMPORARY_H

#include <sys/types.h>

#include <clopt/error.h>

struct clopt_temporary {
    char *path; /* NULL: there is none */
    pid_t cleaner;
    int file; /* its end hangs up with this process */
    int lock; /* of the folder, as long as somebody uses it */
};

/* Makes a folder below TMPDIR, or /tmp. Only for a process that has not opened OpenCL. */
enum clopt_status clopt_temporary_create(struct clopt_temporary *temporary,
                                         struct clopt_error *error);
void clopt_temporary_remove(struct clopt_temporary *temporary);

#endif
