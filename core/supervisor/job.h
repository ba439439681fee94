/* SPDX-License-Identifier: BSD-3-Clause */
/* What one worker does for a race: one or several stages of one candidate, or of many.
 *
 * Samples are taken of many candidates in one process, interleaved, so that whatever disturbs the
 * machine or favours the process meets all of them alike. Candidates are built, verified and then
 * sampled, in rounds of random order. Those that become ready meanwhile join in. */
#pragma once

#include <clopt/random.h>

#include "race/race.h"

#define CLOPT_MEASUREMENT_MOST (CLOPT_MOST_IN_HAND + 2)

/* Which jobs are meant, as bits: by the phase through which they take candidates, and so by what
 * they need. */
enum clopt_jobs {
    CLOPT_JOBS_BUILD = (1 << CLOPT_PHASE_MEASURE) - 1, /* all phases before that */
    CLOPT_JOBS_MEASURE = 1 << CLOPT_PHASE_MEASURE,     /* verify and sample */
    CLOPT_JOBS_RECHECK = 1 << CLOPT_PHASE_OVER,        /* verify finalists with another problem */
    CLOPT_JOBS_STANDBY = 2 << CLOPT_PHASE_OVER, /* of these also those that only get ready yet */
    CLOPT_JOBS_OF_BUILDERS = CLOPT_JOBS_BUILD | CLOPT_JOBS_RECHECK | CLOPT_JOBS_STANDBY,
    CLOPT_JOBS_OF_DEVICE = CLOPT_JOBS_MEASURE | CLOPT_JOBS_STANDBY,
};

/* A job that is wanted. */
struct clopt_want {
    struct clopt_race *race;
    enum clopt_phase phase;
    bool standby;                      /* it is to get ready, and to wait until it is opened */
    struct clopt_candidate *candidate; /* NULL: it measures */
    size_t member;                     /* of the race's device, on which it does */
    unsigned problem;                  /* for a recheck */
};

/* A candidate's part in a measurement. */
struct clopt_measurement_entry {
    struct clopt_candidate *candidate; /* NULL: the entry is free */
    bool loaded;                       /* built in this process */
    bool ready;                        /* and verified */
    bool due;                          /* to be sampled in this round */
};

struct clopt_job {
    struct clopt_task task;
    enum clopt_phase phase;
    bool standby;            /* it gets ready, and waits until it is opened */
    struct clopt_race *race; /* NULL: the job is free for another one */
    size_t device;           /* of the pool, on which it runs */
    struct clopt_job *after; /* the next one of its host, or of those that are free */

    /* All but measurements */
    struct clopt_candidate *candidate;
    struct clopt_trial trial; /* the candidate's, with the problem of the job */
    struct {
        unsigned problem;
        char digest[CLOPT_HASH_SIZE]; /* of what the initial code computes; "": unknown */
    } recheck;

    /* Measurements */
    size_t member; /* of the race's device */
    struct clopt_measurement_entry entries[CLOPT_MEASUREMENT_MOST];
    struct clopt_measurement_entry *current; /* that a request is about; NULL: none */
    int64_t process;                         /* its number in the store */
    struct clopt_random random;
    struct {            /* in which candidates are sampled, each once: */
        bool under_way; /* one is, */
        bool any;       /* or was */
        unsigned ended; /* since a candidate joined */
    } rounds;
    struct {          /* by its device queue: */
        bool held;    /* it waits until others have taken their samples */
        bool stops;   /* it is to end after the round */
        bool loads;   /* on standby it builds all candidates; else the initial code */
        bool expects; /* candidates are still being built: it waits for them */
    } told;
    bool changed;            /* since this was reset, candidates got samples or left */
    struct clopt_load began; /* when it was opened */
};

static inline bool clopt_job_is_of(const struct clopt_job *job, unsigned jobs)
{
    return jobs >> job->phase & 1 && (!job->standby || jobs & CLOPT_JOBS_STANDBY);
}

/* Makes a job ready to begin that works on a candidate: its phase, race and problem are set.
 * False: there is no such problem for a recheck, which the race knows from then on; or the run
 * has failed. */
bool clopt_job_init(struct clopt_job *job, struct clopt_candidate *candidate);

/* Makes a measurement ready to begin, over the candidates of its race that need samples from its
 * member. False: the run has failed. */
bool clopt_measurement_init(struct clopt_job *measurement);

/* Lets a measurement use the device. Meanwhile builds on a processor are paused. */
void clopt_measurement_open(struct clopt_job *measurement);

/* Those that need no more samples leave, as others measured them while the measurement waits: what
 * a measurement holds is not over. */
void clopt_measurement_release(struct clopt_job *measurement);

/* Finds a candidate that can join the measurement now, the reference first; NULL: there is none. */
struct clopt_candidate *clopt_measurement_joining(const struct clopt_job *measurement);

/* Ends a job whose task is over. The samples of a measurement count, also where it was cut short,
 * and it is recorded what share of the machine other programs used since it was opened. */
void clopt_job_end(struct clopt_job *job);
void clopt_measurement_end(struct clopt_job *measurement);

/* Makes the request that takes a candidate from making it to a stage. */
json_t *clopt_job_request(unsigned id, const struct clopt_trial *trial, json_t *variant,
                          enum clopt_stage until);

/* Adds to a request to verify a candidate what is known to be right: its own result of before, or
 * that of the initial code; and what takes too long to be run twice. */
void clopt_job_tell_known(const struct clopt_race *race, const struct clopt_candidate *candidate,
                          json_t *request);

/* Whether a job's wrong result, of which an answer tells, may come from a wrong build that the
 * driver's cache holds: then the candidate is tried once more, in this phase, with an empty cache,
 * and believed. What wrote outside of a buffer may do anything to another process. */
bool clopt_job_doubts(const struct clopt_job *job, struct clopt_candidate *candidate,
                      enum clopt_phase phase, const json_t *answer,
                      const struct clopt_error *error);

/* Fails a candidate. A result of the initial code that nothing can be compared with is explained
 * first; what a variant meets while its problem is set up may be that, and is known then. */
void clopt_job_blame(const struct clopt_race *race, struct clopt_candidate *candidate,
                     const struct clopt_loss *loss);

/* Takes note of a failure, of which a worker's answer tells, that its seat has seen. Returns
 * whether it may have left the worker or its device unfit for other variants. */
bool clopt_failure_spoils(struct clopt_seat *seat, const json_t *answer, enum clopt_status status);
