/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other: one app with one problem on one device. What fails in a
 * function below, and is no trial's fault, goes to the run. */
#pragma once

#include "race/candidate.h"
#include "space/space.h"
#include "trial/variant.h"

/* As many candidates are in hand at a time as one worker can hold ready, or more where there are
 * many members. */
#define CLOPT_MOST_IN_HAND 64

/* How many of the best variants of each kernel are compared with each other in the end, at least,
 * and checked with other problems; and how many at most, where more may be the best. */
#define CLOPT_FINALISTS      6
#define CLOPT_MOST_FINALISTS 32

/* What is known of a kernel by now. */
struct clopt_ranking {
    struct clopt_candidate *leader; /* the best so far; NULL: none is measured */
    double leader_ns;               /* its time */
    struct clopt_regret regret;     /* where it is named as the best of all: known after rounds */
    struct clopt_spread spread;     /* what processes do to ratios, */
    struct clopt_spread past;       /* the part of it by candidates that are gone */
};

/* Trials by what became of them. */
struct clopt_tally {
    uint64_t built;       /* by jobs, the initial code first */
    uint64_t over;        /* they need nothing more */
    uint64_t skipped;     /* those of them that were in the store, or infeasible */
    uint64_t not_reached; /* that a time limit left out */
};

/* The numbers of what is measured beside the variants that a study numbers: the initial code and
 * the combined variants of the whole run, then rivals. */
#define CLOPT_FIRST_COMBINED (CLOPT_FIRST_RIVAL - 3)
#define CLOPT_FIRST_RIVAL    ((uint64_t)INT64_MAX - UINT32_MAX)

struct clopt_tuning;
struct clopt_combined;

struct clopt_race {
    const struct clopt_run *run;
    size_t number;
    struct clopt_space_group where;
    const struct clopt_pool_device *device; /* its first member */
    size_t most_in_hand;                    /* candidates */
    size_t members;                         /* devices, equal to each other, that share trials: */
    size_t *devices;                        /* the pool's number of each, */
    bool *lost;                             /* whether it could not be opened again and again, */
    size_t *shares; /* how many of the variants that wanted samples at the last step are its own, */
    struct {        /* and of all: */
        size_t variants; /* these, */
        size_t free;     /* those of them that no member has taken, */
        bool alone;      /* whether a worker was killed from outside at one: so that one at a time
                          * goes on, */
        bool fixed;      /* whether the initial code wants samples, */
        bool rival;      /* a native program, */
        bool finalist;   /* and one in the finals */
    } wanting;
    size_t left; /* and how many could */
    bool on_cpu;
    double expected; /* what processes are expected to do to ratios: struct clopt_spread's prior */
    bool launches_first; /* candidates are launched when they are built: where that compiles, or is
                          * counted, and takes the processors that builds take; else when they are
                          * measured */
    const struct clopt_study_app *app;
    const struct clopt_kernel *kernels; /* of the app */
    size_t kernel_count;
    struct clopt_app_source source;
    int64_t device_row; /* in the store */
    int64_t problem_row;
    struct clopt_space_order order;
    uint64_t position;           /* in the order: the next trial to look at */
    struct clopt_tuning *tuning; /* asks for more after those; NULL: there is no search */
    struct {                     /* what measuring has cost so far: */
        double setup_s;          /* to set problems up, */
        size_t processes;        /* in so many of them, */
        double work_s;           /* and to load, verify and sample */
        size_t candidates;       /* so many, */
        double initial_s;        /* of that the initial code, and the same once more, */
        size_t initials;         /* so often, */
        double round_s;          /* and a process in which finalists met; 0: none did */
    } cost;
    int64_t busy_until_ns; /* its last job ended, or more was to be built */
    double built_s;        /* what compilers took for what jobs built */
    double quickest_ns;    /* some variant takes less, by its first launch; 0: not known */
    double initial_ns;     /* the initial code takes more, by its own; 0: not known */
    bool filling;          /* more trials are being taken in hand */
    bool cut;              /* the time was over before all were tried */
    bool blind;            /* the store has variants that it does not compare with */
    struct clopt_tally tally;
    /* The initial code, the same once more, rivals, then variants: those in hand, and finalists. */
    struct clopt_candidate **candidates;
    size_t count;
    struct clopt_combined *combined;   /* the best variants of its kernels; NULL: none so far */
    unsigned stepped;                  /* how often what the best begin with was entered */
    bool joined;                       /* and one of all of them: there is no other variant left */
    struct clopt_ranking *ranking;     /* of each kernel, then of the whole run */
    struct clopt_candidate *reference; /* what all are measured beside; NULL: the initial code */
    bool uncountable;                  /* not even the initial code could be counted */
    unsigned bad_problems; /* bits of other problems that do not exist, fail the initial code, or
                            * are spared where that takes long */
    int64_t *retried;      /* trials that were tried again in this run: once is enough */
    size_t retried_count;
    bool *in_finals;    /* whether finalists are to meet on a member, */
    size_t finals_left; /* and on how many */
    bool led;           /* leaders were found since the last step */
    unsigned rounds;    /* measurements in which they have met, or one on each member */
    bool presorts;      /* before: only those that make demands of launches are rechecked */
};

