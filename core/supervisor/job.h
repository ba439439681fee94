/* SPDX-License-Identifier: BSD-3-Clause */
/* What one worker does for one contender, in one request, apart from measuring it. */
#ifndef CLOPT_SUPERVISOR_JOB_H
#define CLOPT_SUPERVISOR_JOB_H

#include "contest/contest.h"

/* How many other problems finalists are checked with: other seeds, then an odd size. */
#define CLOPT_OTHER_PROBLEMS 3

enum clopt_job_kind {
    CLOPT_JOB_BUILD,   /* make and build it; where that compiles, launch and verify it, too */
    CLOPT_JOB_COUNT,   /* run it under Oclgrind, which counts what it executes */
    CLOPT_JOB_CHECK,   /* run it under Oclgrind, for races and accesses outside of buffers */
    CLOPT_JOB_PREPARE, /* make the inputs of a recheck, which it waits to become */
    CLOPT_JOB_RECHECK, /* verify finalists with another problem, one after the other */
};

struct clopt_job {
    struct clopt_task task;
    enum clopt_job_kind kind;
    struct clopt_contest *contest;
    struct clopt_contender *contender; /* NULL: the job is free for another one */
    struct clopt_trial trial;          /* the contender's, with the problem of the job */
    unsigned problem;                  /* of a recheck */
    char digest[CLOPT_HASH_SIZE]; /* of a recheck: of what the initial code computes; "": unknown */
};

/* Makes a job ready to begin: its kind, contest and problem are set. CLOPT_INFEASIBLE, without a
 * message: there is no such problem for a recheck, which the contest knows from then on. */
enum clopt_status clopt_job_init(struct clopt_job *job, struct clopt_contender *contender,
                                 struct clopt_error *error);

/* Ends a job, whose worker has been ended. */
void clopt_job_end(struct clopt_job *job);

/* Whether a failure may have left a worker or its device unfit for other variants. */
bool clopt_failure_spoils(enum clopt_status status);

#endif
