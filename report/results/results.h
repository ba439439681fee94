/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a store with all that is computed from it: what every form of report prints. */
#pragma once

#include "results/objective.h"
#include "results/rates.h"
#include "results/verdict.h"
#include "store/store.h"
#include "text/arena.h"
#include "text/variant_name.h"

#define CLOPT_NO_ROW ((size_t)-1)

/* Which time of a variant: that of the kernel it changes, or of the whole run of the app. */
enum clopt_scope { CLOPT_SCOPE_KERNEL, CLOPT_SCOPE_RUN, CLOPT_SCOPE_COUNT };

struct clopt_result_time {
    struct clopt_interval interval;   /* in ns; no samples: NaN */
    struct clopt_quartiles quartiles; /* of the samples, in ns */
    /* Over the initial code, from the worker processes in which both were measured. Without any,
     * `processes` is 0, and it is the ratio of the two medians, with what their intervals allow.
     * NaN where either is unknown. Where other programs had the processors, it is what the threads'
     * own time allows: at least so much. */
    struct clopt_interval speedup;
    double by_clock; /* then what the clock says, which is more; 0: the same */
    /* How fast it is, as a fraction of the best of its kernel (or run), problem and device: that
     * one's time divided by its own, computed as the speed-up is. 1 where it is the same program. A
     * little over 1 is possible where they cannot be told apart. NaN: one of them is not ranked. */
    struct clopt_interval efficiency;
    enum clopt_verdict_kind verdict; /* on the speed-up */
    double noise;                    /* the floor by which it was judged; NaN: not known */
    bool different;                  /* from the initial code: the verdict is faster or slower */
    bool best;                       /* of its kernel (or run), problem and device */
    struct clopt_regret regret;      /* of naming it, if it is the best; NaN: unknown */
    bool tied;                       /* not the best, and cannot be told apart from it */
    bool behind;                     /* surely slower than the best */
};

/* By so much speed-ups by the clock, and by the time that threads had processors, may differ. */
#define CLOPT_CLOCKS_AGREE 1.1

/* The share of a process's median sample in which threads waited for processors. */
struct clopt_waited {
    uint32_t process;
    double share;
};

/* A variant on a device. */
struct clopt_result {
    const struct clopt_results_row *row;
    size_t device;
    bool present; /* the study asked for it */
    bool ranked;  /* measured, and its output was right */
    enum clopt_outcome outcome;
    size_t alias;  /* another row of the table that is the same code here, or CLOPT_NO_ROW */
    bool borrowed; /* the times are those of the alias: it was measured for both */
    struct clopt_store_trial trial; /* all zero where there is none */
    double tried_s;                 /* since the run began; NaN: by an earlier one, or unknown */
    struct clopt_result_time times[CLOPT_SCOPE_COUNT];
    json_t *counters; /* name: [value, unit, source]; NULL: none were kept */
    struct clopt_medians medians[CLOPT_SCOPE_COUNT]; /* its own, not those of the alias */
    struct clopt_waited *waited;                     /* the same, by process */
    size_t waited_count;
};

/* What somebody else has published of a variant. */
struct clopt_published_time {
    char *figure;   /* NULL: nothing */
    char *outcome;  /* "ok", or why there is no time */
    double time_ns; /* NaN: none */
    double speedup; /* over the initial code, as published; NaN: unknown */
};

struct clopt_results_row {
    const struct clopt_results_table *table;
    char *name;
    char *description;                      /* what makes it again, as JSON; NULL: not known */
    struct clopt_result *cells;             /* one a device */
    struct clopt_published_time *published; /* by published device; fewer, or none */
    size_t published_count;
};

/* How far figures can be trusted; NaN where unknown. */
struct clopt_results_noise {
    double noise;
    double drift;
    struct clopt_store_named named;
    struct clopt_spread spread; /* by all ratios to the reference; see clopt_results_rank() */
    const struct clopt_result *reference; /* what the most processes have measured: the initial
                                           * code, unless a search has spared it; NULL: nothing */
};

/* A kernel with a problem: its variants, the initial code first. */
struct clopt_results_table {
    size_t problem;
    char *kernel;
    struct clopt_store_work work; /* of the kernel in one run */
    json_t *patterns;             /* of its memory accesses: see doc/store.md; NULL: not known */
    struct clopt_results_row *rows;
    size_t row_count;
    size_t initial;                    /* the row of the initial code, or CLOPT_NO_ROW */
    struct clopt_results_noise *noise; /* one a device */
};

