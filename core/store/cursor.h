/* SPDX-License-Identifier: BSD-3-Clause */
/* The statements of a store: rows that are put, and those of a query, one after the other, with
 * columns by their names. */
#pragma once

#include "store/store.h"

/* What is asked of a store; core/store/statement.c says it in SQL, with the names of the columns.
 */
enum clopt_store_sql {
    CLOPT_SQL_BEGIN,
    CLOPT_SQL_COMMIT,
    CLOPT_SQL_ROLLBACK,
    CLOPT_SQL_PUT_RUN,
    CLOPT_SQL_END_RUN,
    CLOPT_SQL_GET_RUN,
    CLOPT_SQL_GET_RUNS,
    CLOPT_SQL_PUT_SHARD, /* number, count: the run does one shard of the study */
    CLOPT_SQL_GET_SHARDS,
    CLOPT_SQL_PUT_NAMED, /* see struct clopt_store_named */
    CLOPT_SQL_GET_NAMED,
    CLOPT_SQL_PUT_DEVICE,
    CLOPT_SQL_FIND_DEVICE,
    CLOPT_SQL_PUT_RUN_DEVICE,
    CLOPT_SQL_PUT_PROBLEM,
    CLOPT_SQL_FIND_PROBLEM,
    CLOPT_SQL_PUT_RUN_PROBLEM,
    CLOPT_SQL_FIND_TRIAL,
    CLOPT_SQL_INSERT_TRIAL,
    CLOPT_SQL_UPDATE_TRIAL,
    CLOPT_SQL_RESET_TRIAL,
    CLOPT_SQL_FIND_DUPLICATE,
    /* trial: its outcome is that of all trials that are the same program on the same device and
     * problem and have no samples of their own */
    CLOPT_SQL_SHARE_OUTCOME,
    CLOPT_SQL_DELETE_SAMPLES,
    CLOPT_SQL_PUT_VARIANT,
    CLOPT_SQL_FIND_VARIANT,
    CLOPT_SQL_PUT_RUN_VARIANT,
    /* run, device, problem: the first steps alone of the run's variants become part of the run,
     * where an earlier run has measured them under the number of the variant */
    CLOPT_SQL_SHOW_PREFIXES,
    CLOPT_SQL_PUT_KERNEL,
    CLOPT_SQL_FIND_KERNEL,
    CLOPT_SQL_LAST_POSITION,
    CLOPT_SQL_PUT_SAMPLE,
    CLOPT_SQL_GET_SAMPLES,
    CLOPT_SQL_PUT_PROCESS,
    CLOPT_SQL_PUT_LOAD, /* process, share of the processors that other programs used meanwhile */
    CLOPT_SQL_PUT_WORK, /* problem, kernel, arithmetic or "", operations, bytes; 0: unknown */
    CLOPT_SQL_GET_WORK,
    CLOPT_SQL_PUT_ACCESS,
    CLOPT_SQL_GET_ACCESS,
    /* trial, kernel, name, value, unit ("bytes", "ns" or ""), source ("driver", "compiler",
     * "hardware", "clopt", or "oclgrind" with the problem) */
    CLOPT_SQL_PUT_COUNTER,
    CLOPT_SQL_HAS_COUNTERS,
    CLOPT_SQL_GET_COUNTERS,
    CLOPT_SQL_PUT_PEAKS,
    CLOPT_SQL_GET_PEAKS,
    CLOPT_SQL_PUT_LOWEST_PEAK,
    CLOPT_SQL_GET_LOWEST_PEAK,
    CLOPT_SQL_PUT_PROFILE, /* problem, kernel, fingerprint, JSON */
    CLOPT_SQL_GET_PROFILE,
    CLOPT_SQL_PUT_PATTERNS, /* problem, kernel, JSON */
    CLOPT_SQL_GET_PATTERNS,
    /* run, source, figure, app, kernel, problem ("size=4096"), variant, device, seconds (NaN:
     * none), outcome */
    CLOPT_SQL_PUT_PUBLISHED,
    CLOPT_SQL_GET_PUBLISHED,
    /* run, device, problem, kernel ("": the whole run of the app), how far from 1 the ratio of the
     * initial code to itself may be (0.02: 2%), and the drift of the initial code from the group's
     * start to its end (0.03: it became 3% slower); NaN where unknown */
    CLOPT_SQL_PUT_NOISE,
    CLOPT_SQL_GET_NOISE,
    /* run, stage, seconds: where the time of its workers went, summed over all of them: start,
     * open, peaks, setup, make, build, launch, verify, sample, and "other" for the rest of the time
     * that requests took. And the run's own: "wall", the part of it in which no worker had a
     * request, "waiting", and the processor time of clopt itself, "supervisor". And the machine's:
     * the time of all its processors, "machine", and what programs other than clopt used of it,
     * "others"; and "preempted", what is not in samples since other programs had the processors. */
    CLOPT_SQL_PUT_STAGE,
    CLOPT_SQL_GET_STAGES,
    /* run, worker, stage, when it began and ended, in seconds since the run began: a stage as
     * above, or "paused", or "end", in which it is ended and waited for. A worker that follows
     * another one in the same seat has its number. */
    CLOPT_SQL_PUT_ACTIVITY,
    CLOPT_SQL_GET_ACTIVITIES,
    /* run, worker, host ("": this one), the stage that it is in (NULL: none) */
    CLOPT_SQL_PUT_WORKER,
    CLOPT_SQL_GET_WORKERS, /* on other hosts */
    /* run, host, why that is away (NULL: it is not); of host "": what the run does now */
    CLOPT_SQL_PUT_PROGRESS,
    CLOPT_SQL_PUT_TRIED, /* trial, run: it is put in the store now, for the first time */
    CLOPT_SQL_GET_TRIED, /* trial, run: when, in seconds since the run began; another run: none */
    CLOPT_SQL_PUT_HOST,
    CLOPT_SQL_PUT_MEMBER, /* process, which member of its device it measures */
    CLOPT_SQL_GET_MEMBERS,
    CLOPT_SQL_GET_DEVICES,
    CLOPT_SQL_GET_PROBLEMS,
    CLOPT_SQL_GET_VARIANTS,
    CLOPT_SQL_FIND_VARIANTS,
    CLOPT_SQL_GET_NAMES,
    CLOPT_SQL_COUNT_KERNELS,
    CLOPT_SQL_COUNT_SAMPLES,
    CLOPT_SQL_COUNT_OUTCOMES,
    CLOPT_SQL_GET_PROGRESS, /* by host; that of host "" is of all together */
    CLOPT_SQL_COUNT
};

