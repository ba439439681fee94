/* SPDX-License-Identifier: BSD-3-Clause */
/* Results in the formats of other auto-tuners: a document a device, problem and kernel. */
#pragma once

#include "document/format.h"
#include "results/tunables.h"

/* What is asked for. */
struct clopt_report_exchange {
    struct clopt_selection selection;
    const char *folder; /* NULL: there must be one only, which is printed */
    bool whole;         /* refuse a store that has not measured the whole space: a search would find
                         * less in it */
    FILE *stream;       /* gets it, or the paths of the files in the folder, one a line */
    FILE *notices;      /* gets what was left out, and why; NULL: nobody is told */
    /* Gets each document instead, of all that are asked for; NULL: nothing does. */
    enum clopt_status (*visit)(void *user, const json_t *document, struct clopt_error *error);
    void *user;
};

/* ---- what formats make their documents of ---- */

/* What one document is about. */
struct clopt_exchange {
    struct clopt_store *store;
    const struct clopt_results *results;
    const struct clopt_results_problem *problem;
    const struct clopt_results_table *table;
    const struct clopt_results_device *device;
    size_t device_number;
    void *user; /* of the request */
    struct clopt_tunables tunables;
};

/* A variant in it: it has times that count, or it failed. */
struct clopt_exchange_entry {
    const struct clopt_exchange *exchange;
    const struct clopt_results_row *row;
    const struct clopt_result *result;
    json_t *configuration;
    const char *alias;        /* the variant that is the same program; NULL: none */
    struct clopt_rates rates; /* the unit of operations is the table's */
    bool right;               /* measured, and its output was right */
    json_t *times_ms;  /* all samples of the kernel, in the order taken; empty where not right */
    double time_ms;    /* their median; NaN where not right */
    double run_ms;     /* that of the whole run of an app with several kernels; NaN: unknown */
    double compile_ms; /* NaN: unknown */
};

struct clopt_exchange_format {
    const char *name;   /* "a T4 document"; NULL: it has all subjects, and no document */
    const char *option; /* of `clopt report`, "t4", which takes a folder; NULL: none does */
    const char *ending; /* of a file's name */
    /* Makes the document, whose last member is an array or object with one item a variant: each is
     * printed on a line of its own. */
    enum clopt_status (*make)(const struct clopt_exchange *exchange, json_t **document,
                              struct clopt_error *error);
};

/* Returns the format of an extension of that name; NULL, with an error: there is none. */
const struct clopt_exchange_format *clopt_exchange_find(const struct clopt_registry *registry,
                                                        const char *name,
                                                        struct clopt_error *error);

/* Appends the options that name a variant's subject, fit to be pasted into a shell. */
void clopt_exchange_append_options(struct clopt_text *text, const char *device, const char *problem,
                                   const char *kernel);

/* Prints the document that is asked for, or writes all of them into the folder. */
enum clopt_status clopt_exchange_write(struct clopt_store *store,
                                       const struct clopt_exchange_format *format,
                                       const struct clopt_report_exchange *request,
                                       struct clopt_error *error);

/* What of a variant there is to tell. */
enum clopt_exchange_state {
    CLOPT_EXCHANGE_ABSENT, /* the study did not ask for it on this device */
    CLOPT_EXCHANGE_RIGHT,
    CLOPT_EXCHANGE_FAILED,
    CLOPT_EXCHANGE_UNVERIFIED, /* measured, but nobody knows whether its output is right */
    CLOPT_EXCHANGE_UNMEASURED,
};
enum clopt_exchange_state clopt_exchange_state(const struct clopt_result *result);

/* Returns how many variants of a table are in a state on a device. */
size_t clopt_exchange_count(const struct clopt_results_table *table, size_t device,
                            enum clopt_exchange_state state);

/* Calls `visit` for each variant that was right or failed, in the order of the report. */
typedef enum clopt_status (*clopt_exchange_visit_entry)(void *user,
                                                        const struct clopt_exchange_entry *entry,
                                                        struct clopt_error *error);
enum clopt_status clopt_exchange_visit(const struct clopt_exchange *exchange,
                                       clopt_exchange_visit_entry visit, void *user,
                                       struct clopt_error *error);

/* Tells what all variants have in common: program, study, problem, inputs, kernel and device. */
json_t *clopt_exchange_origin(const struct clopt_exchange *exchange);

/* Whether the compiler is what failed. */
bool clopt_exchange_failed_to_build(const struct clopt_exchange_entry *entry);
