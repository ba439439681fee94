/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds programs, or finds them built, with what it cost when the compiler really ran. */
#ifndef CLOPT_WORKER_BUILD_H
#define CLOPT_WORKER_BUILD_H

#include "base/sha256.h"
#include "opencl/context.h"

struct clopt_build {
    char key[CLOPT_HASH_SIZE]; /* of all that decides the binary; "" where nothing is kept */
    int64_t build_ns;          /* as measured when it was compiled, be it by another process */
    bool kept;                 /* it had been built before, and was not compiled now */
    bool launched;             /* once, so that there is nothing left to compile; and */
    int64_t deferred_ns;       /* what the first launch compiled */
    char *log;                 /* what the compiler said then; NULL: nothing */
};

/* Builds a program. Where the context has a folder for builds, it is kept there, and one that is
 * there is loaded; a driver that keeps compiled code itself gets the source again, under the same
 * name. `included` (may be NULL) is a hash of the files that the source includes. `build` has to be
 * released, after a failure too: then it has the log and the time. */
enum clopt_status clopt_build_program(const struct clopt_context *context, const char *source,
                                      const char *options, const char *included,
                                      struct clopt_build *build, cl_program *program,
                                      struct clopt_error *error);
void clopt_build_fini(struct clopt_build *build);

/* Builds a program of clopt's own, whose kernel is `name`, unless it is there. */
enum clopt_status clopt_build_own(const struct clopt_context *context, const char *name,
                                  const char *source, cl_program *program,
                                  struct clopt_error *error);

/* Finds out what is kept of a program without making it. False where it was not both built and
 * launched before. */
bool clopt_build_recall(const struct clopt_context *context, const char *source,
                        const char *options, const char *included, const char *launch,
                        struct clopt_build *build);

/* Finds out whether a program that was kept had been launched, too. `launch` tells the launches of
 * a program apart, as far as drivers may compile for them. */
void clopt_build_find_launch(const struct clopt_context *context, const char *launch,
                             struct clopt_build *build);

/* Takes note of a launch; where it was the first one, keeps what it compiled. */
void clopt_build_note_launch(const struct clopt_context *context, const char *launch,
                             struct clopt_build *build, int64_t deferred_ns);

#endif