struct clopt_results_device {
    int64_t id;
    char *label;
    char *platform;
    char *name;
    char *vendor;
    char *driver_version;
    char *type;
    int64_t compute_units, local_bytes;
    struct clopt_peaks peaks;
    char *access;    /* JSON: how fast it accesses memory in each pattern; NULL: not known */
    double expected; /* what processes were expected to do to ratios: struct clopt_spread's prior */
    struct {
        char *source; /* NULL: not known */
        char *reason;
        double resolution_ns;
        double overhead_ns;
        double agreement;
    } clock; /* as struct clopt_clock; of the process whose clocks agreed worst */
};

/* A device of which somebody else has published times. */
struct clopt_results_published {
    char *source;
    char *device;
    char *label; /* "source: device" */
};

struct clopt_results_problem {
    int64_t id;
    char *app;
    char *label;
    char *title; /* under which it is reported: "lud size=4096" */
    json_t *inputs;
    bool several_kernels;              /* so that the whole run is of interest, too */
    struct clopt_results_noise *noise; /* of the whole run, one a device */
    /* Native programs that solve it, of kernel ""; both of a row's times are of the whole run. */
    struct clopt_results_table rivals;
};

struct clopt_results_stage {
    char *name;
    double seconds;
};

/* A process, and the member that it measured of a device that has several, or on which host. */
struct clopt_results_member {
    uint32_t process;
    size_t member;
    char *name; /* of the member: "1", "host" or "host:1" */
};

/* What a worker did when: see CLOPT_SQL_PUT_ACTIVITY. */
struct clopt_results_activity {
    size_t worker;
    char *host; /* NULL: that of the supervisor */
    char *stage;
    double began_s; /* since the run began */
    double ended_s;
};

/* The run itself. */
struct clopt_results_run {
    bool there;
    int64_t number; /* in the store */
    char *title;
    char *config; /* the study's effective configuration */
    char *found;  /* what the study says that is wrong in it; NULL: nothing */
    char *version;
    char *status; /* NULL: has not ended */
    bool written; /* by a process that is alive */
    uint64_t seed;
    int64_t not_chosen;   /* trials that a sample left out */
    int64_t not_feasible; /* of these: they were drawn, and are infeasible */
    char *shards;         /* "3, 5 of 16": the run has these; NULL: it is whole */
    int64_t not_reached;  /* trials that the time limit left out */
    int64_t disturbed;    /* processes during which other programs kept the machine busy */
    int64_t samples;      /* of all trials that it shows: runs of the app */
    int64_t processes;    /* that took them */
    double started_s;
    double ended_s;
};

/* Who did what of it. */
struct clopt_results_work {
    struct clopt_results_stage *stages;
    size_t stage_count;
    struct clopt_results_activity *activities; /* by worker, then time */
    size_t activity_count;
    struct clopt_results_member *members; /* by process */
    size_t member_count;
    bool several_hosts; /* and members are named after them */
};

/* Which of several stores the numbers of a kernel on a device are from. */
struct clopt_results_origin {
    int64_t device, problem;
    char *kernel, *store;
};

struct clopt_results {
    struct clopt_arena arena;       /* of all texts, cells and noise */
    bool printable;                 /* texts are lines that a terminal only shows */
    bool measured;                  /* some variant has a time, or a reason why not */
    enum clopt_objective objective; /* what times of results are: see number/number.h */
    struct clopt_results_run run;
    struct clopt_results_work work;
    struct clopt_results_device *devices;
    size_t device_count;
    struct clopt_results_published *published; /* those with something to show */
    size_t published_count;
    struct clopt_results_problem *problems;
    size_t problem_count;
    struct clopt_results_table *tables; /* in the study's order, problem by problem */
    size_t table_count;
    struct clopt_results_origin *origins; /* none: all are from one store */
    size_t origin_count;
};

/* Reads and computes everything. `printable`: names may come from anybody's store, so each becomes
 * one line that a terminal only shows. */
enum clopt_status clopt_results_gather(struct clopt_store *store, bool printable,
                                       struct clopt_results **results, struct clopt_error *error);

/* Reads for how long the threads of a result waited. */
enum clopt_status clopt_result_gather_waited(struct clopt_store *store, struct clopt_result *result,
                                             struct clopt_error *error);

