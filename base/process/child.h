/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function in a child process: what it crashes or exhausts is lost there alone. */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <clopt/error.h>

/* What a process and its children have used of processors by a time. */
struct clopt_process_use {
    int64_t read_ns; /* 0: it was not read yet */
    double ran_s, waited_s;
};

#define CLOPT_MOST_LOST 0.75 /* of any time: whatever the machine does, a hang ends */

/* Returns how many seconds since `last` the threads of a process waited for processors that others
 * used, at most that share of the time, and reads `last` anew. Limits do not count these seconds:
 * on a busy machine a slow build is not taken for a hang. */
double clopt_lost_time(struct clopt_process_use *last, pid_t process);

/* What a child may take, and what messages say of a child that is lost. */
struct clopt_child_limits {
    double seconds; /* in all, unless it begins stages, but for what it loses; 0: no limit */
    const char *seconds_key; /* where a user sets it; NULL: nowhere */
    uint64_t memory_bytes;   /* resident; 0: no limit */
    const char *memory_key;
    const volatile sig_atomic_t *stop; /* ends it where it is set; may be NULL */
    const char *advice;                /* what to do about it; NULL: nothing to say */
};

/* What to do about a source with which a child is lost that parses it. */
#define CLOPT_PARSING_ADVICE                                                                       \
    "look for very long or deeply nested expressions, and for macros that multiply each other"

/* Runs `work` in a child process, and returns what it returns, with its error. What it prints on
 * stdout has been written by then. Only for a process that has not opened OpenCL.
 * CLOPT_CRASHED, CLOPT_TIMED_OUT, CLOPT_OUT_OF_RESOURCES, CLOPT_INTERRUPTED: or the child was lost.
 * Then the message begins with what `work` has put into its error last, by clopt_fail() with
 * CLOPT_OK: what it was about to do. SIGPIPE ends this process, too, where it is for the output. */
enum clopt_status clopt_child_run(const struct clopt_child_limits *limits,
                                  enum clopt_status (*work)(void *user, struct clopt_error *error),
                                  void *user, struct clopt_error *error);

/* Says in `work`, with its error, that a stage of it begins, which may take so many seconds; `key`
 * is where a user sets them. */
void clopt_child_limit(struct clopt_error *error, double seconds, const char *key);

/* Says which limit of this process is so small that drivers and compilers fail under it, beginning
 * with "; "; "" where none is. */
#define CLOPT_SMALL_LIMIT_MAX 128
void clopt_small_limit(char text[CLOPT_SMALL_LIMIT_MAX]);

/* Called in a child first: it ends with its parent, and is ended first where memory is short. */
void clopt_child_attach(pid_t parent);

/* Goes on in a child of this process, which waits for it, ends what it leaves behind, and then ends
 * as it has. What code does to its parent, such as to stop it, hurts nothing: who waits for this
 * process sends it SIGCONT. To be called before anything has been opened that the child needs
 * alone. */
void clopt_child_shield(void);

/* Ends what a process has started, and what that has, whatever sessions they have begun. */
void clopt_child_end_all(pid_t process);

/* Returns the resident memory of a process and its children in bytes; 0 where it cannot be told. */
uint64_t clopt_memory_of(pid_t process);

/* Returns the processor time of a process and of its children in seconds; 0 where it cannot be
 * told.
 */
double clopt_processor_time_of(pid_t process);

/* Returns the memory that is free on this machine in bytes; 0 where it cannot be told. */
uint64_t clopt_memory_free(void);

/* Returns the limit that a number of bytes means: 0 is 90% of the machine's memory. */
uint64_t clopt_memory_limit(uint64_t bytes);
