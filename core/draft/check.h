/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the kernels of a drafted study under Oclgrind, to find arguments that are too short. */
#ifndef CLOPT_DRAFT_CHECK_H
#define CLOPT_DRAFT_CHECK_H

#include <stdio.h>

#include <clopt/app.h>

#include "schema/command.h"
#include "text/text.h"

#define CLOPT_MOST_OVERRUNS 256

struct clopt_draft_check {
    const struct clopt_global_options *global;
    const char *program; /* oclgrind */
    const char *log;     /* a file for it */
    double seconds;      /* that are left */
    FILE *progress;      /* gets a line that is written over; NULL: be quiet */

    /* of all rounds: */
    struct clopt_overrun overruns[CLOPT_MOST_OVERRUNS];
    size_t overrun_count;
    struct clopt_text corrected; /* a line for each overrun, when it was first seen */

    /* of a round: */
    unsigned run;             /* whose sizes the study has, from 1 */
    bool found;               /* some argument was too short */
    struct clopt_text faults; /* a line for each kernel with which something else is wrong */
};

/* Runs the initial code of each app of a drafted study once. */
enum clopt_status clopt_draft_check_run(struct clopt_draft_check *check, const char *study,
                                        struct clopt_error *error);
void clopt_draft_check_fini(struct clopt_draft_check *check);

#endif