/* Bounds a time's speed-up by the time for which threads had processors. */
void clopt_result_bound(const struct clopt_result *initial, const struct clopt_result *result,
                        const struct clopt_spread *spread, struct clopt_result_time *time);

/* The same of the newest run of a store that is there, printable. */
enum clopt_status clopt_results_read(const char *path, struct clopt_results **results,
                                     struct clopt_error *error);
void clopt_results_destroy(struct clopt_results *results);
CLOPT_HOLDER(clopt_results, clopt_results_destroy);

/* Whether a result has few samples because it is clearly slower than the best. */
static inline bool clopt_result_is_abandoned(const struct clopt_result *result,
                                             enum clopt_scope scope)
{
    return result->trial.abandoned && result->times[scope].behind;
}

/* Returns the row that is the same code as a result; NULL: none is known. */
static inline const struct clopt_results_row *clopt_result_same_code(
    const struct clopt_result *result)
{
    return result->alias == CLOPT_NO_ROW ? NULL : &result->row->table->rows[result->alias];
}

/* Returns the result whose samples the times of a result are: itself, or that of the same code. */
static inline const struct clopt_result *clopt_result_measured(const struct clopt_result *result)
{
    return result->borrowed ? &clopt_result_same_code(result)->cells[result->device] : result;
}

/* Returns the result of the initial code on a device; NULL: there is none. */
static inline struct clopt_result *clopt_table_initial(const struct clopt_results_table *table,
                                                       size_t device)
{
    return table->initial == CLOPT_NO_ROW ? NULL : &table->rows[table->initial].cells[device];
}

/* Finds a variant in a table, at number `guess` first: tables mostly have the same order.
 * CLOPT_NO_ROW: there is none. */
size_t clopt_table_find_row(const struct clopt_results_table *table, const char *name,
                            size_t guess);

/* Whether a table is that of a problem's rivals, none of which is a variant. */
static inline bool clopt_table_is_of_rivals(const struct clopt_results_table *table)
{
    return !*table->kernel;
}

/* Whether a table is that of the variants of a whole app, of kernel CLOPT_WHOLE_RUN: the initial
 * code and the best variants of its kernels together. Both times of a row are the run's. */
static inline bool clopt_table_is_combined(const struct clopt_results_table *table)
{
    return strcmp(table->kernel, CLOPT_WHOLE_RUN) == 0;
}

/* Whether a label is the one that is asked for; NULL: all are. */
static inline bool clopt_is_asked_for(const char *wanted, const char *label)
{
    return !wanted || strcmp(wanted, label) == 0;
}

/* One device, problem and kernel, by their labels; NULL: any. */
struct clopt_selection {
    const char *device;
    const char *problem;
    const char *kernel;
};

/* Whether a table is asked for on a device. */
bool clopt_selection_has(const struct clopt_selection *selection,
                         const struct clopt_results *results,
                         const struct clopt_results_table *table, size_t device);

/* Returns the number of the table after those of the problem of which table `first` is one. */
size_t clopt_results_problem_end(const struct clopt_results *results, size_t first);

/* Keeps a text, which may be NULL, for as long as the results, as a line where asked for. */
char *clopt_results_keep(struct clopt_results *results, const char *text);

/* Names devices that their studies leave nameless; equal ones keep what follows the @. Part of
 * gathering. */
void clopt_results_name_devices(struct clopt_results *results);

/* Adds what is published of the variants. Part of gathering. */
enum clopt_status clopt_results_gather_published(struct clopt_results *results,
                                                 struct clopt_store *store,
                                                 struct clopt_error *error);

/* Says how a kernel accesses each array, "m: each work-item reads along a row", the arrays apart by
 * `separator`; empty where nothing is known. For the caller to free. */
char *clopt_patterns_label(const struct clopt_results_table *table, const char *separator);

/* Computes what a variant does in a second on a device, by the time of its kernel. */
struct clopt_rates clopt_results_rates(const struct clopt_results *results,
                                       const struct clopt_result *result);

/* Divides the time of one result by that of another one of the same problem and device, both with a
 * time, as speed-ups are computed: by the processes that measured both, or, without any, by their
 * medians, with what the intervals of these allow. */
struct clopt_interval clopt_results_ratio(const struct clopt_results *results,
                                          const struct clopt_result *above,
                                          const struct clopt_result *below, enum clopt_scope scope);

/* Computes aliases, speed-ups, the best, how fast all are beside it, and what is tied with it. */
void clopt_results_rank(struct clopt_results *results);
