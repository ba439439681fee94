/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt judge` tries of programs that somebody wrote by hand, and what it has seen. */
#pragma once

#include "commands/shared/compiler_options.h"
#include "commands/shared/output.h"
#include "file/folder.h"
#include "results/results.h"
#include "study/reader.h"

#define JUDGE_MOST_CANDIDATES 32
#define JUDGE_EXIT_NOT_FASTER 5

/* What became of a candidate in a round, with a problem on a device. */
struct judge_cell {
    bool sized;  /* the problem has sizes */
    char *where; /* "n=64 on cpu"; "cpu" without sizes */
    enum clopt_outcome outcome;
    char *reason;                  /* why not ok; NULL: nothing is said */
    struct clopt_interval speedup; /* of a round that measures */
    enum clopt_verdict_kind verdict;
    double noise;
    double of_limit; /* the share of what the device can do at most; NaN: not known */
};

/* One run of the study with other sizes, seeds or contents. */
struct judge_round {
    const char *what;             /* "odd sizes" */
    struct clopt_text *overrides; /* "section.key=value" */
    size_t override_count;
    bool measures; /* times count, */
    bool checks;   /* or kernels check what they access */
    char *skipped; /* why it says nothing; NULL: it does */
    char *clock;   /* of which devices events were not believed, and why; NULL: of none */
    struct judge_cell *cells[JUDGE_MOST_CANDIDATES];
    size_t cell_counts[JUDGE_MOST_CANDIDATES];
};

struct judge_candidate {
    char *name; /* of its [variant NAME] */
    char *path; /* of its file; NULL: the study has it */
    struct clopt_text *overrides;
    size_t override_count;
    char *refused; /* why it cannot be launched in place of the initial code; NULL: it can */
    bool late;     /* it ran out of time in a round: no later one waits for it, where it is a file */
};

struct judge {
    const struct clopt_global_options *global;
    struct clopt_output output;
    struct clopt_compiler_options options; /* of OLD.cl */
    const char *kernel;                    /* -k; NULL: the only one */
    const char *device;                    /* -d; NULL: as the study says */
    struct clopt_temporary folder;
    char *study_path;
    struct clopt_study *study;
    char *label; /* of the app: " LABEL" in names of sections, or "" */
    struct judge_candidate candidates[JUDGE_MOST_CANDIDATES];
    size_t candidate_count;
    struct judge_round *rounds;
    size_t round_count;
};

/* Appends an override. */
void judge_override(struct clopt_text **overrides, size_t *count, const char *format, ...)
    CLOPT_PRINTF(3, 4);

/* Finds a section of what describes the app, by its name; NULL: there is none. */
const json_t *judge_section(const struct judge *judge, const char *name);

/* Adds the variants that the study has, and those of files. */
enum clopt_status judge_add_candidates(struct judge *judge, char *const *files, size_t count,
                                       struct clopt_error *error);

/* Makes and runs all rounds. */
enum clopt_status judge_run(struct judge *judge, struct clopt_error *error);

/* Says what follows, and returns the exit code. */
int judge_answer(const struct judge *judge, struct clopt_document *document);
