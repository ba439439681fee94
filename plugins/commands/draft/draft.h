/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the first study of a user's own kernels. */
#pragma once

#include "commands/shared/compiler_options.h"
#include "plugin/registry.h"

struct clopt_draft_request {
    const struct clopt_registry *registry;
    const char *file;  /* the source */
    const char *named; /* the same, as the study names it */
    const struct clopt_compiler_options *options;
    const struct clopt_device_info *asked; /* whose macros the source may ask for; NULL: unknown */
    const char *kernel;                    /* or several, with blanks; NULL: all of the file */
    const char *app;                       /* NULL: the one that can describe kernels */
    unsigned run;                          /* as in struct clopt_draft; initial codes alone */
    const struct clopt_overrun *overruns;  /* that such runs have shown */
    size_t overrun_count;
    const unsigned *halvings; /* as in struct clopt_draft */
    const char *check;        /* what became of them, for the head of the study, */
    const char *device; /* a section that chooses one; NULL: there is one only, or none is known */
    const char *found;  /* and what they found first that is wrong; NULL: nothing */
    const char *origin; /* the head's first line; NULL: that of `clopt init` */
    const char
        *described; /* what the app is told of the kernel, instead of a guess; NULL: nothing */
    bool search;    /* the study searches, with all that optimizations offer for that */
};

/* Writes a study. CLOPT_INVALID for a file that is no program with a kernel. */
enum clopt_status clopt_draft_write(const struct clopt_draft_request *request,
                                    struct clopt_text *study, struct clopt_error *error);

/* ---- writes the sections of a first study that searches ---- */

/* Returns an NDRange with which optimizations can be asked what they can do: any local size will do
 * for that. */
struct clopt_ndrange clopt_draft_ndrange(unsigned dimensions);

/* What is searched for. */
struct clopt_draft_search {
    const struct clopt_registry *registry;
    unsigned dimensions; /* that kernels have, at most */
    const char *program; /* the text of all of them */
    const char *study;   /* its text, which says how exact results are */
};

/* Appends what all optimizations offer to searches, and the search. */
enum clopt_status clopt_draft_put_search(const struct clopt_draft_search *asked,
                                         struct clopt_text *study, struct clopt_error *error);

/* Notes at the end of a study that nobody has edited it so far; tells how much of a study is in
 * front of the lists of its optimizations, where nobody has edited these, 0 where somebody has, and
 * whether nobody has edited all else. */
void clopt_draft_seal(struct clopt_text *study);
size_t clopt_draft_sealed(const char *study, bool *whole);

/* ---- the sizes of a drafted study ---- */

/* Makes the sizes that a drafted study has guessed larger, until a launch of each kernel's initial
 * code takes long enough to be measured on a device (as of -d; NULL: the only one), and says so on
 * stderr, of the file that its user knows. Where the kernel cannot be run the sizes stay as they
 * are. */
enum clopt_status clopt_draft_enlarge(const struct clopt_global_options *global, const char *study,
                                      const char *device, const char *named,
                                      struct clopt_error *error);

/* Says which lines of a study are guesses that matter most: the sizes. */
void clopt_draft_tell_guesses(const char *study);

/* ---- checks of drafted studies ---- */

#define CLOPT_MOST_OVERRUNS 256

struct clopt_draft_check {
    /* of all rounds: */
    struct clopt_overrun overruns[CLOPT_MOST_OVERRUNS];
    size_t overrun_count;
    unsigned halvings[CLOPT_DRAFT_RUNS]; /* of the sizes of runs that took too long */
    struct clopt_text corrected;         /* a line for each overrun, when it was first seen */
    json_t *idle[CLOPT_DRAFT_RUNS];      /* what did nothing in the last round of each run */

    /* of a round: */
    unsigned run;              /* whose sizes the study has, from 1 */
    bool found;                /* some argument was too short */
    bool timed_out;            /* some kernel took too long */
    struct clopt_text first;   /* what is wrong first; "": nothing */
    struct clopt_text faults;  /* a line for each kind of what else is wrong with a kernel */
    struct clopt_text failure; /* why nothing could be checked */
    struct clopt_text device;  /* the sections of those that were chosen */
};

/* Takes in a round: runs as `clopt check --json` prints them. */
void clopt_draft_check_note(struct clopt_draft_check *check, const json_t *runs);

/* Takes in a device that the study names: one of -d, or the one that was chosen among several. */
void clopt_draft_check_device(struct clopt_draft_check *check, const char *label,
                              const char *platform, const char *name);

/* Says, a line each, what did nothing in any run: with other sizes it may do something. */
void clopt_draft_check_tell_idle(const struct clopt_draft_check *check, struct clopt_text *lines);

/* Takes in that a round could not be run at all. */
void clopt_draft_check_fail(struct clopt_draft_check *check, const char *reason);

/* Makes the sizes of the run at hand smaller, and forgets what it has shown with others. */
void clopt_draft_check_shrink(struct clopt_draft_check *check);
void clopt_draft_check_fini(struct clopt_draft_check *check);
