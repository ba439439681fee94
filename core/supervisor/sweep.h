/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of many contenders in one process, interleaved, so that whatever disturbs the machine or
 * favours the process meets all of them alike. */
#ifndef CLOPT_SUPERVISOR_SWEEP_H
#define CLOPT_SUPERVISOR_SWEEP_H

#include <clopt/random.h>

#include "contest/contest.h"

#define CLOPT_SWEEP_MOST (CLOPT_MOST_IN_HAND + 2)

struct clopt_sweep_entry {
    struct clopt_contender *contender; /* NULL: the entry is free */
    bool loaded;                       /* built in this process */
    bool ready;                        /* and verified */
    bool due;                          /* to be sampled in this round */
};

/* Contenders are built, verified and then sampled, in rounds of random order. Those that become
 * ready meanwhile join in. While another process uses the device a sweep only builds: then it waits
 * until it is opened. */
struct clopt_sweep {
    struct clopt_task task;
    struct clopt_contest *contest; /* NULL: there is no sweep */
    size_t member;                 /* of the contest's device */
    struct clopt_sweep_entry entries[CLOPT_SWEEP_MOST];
    struct clopt_sweep_entry *current; /* that a request is about; NULL: none */
    int64_t process;                   /* its number in the store */
    struct clopt_random random;
    bool open;       /* may use the device, */
    bool held;       /* but not now: it waits until others have taken their samples */
    bool verifies;   /* the request does */
    bool stops;      /* set: it is to end after the round */
    bool in_round;   /* contenders are sampled, each once */
    unsigned rounds; /* since a contender joined */
    bool loads;      /* before it is open, it builds all contenders; else the initial code */
    bool expects;    /* contenders are still being built: it waits for them */
    bool changed;    /* since this was reset, contenders got samples or left */
    struct clopt_load began; /* when it was opened */
};

/* Makes a sweep over the contenders of a contest that need samples now; its task can begin. */
enum clopt_status clopt_sweep_init(struct clopt_sweep *sweep, struct clopt_contest *contest,
                                   size_t member, struct clopt_error *error);

/* Lets a sweep use the device. A task that waits has to be woken then. */
void clopt_sweep_open(struct clopt_sweep *sweep, const struct clopt_pool *pool);

/* Ends a sweep: its samples count, also where it was cut short. Records what share of the machine
 * other programs used since it was opened. */
void clopt_sweep_end(struct clopt_sweep *sweep, const struct clopt_pool *pool);

/* Whether there is a sweep, and its task has ended. */
bool clopt_sweep_is_over(const struct clopt_sweep *sweep);

/* Those that need no more samples leave, as others measured them while the sweep waits: what a
 * sweep holds is not over. */
void clopt_sweep_release(struct clopt_sweep *sweep);

/* Whether some contender that wants samples has not been in the sweep. */
bool clopt_sweep_can_admit(const struct clopt_sweep *sweep);

#endif
