/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the names of variants apart, "TILE=8+loops(unroll=4)", also those of several kernels,
 * "loops(unroll=4) in first, vector(across=8) in second", without knowing any plugin. */
#pragma once

#include "text/text.h"

/* What reports call the kernel of a variant that changes several. */
#define CLOPT_WHOLE_RUN "whole run"

/* A piece of a name; not terminated. */
struct clopt_piece {
    const char *text;
    size_t length;
};

/* A value that a name sets. */
struct clopt_name_value {
    size_t number;                   /* of the step, a macro being one, too: counts up from 0 */
    struct clopt_piece step;         /* "loops(unroll=4)", "TILE=8" */
    struct clopt_piece optimization; /* empty: a macro */
    struct clopt_piece name;
    struct clopt_piece value;  /* without its quotes */
    struct clopt_piece kernel; /* of the steps before this one that had none; empty: not named */
    const char *rest;          /* of the name */
    const char *expected;      /* what should be at `rest` and is not; NULL: nothing is wrong */
};

/* Starts at a name; the first value is that of the first clopt_name_next(). "initial code" has
 * none. */
struct clopt_name_value clopt_name_begin(const char *name);

/* Goes on to the next value; false at the end, where `kernel` may be set once more, and at a text
 * that cannot go on a name. */
bool clopt_name_next(struct clopt_name_value *value);

/* Counts what a name changes: each value, and each step. */
size_t clopt_name_changes(const char *name);

bool clopt_piece_is(struct clopt_piece piece, const char *text);
