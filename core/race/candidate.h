/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial of a run: its samples so far, and what it needs next. */
#pragma once

#include "race/run.h"
#include "race/samples.h"

/* What a candidate needs next. */
enum clopt_phase {
    CLOPT_PHASE_CHECK,   /* a run that looks for races and wrong accesses */
    CLOPT_PHASE_BUILD,   /* to be made and built, and launched where that compiles */
    CLOPT_PHASE_COUNT,   /* a run in which it is counted what it executes */
    CLOPT_PHASE_EXPLAIN, /* a run that looks for what is behind its failure */
    CLOPT_PHASE_MEASURE, /* samples */
    CLOPT_PHASE_OVER,    /* nothing: it is measured, or failed, or is another one's alias */
};

enum clopt_role {
    CLOPT_ROLE_VARIANT,
    CLOPT_ROLE_INITIAL, /* the initial code: measured in every measurement, or seldom */
    CLOPT_ROLE_AGAIN,   /* the initial code once more, for the noise floor */
    CLOPT_ROLE_RIVAL,   /* a native program: beside the variants, and none of them */
};

/* What shows that a candidate's results are right. */
struct clopt_candidate_checks {
    char digest[CLOPT_HASH_SIZE]; /* of its last result that was right; "": none in this run */
    unsigned passed;              /* bits of the other problems with which it was right */
    size_t problem;               /* of the app, with which its accesses are checked */
    char key[CLOPT_HASH_SIZE];    /* under which the store knows that they were */
};

/* Workers that were lost at a candidate, and not by its fault. */
struct clopt_candidate_losses {
    unsigned early;      /* while they set its problem up */
    unsigned setups;     /* or that could not, which may be the initial code's fault */
    unsigned suspicions; /* after another's failure */
    unsigned kills;      /* from outside */
    unsigned wrong;      /* bits of the phases that are tried once more with an empty cache of the
                          * driver, since there was a wrong result */
};

struct clopt_candidate {
    struct clopt_store_trial row;
    struct clopt_trial trial;
    enum clopt_role role;
    enum clopt_phase phase;
    json_t *variant;     /* what a worker made of the trial; NULL: not made yet */
    uint64_t kernels;    /* a bit for each of the app's kernels under which it is reported; that
                          * after them is for the whole run */
    uint64_t finals;     /* a bit for each of those of which it is a finalist */
    uint64_t index;      /* in the space of its race, or as a search numbers it */
    bool wants_counters; /* the store has none of it */
    bool is_alias;       /* another trial is the same program: its outcome is this one's, too */
    bool has_aliases;    /* and this is such another one */
    unsigned users;      /* jobs and measurements that work on it */
    size_t member;       /* of the device, from 1, that measures it; 0: not known yet */
    char initial_key[CLOPT_HASH_SIZE]; /* of its race's initial code: for data and comparison */
    struct clopt_candidate_checks checks;
    struct clopt_candidate_losses losses;
    struct clopt_loss *unexplained; /* how it failed, until it is known why; NULL: it has not */
    struct clopt_samples samples;
};

void clopt_candidate_fini(struct clopt_candidate *candidate);
void clopt_candidate_destroy(struct clopt_candidate *candidate); /* one that was allocated */

/* Whether its outcome is known, and is not ok. */
static inline bool clopt_candidate_has_failed(const struct clopt_candidate *candidate)
{
    return candidate->row.complete && candidate->row.outcome != CLOPT_OUTCOME_OK;
}

/* Whether it has samples of right results. */
static inline bool clopt_candidate_is_measured(const struct clopt_candidate *candidate)
{
    return candidate->samples.count && !candidate->is_alias &&
           !clopt_candidate_has_failed(candidate);
}

/* Whether it is still to be built, or checked before or counted after that, and no job does so. */
static inline bool clopt_candidate_is_unbuilt(const struct clopt_candidate *candidate)
{
    return candidate->phase <= CLOPT_PHASE_EXPLAIN;
}
static inline bool clopt_candidate_waits(const struct clopt_candidate *candidate)
{
    return clopt_candidate_is_unbuilt(candidate) && !candidate->users;
}

/* Whether it needs samples, and whether it is a finalist that does. */
static inline bool clopt_candidate_wants_samples(const struct clopt_candidate *candidate)
{
    return candidate->phase == CLOPT_PHASE_MEASURE;
}
static inline bool clopt_candidate_is_finalist(const struct clopt_candidate *candidate)
{
    return candidate->finals && clopt_candidate_wants_samples(candidate);
}

/* What it needs once it is built and counted. */
static inline enum clopt_phase clopt_candidate_after_build(const struct clopt_candidate *candidate)
{
    return candidate->row.complete ? CLOPT_PHASE_OVER : CLOPT_PHASE_MEASURE;
}

/* Whether it is a variant that has not become a finalist. */
static inline bool clopt_candidate_is_in_hand(const struct clopt_candidate *candidate)
{
    return !candidate->role && !candidate->finals;
}

/* Whether it is a variant that no process has measured yet. */
static inline bool clopt_candidate_is_untried(const struct clopt_candidate *candidate)
{
    return clopt_candidate_is_in_hand(candidate) && candidate->samples.measurements == 0 &&
           candidate->phase != CLOPT_PHASE_OVER;
}

/* Whether a bit of its kernels is set. */
static inline bool clopt_candidate_has_column(const struct clopt_candidate *candidate,
                                              size_t column)
{
    return column < 64 && (candidate->kernels >> column & 1);
}

/* Whether it is measured or reported for a kernel of the app, or the whole run. A rival has a time
 * of the whole run alone. */
static inline bool clopt_candidate_is_of(const struct clopt_candidate *candidate, size_t kernel)
{
    return candidate->role == CLOPT_ROLE_INITIAL || candidate->role == CLOPT_ROLE_AGAIN ||
           clopt_candidate_has_column(candidate, kernel);
}

/* Takes what a worker's answer (NULL: none) reports of it into its row, and what it made.
 * `paused_ns` is how long the worker was paused meanwhile. Returns the answer's own status. */
enum clopt_status clopt_candidate_take(struct clopt_candidate *candidate, const json_t *answer,
                                       int64_t paused_ns, struct clopt_error *error);

/* Takes note that a worker was lost at this candidate. True: the trial is not to blame yet, and
 * should be tried once more in another worker. Opening a device and setting a problem up come
 * before the trial, and SIGKILL comes from outside; but a trial at which workers are lost so again
 * and again is. */
bool clopt_candidate_excuses(struct clopt_candidate *candidate, const struct clopt_loss *loss);

/* Writes what is known of it by now. What fails there, and below, goes to the run. */
void clopt_candidate_put(struct clopt_candidate *candidate, const struct clopt_run *run);

/* Keeps the source of what may be named the best, or is compared with it, for reports to show. */
void clopt_candidate_keep_source(struct clopt_candidate *candidate, const struct clopt_run *run);

/* End it with the outcome that its row has, or with a failure. */
void clopt_candidate_end(struct clopt_candidate *candidate, const struct clopt_run *run);
void clopt_candidate_fail(struct clopt_candidate *candidate, const struct clopt_run *run,
                          const struct clopt_loss *loss);

/* Ends it with a failure that is to be explained, by what was found of that. */
void clopt_candidate_explain(struct clopt_candidate *candidate, const struct clopt_run *run,
                             const char *found);

/* Ends it with the failure of another one. */
void clopt_candidate_share_failure(struct clopt_candidate *candidate, const struct clopt_run *run,
                                   const struct clopt_candidate *other);