void clopt_race_init(struct clopt_race *race, const struct clopt_run *run, size_t number);
void clopt_race_fini(struct clopt_race *race);

static inline struct clopt_candidate *clopt_race_initial(const struct clopt_race *race)
{
    return race->candidates[0];
}

/* Returns what all are measured beside: the initial code, or in its place the best of the first
 * process, where that is far faster. */
static inline struct clopt_candidate *clopt_race_reference(const struct clopt_race *race)
{
    return race->reference ? race->reference : clopt_race_initial(race);
}

/* ---- members ---- */

/* Returns the first member that is not lost. */
size_t clopt_race_first_member(const struct clopt_race *race);

/* Takes note of members that are lost, and gives their trials to the others, and of those whose
 * host is back; fails where it was the last, and no host is expected back. */
void clopt_race_lose_members(struct clopt_race *race);

/* Whether a candidate is measured by a member, which a measurement on it may decide now. */
bool clopt_race_is_for(const struct clopt_race *race, const struct clopt_candidate *candidate,
                       size_t member);

/* Counts what wants samples, for what follows. */
void clopt_race_share(struct clopt_race *race);

/* Gives a candidate to a member. */
void clopt_race_assign(struct clopt_race *race, struct clopt_candidate *candidate, size_t member);

/* Whether a candidate wants samples that a member is to take. */
bool clopt_race_wants_samples(const struct clopt_race *race, size_t member);

/* ---- candidates ---- */

/* Adds a candidate. */
struct clopt_candidate *clopt_race_add(struct clopt_race *race, enum clopt_role role);

/* Enters a variant that was made of others, whose trial becomes the candidate's, and shows it, by a
 * number; it leaves again where it is infeasible, needs nothing more, or is known. Why a combined
 * one is infeasible is shown, too. */
void clopt_race_enter_made(struct clopt_race *race, struct clopt_trial *trial, uint64_t index);

/* How many columns of times say who is best: those of the kernels, and in the end the whole run. */
static inline size_t clopt_race_columns(const struct clopt_race *race)
{
    return race->kernel_count + race->joined;
}

/* The first of the columns whose best is still to be found: once there are combined variants, those
 * of the kernels are decided. */
static inline size_t clopt_race_open_column(const struct clopt_race *race)
{
    return race->joined ? race->kernel_count : 0;
}

/* Whether it is a search with a time of its own: what is left of that goes into certainty, also
 * about the best ones of an earlier run. */
static inline bool clopt_race_has_time(const struct clopt_race *race)
{
    return race->tuning && race->run->study->search.time_s > 0;
}

/* Counts the candidates of which something is true. */
size_t clopt_race_count(const struct clopt_race *race,
                        bool (*is)(const struct clopt_candidate *candidate));

/* Whether all trials have been looked at. */
bool clopt_race_is_exhausted(const struct clopt_race *race);

/* Whether a race takes more trials in hand now. On a CPU, where nothing is built while it is
 * measured, it takes many at once. */
bool clopt_race_wants_trials(const struct clopt_race *race);

/* Looks at the next trials, until enough are in hand or were looked at in one go: those that are
 * infeasible or in the store already only get their row in the report. */
void clopt_race_look(struct clopt_race *race);

/* Leaves out what has not been looked at, and what is not built, or where `built` what is, too. */
void clopt_race_leave_out(struct clopt_race *race, bool built);

/* Takes what a worker's answer reports: clopt_candidate_take(). A result that is the same to the
 * bit as that of the initial code, which was verified, is as right. */
enum clopt_status clopt_race_take(const struct clopt_race *race, struct clopt_candidate *candidate,
                                  const json_t *answer, int64_t paused_ns,
                                  struct clopt_error *error);

/* Finds out, once a candidate is made, whether another trial is the same program: then it is an
 * alias, and its outcome is the other one's. */
void clopt_race_find_alias(struct clopt_race *race, struct clopt_candidate *candidate);

/* Writes the row by which a report shows a trial of the race: by its number there, and its row
 * in the store; `reason` says why it is infeasible (NULL: it is not). */
void clopt_race_show(const struct clopt_race *race, const struct clopt_trial *trial, uint64_t index,
                     int64_t row, const char *reason);

/* ---- checks, and counts ---- */

/* Finds the smallest problem at which a candidate is feasible; its own is one. */
size_t clopt_race_find_problem(const struct clopt_race *race,
                               const struct clopt_candidate *candidate);

/* Whether the study wants counters of a candidate that the store has not. */
bool clopt_race_lacks_counters(const struct clopt_race *race,
                               const struct clopt_candidate *candidate);

/* Where the study wants it, finds out whether a candidate has to be checked, with which problem:
 * the smallest at which it is feasible, or its own if `own`. The store knows those that
 * have passed. */
bool clopt_race_plan_check(const struct clopt_race *race, struct clopt_candidate *candidate,
                           bool own);

/* Records that a candidate has passed. */
void clopt_race_pass_check(const struct clopt_race *race, const struct clopt_candidate *candidate);