/* Runs a statement that gives no row, with its parameters: `types` has one letter each, i
 * (int64_t), d (double, NaN becomes NULL), s (const char *, may be NULL; must stay until the end)
 * or r (the run that is written, or read; no argument). */
enum clopt_status clopt_store_put(struct clopt_store *store, enum clopt_store_sql sql,
                                  struct clopt_error *error, const char *types, ...);

/* A cursor. It is before the first row when it begins, and at none when all were read. */
struct clopt_cursor {
    struct clopt_store *store;
    struct sqlite3_stmt *statement; /* NULL: there are no rows */
    bool there;                     /* it is at a row */
    enum clopt_status status;       /* a failure ends it; the reader may set it, too */
    struct clopt_error *error;
};

/* Begins a query with its parameters, as above. Of a table that an older store lacks there are no
 * rows. */
struct clopt_cursor clopt_cursor_begin(struct clopt_store *store, enum clopt_store_sql query,
                                       struct clopt_error *error, const char *types, ...);

/* The same about the chosen run, which is the only parameter if there is one. */
struct clopt_cursor clopt_cursor_of_run(struct clopt_store *store, enum clopt_store_sql query,
                                        struct clopt_error *error);

/* Goes to the next row; false: there is none, or it failed. */
bool clopt_cursor_next(struct clopt_cursor *rows);

/* Read a column: NULL, NaN and 0 for a null, and where it is at no row. A text is the cursor's, and
 * valid until it moves; of a copy, the caller's to free, memory may run out: the cursor fails. */
const char *clopt_cursor_text(const struct clopt_cursor *rows, const char *column);
double clopt_cursor_real(const struct clopt_cursor *rows, const char *column);
int64_t clopt_cursor_integer(const struct clopt_cursor *rows, const char *column);
char *clopt_cursor_copy(struct clopt_cursor *rows, const char *column);

/* Ends it, wherever it is, and returns its status. */
enum clopt_status clopt_cursor_end(struct clopt_cursor *rows);

/* Begins at the chosen run, by default the one that is being written, or else the newest, which the
 * queries about the run are about from then on. Without any run there is no row; a number that no
 * run has is an error. */
struct clopt_cursor clopt_store_find_run(struct clopt_store *store, struct clopt_error *error);

/* Reads a trial without its texts. */
void clopt_cursor_trial(const struct clopt_cursor *rows, struct clopt_store_trial *trial);
