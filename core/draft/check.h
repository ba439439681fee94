/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes in what a check of a drafted study has found: arguments that are too short, outputs that
 * are not written whole, and what is wrong otherwise. */
#ifndef CLOPT_DRAFT_CHECK_H
#define CLOPT_DRAFT_CHECK_H

#include <jansson.h>

#include <clopt/app.h>

#include "text/text.h"

#define CLOPT_MOST_OVERRUNS 256

struct clopt_draft_check {
    /* of all rounds: */
    struct clopt_overrun overruns[CLOPT_MOST_OVERRUNS];
    size_t overrun_count;
    struct clopt_text corrected; /* a line for each overrun, when it was first seen */

    /* of a round: */
    unsigned run;              /* whose sizes the study has, from 1 */
    bool found;                /* some argument was too short */
    struct clopt_text faults;  /* a line for each kind of what else is wrong with a kernel */
    struct clopt_text failure; /* why nothing could be checked */
};

/* Takes in a round: runs as `clopt check --json` prints them. */
void clopt_draft_check_note(struct clopt_draft_check *check, const json_t *runs);
void clopt_draft_check_fini(struct clopt_draft_check *check);

#endif
