/* SPDX-License-Identifier: BSD-3-Clause */
/* Launchers: what starts workers on other hosts, a command each; one transport serves all. */
#include <clopt/plugin.h>

#include "launchers/host.h"
#include "study/launcher.h"

static const struct clopt_launcher ssh = {
    .command = "ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=3 "
               "-o ServerAliveCountMax=2 %h",
    .standard = true,
    .lists = (const char *const[]){"PBS_NODEFILE", "LSB_DJOB_HOSTFILE", NULL},
    .transport = &clopt_transport};

static const struct clopt_launcher srun = {
    .command = "srun --unbuffered --overlap --nodes=1 --ntasks=1 --nodelist=%h",
    .lists = (const char *const[]){"SLURM_JOB_NODELIST", NULL},
    .ranks = (const struct clopt_launcher_ranks[]){{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, {0}}};

static const struct clopt_launcher mpirun = {
    .command = "mpirun -n 1 --host %h",
    .ranks = (const struct clopt_launcher_ranks[]){{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                   {"PMI_RANK", "PMI_SIZE"}, /* MPICH's children */
                                                   {0}}};

CLOPT_PLUGIN(CLOPT_EXTENSION(LAUNCHER, "ssh", "by ssh, which has to work without a password", &ssh),
             CLOPT_EXTENSION(LAUNCHER, "srun", "by srun, in a job of Slurm's", &srun),
             CLOPT_EXTENSION(LAUNCHER, "mpirun", "by mpirun, in a job of MPI's", &mpirun),
             CLOPT_EXTENSION(SECTION, "host", "another host, whose devices measure, too",
                             &clopt_section_host));
