/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt judge` tries of programs that somebody wrote by hand, and what it has seen. */
#pragma once

#include "commands/shared/compiler_options.h"
#include "commands/shared/output.h"
#include "file/folder.h"
#include "results/results.h"
#include "study/reader.h"

#define JUDGE_ROUNDS          14 /* the first one is timed */
#define JUDGE_EXIT_NOT_FASTER 5

/* What becomes of candidates in one form of the study's app. */
struct judge_round {
    const char *what; /* "odd sizes" */
    enum judge_run {
        JUDGE_TIMED,
        JUDGE_CHECKED,
        JUDGE_COMPARED,
        JUDGE_SIZED
    } run;               /* of the study */
    int size;            /* of all; 0: as given */
    const char *content; /* of random real inputs; NULL: as given */
    bool special;        /* that content makes NaN a right result */
    bool rough;          /* it makes rounding errors larger than the study allows */
    char label[16];      /* of its app; "": it is the study's own */
    char *skipped;       /* why it says nothing; NULL: it does */
};

/* One of them with a problem on a device. */
struct judge_cell {
    const struct judge_round *round;
    const struct clopt_results *results;
    const struct clopt_result *result;
};

struct judge_candidate {
    char *name; /* of its [variant NAME] */
    char *path; /* of its file; NULL: the study has it */
    char *kernel;
    char *arguments; /* their order; NULL: the app's */
    char *refused;   /* why it cannot be launched in place of the initial code; NULL: it can */
    bool failed;     /* in a run: no later one tries it, where it is a file */
    struct judge_cell *cells;
    size_t cell_count;
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
    const struct clopt_plugin_entry *app;
    char *label; /* of it: " LABEL", or "" */
    struct judge_candidate *candidates;
    size_t candidate_count;
    struct judge_round rounds[JUDGE_ROUNDS]; /* those of a run follow each other */
    size_t round_count;
    struct clopt_results **results; /* that cells are of */
    size_t result_count;
};

/* Adds a text to a list: a word, or what overrides a value of the study. */
void judge_add(struct clopt_list *list, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Reads the study with such values. */
enum clopt_status judge_read_study(const struct judge *judge, const struct clopt_list *overrides,
                                   struct clopt_study **study, struct clopt_error *error);

/* Returns the settings of a section that describes the app; NULL: there is none. */
const json_t *judge_section(const struct judge *judge, const char *name);

/* Adds the variants that the study has, and those of files. */
enum clopt_status judge_add_candidates(struct judge *judge, char *const *files, size_t count,
                                       struct clopt_error *error);

/* Has the app with this label, " LABEL" or "", have the candidate of a file. */
void judge_put_candidate(const struct judge_candidate *candidate, const char *label,
                         struct clopt_list *overrides);

/* Makes and runs all rounds. */
enum clopt_status judge_run_all(struct judge *judge, struct clopt_error *error);

/* Whether a candidate cannot be launched in a round, by its own NDRange or in the form that checks
 * accesses, as the initial code can: that says nothing of what it computes. */
bool judge_is_left_out(const struct judge_cell *cell);

/* Says what follows, and returns the exit code. */
int judge_answer(const struct judge *judge, struct clopt_document *document);
