/* SPDX-License-Identifier: BSD-3-Clause */
/* A study that several processes do together, which a launcher such as mpirun(1) or srun(1)
 * started. */
#ifndef CLOPT_MAIN_RANKS_H
#define CLOPT_MAIN_RANKS_H

#include "main/study_command.h"

/* What a launcher says of this process. */
struct clopt_launch {
    unsigned rank; /* from 0 */
    unsigned size; /* of all; 1: no launcher, or it started no other */
    unsigned local_rank;
    unsigned local_size; /* on this host; 1 where that is unknown */
};

/* Reads the environment. */
struct clopt_launch clopt_launch_find(void);

/* Does a study with the other ranks, and has the last one of them report it; returns an exit code.
 */
int clopt_ranks_run(const struct clopt_study_command *command, const struct clopt_launch *launch);

#endif
