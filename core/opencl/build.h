/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds programs, or finds them built, with what it cost when the compiler really ran. */
#pragma once

#include "opencl/context.h"

/* One program, and what is known of it. What it is made of is not owned. */
struct clopt_build {
    const struct clopt_context *context;
    const char *source;
    const char *options;
    const char *included; /* for clopt_build_init(): a hash of the files that the source includes */
    const char *launch;   /* and of what tells its launches from others; NULL: none */
    char key[CLOPT_HASH_SIZE];        /* of all that decides the binary */
    char launch_key[CLOPT_HASH_SIZE]; /* and of what drivers may compile for at the first launch */
    int64_t build_ns;                 /* as measured when it was compiled, in whichever process */
    bool cached;                      /* it had been built before, and was not compiled now */
    bool launched;                    /* once, so that there is nothing left to compile; and */
    int64_t deferred_ns;              /* what the first launch compiled */
    char *log;                        /* what the compiler said then; NULL: nothing */
};

/* Names a program by what it is made of. */
void clopt_build_init(struct clopt_build *build);
void clopt_build_fini(struct clopt_build *build);

/* Builds it. Where the context has a folder for builds, it is cached there, and one that is there
 * is loaded; a driver that caches compiled code itself gets the source again, under the same name.
 * After a failure, `build` has the log and the time. */
enum clopt_status clopt_build_make(struct clopt_build *build, cl_program *program,
                                   struct clopt_error *error);

/* Finds out what is cached of it without making it. False: it was not built and launched before. */
bool clopt_build_recall(struct clopt_build *build);

/* Takes note of a launch; where it was the first one, caches what it compiled. */
void clopt_build_note_launch(struct clopt_build *build, int64_t deferred_ns);
