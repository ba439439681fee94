/* SPDX-License-Identifier: BSD-3-Clause */
/* What variants and native programs give, beside the lines that a person has to write for them. */
#ifndef CLOPT_REPORT_EFFORT_H
#define CLOPT_REPORT_EFFORT_H

#include "report/view.h"

/* Who wrote what is not in the baseline. */
enum clopt_maker {
    CLOPT_MAKER_NOBODY, /* it is the initial code */
    CLOPT_MAKER_HAND,   /* the alternatives that macros of the study choose */
    CLOPT_MAKER_CLOPT,
    CLOPT_MAKER_BOTH,
    CLOPT_MAKER_NATIVE, /* a rival's author */
    CLOPT_MAKERS
};

/* "hand" and "by hand", and so on. */
struct clopt_maker_words {
    const char *name;
    const char *phrase;
};
extern const struct clopt_maker_words clopt_makers[CLOPT_MAKERS];

struct clopt_effort {
    char *label;
    enum clopt_maker maker;
    bool is_baseline;
    double lines; /* to write from the baseline on: doc/clopt-report.1 counts them; NaN: unknown */
    int changed;  /* lines of source that differ, by hand or rewritten; -1: no variant */
    struct clopt_interval time;    /* in ns */
    struct clopt_interval speedup; /* over the baseline */
    double goperations_per_s;      /* NaN: unknown */
};

/* Those of a problem on a device, the fastest first. */
struct clopt_efforts {
    struct clopt_effort *items; /* none: the baseline has no time there */
    size_t count;
    const char *unit; /* of operations: GFLOP/s */
};

/* Compares what a view has on a device with its row `baseline`, the initial code or a rival. */
enum clopt_status clopt_efforts_init(struct clopt_efforts *efforts, struct clopt_store *store,
                                     const struct clopt_view *view, size_t device, size_t baseline,
                                     struct clopt_error *error);
void clopt_efforts_fini(struct clopt_efforts *efforts);

/* The speed-up for each line; NaN: there is none to write, or it is unknown. */
double clopt_effort_per_line(const struct clopt_effort *effort);

#endif
