/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a variant whose kernels check themselves (check/check.h), and collects what they found. */
#pragma once

#include "check/check.h"
#include "worker/session.h"

#define CLOPT_SHADOW_MIB 512 /* by default */

struct clopt_checking;

/* What was found, and how much was looked at. */
struct clopt_check_report {
    json_t *findings; /* objects, in the order of kernels and lines */
    size_t accesses;  /* expressions that were checked */
    size_t proven;    /* accesses that are inside, whatever the launch: they were left out */
    size_t skipped;   /* and those that could not be checked */
    unsigned skipped_line;
    size_t passes;     /* runs that it took */
    json_t *unwritten; /* names of outputs that are not written whole */
};

struct clopt_check_settings {
    uint64_t shadow_bytes; /* at most: the variant is run as often as this takes */
    bool mixes;            /* plain accesses beside atomic functions are data races, too */
};

/* Makes the variant of a session check itself, builds and runs it with shadows. The session has no
 * other program then. */
enum clopt_status clopt_checking_run(struct clopt_session *session,
                                     const struct clopt_check_settings *settings,
                                     struct clopt_check_report *report);
/* Does so, and fails with CLOPT_WRONG_RESULT where anything is found: the message is the first. */
enum clopt_status clopt_checking_pass(struct clopt_session *session);
void clopt_check_report_fini(struct clopt_check_report *report);

/* Called at each launch and write of a session that checks itself: gives the kernel what it takes
 * after the arguments of the variant; notes what the host writes. */
enum clopt_status clopt_checking_launch(struct clopt_session *session,
                                        const struct clopt_asked_launch *launch,
                                        const struct clopt_ndrange *range);
enum clopt_status clopt_checking_write(struct clopt_session *session, unsigned buffer,
                                       size_t offset, size_t bytes);

/* Builds a kernel that checks itself, before its first launch. */
enum clopt_status clopt_checking_build(struct clopt_session *session, unsigned kernel);

void clopt_checking_destroy(struct clopt_checking *checking);
