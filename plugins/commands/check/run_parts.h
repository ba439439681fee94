/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share that run an app once. */
#pragma once

#include "main/command.h"
#include "space/study.h"
#include "worker/sampling.h"

/* What the command line says. */
struct asked_run {
    const char *study_path;
    const char *device;
    bool any_device; /* none is named: the first processor, or else the first device */
    bool smallest;   /* of the study's problems; otherwise the first */
    const char *output;
    const char *variant;
    const char *kernel; /* that the variant is of */
    int64_t seed;       /* -1: not given */
    int64_t runs;
    bool json;
    bool check;      /* its accesses, after the runs */
    int64_t limit_s; /* for all of it; 0: each stage has one of its own */
};

struct run {
    struct asked_run asked;
    const struct clopt_global_options *global;
    const char *app_name;
    struct clopt_limits limits;
    const struct clopt_registry *registry;
    struct clopt_study *study; /* NULL: none was named */
    struct clopt_trial trial;  /* borrows from it */
    struct clopt_workspace workspace;
    bool keeps_builds;             /* as studies do, where they keep theirs */
    char *builds;                  /* that folder; NULL: nothing is kept */
    size_t device_count;           /* that there are */
    struct clopt_session *session; /* the workspace's */
    struct clopt_verdict verdict;
    struct clopt_sample_block block;
    char *result;              /* lines `name: value` of the app */
    const char *folder;        /* for temporary files */
    struct clopt_error *error; /* says in which stage the child is */
    /* What is done in a child process, with the device open. */
    enum clopt_status (*work)(struct run *run, struct clopt_error *error);
    void *user; /* the command's */
};

/* Makes the trial that the command line asks for: registry and app_name are set. */
enum clopt_status clopt_run_make_trial(struct run *run, char **assignments,
                                       struct clopt_error *error);

/* Does the work in a child, with a folder for temporary files that goes with it. */
enum clopt_status clopt_run_apart(struct run *run, struct clopt_error *error);

/* Makes the trial's variant: run->session. */
enum clopt_status clopt_run_make_session(struct run *run, struct clopt_error *error);

/* Writes what the app computed where run->output says. */
enum clopt_status clopt_run_write(struct run *run, struct clopt_error *error);
void clopt_run_fini(struct run *run);

/* Checks what was run, as `clopt check` does, prints what was found, and returns the exit code. */
int clopt_run_check(const struct run *run, char **assignments);
