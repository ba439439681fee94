/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes parameters, of apps and optimizations alike, and hands over their values. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

/* What a macro stands for, as a text: "1.." CLOPT_STRING(MOST). */
#define CLOPT_STRING(macro)       CLOPT_STRING_AGAIN(macro)
#define CLOPT_STRING_AGAIN(macro) #macro

enum clopt_type {
    CLOPT_INTEGER, /* a signed 64-bit integer; k, M and G (powers of ten), Ki, Mi and Gi are known
                    */
    CLOPT_REAL,    /* a finite double */
    CLOPT_TEXT,    /* any text */
    CLOPT_FILE,    /* the path of a file; in a study, relative to the study's folder */
    CLOPT_BOOLEAN, /* yes or no */
    CLOPT_TIME,    /* above 0: 500ms, 10s, 2min, 1h; `real` is in seconds */
    CLOPT_SHARE,   /* between 0% and 100%: 2%, or 0.02, which `real` is */
    CLOPT_FACTOR,  /* above 1: 3x, or 3 */
};

/* One parameter. Tables of them end with an entry whose name is NULL. */
struct clopt_parameter {
    const char *name;
    enum clopt_type type;
    /* Legal values, written as in a study: "2, 4, 8", "1..64", "pow2 2..32", "1..", or words for
     * CLOPT_TEXT. NULL: all values of the type. */
    const char *legal;
    /* The value that holds when none is given, written as in a study; NULL: unset. For an
     * optimization this is the value that changes nothing. */
    const char *initial;
    /* One line that starts with a lower-case verb or noun, without a full stop. */
    const char *help;
    /* For an optimization: the app implements this parameter, where it offers a knob
     * (struct clopt_knob) for it; legal values are the knob's. */
    bool knob;
    /* Values worth trying first, written as in a study: `clopt init` puts them into studies. NULL:
     * none in particular. */
    const char *suggest;
    /* Names of other parameters, separated by blanks. This one means something only where one of
     * those in `with` has another value than its initial one, and none of those in `without` has:
     * studies leave it at its initial value elsewhere, and clopt refuses another one. NULL: none.
     * An optimization names parameters further up in its table, at most CLOPT_MOST_NAMED of them in
     * all; an app's input may name any other. */
    const char *with;
    const char *without;
};

#define CLOPT_MOST_NAMED 8

/* Values of a table of parameters. Owned by the caller; valid during the call, or as
 * long as the problem that it belongs to. */
struct clopt_values;

/* One value; `text` is canonical: equal values of a parameter have equal texts. NULL: unset. */
struct clopt_value {
    const char *name; /* the parameter's */
    enum clopt_type type;
    char *text;
    int64_t integer; /* where type is CLOPT_INTEGER; of CLOPT_BOOLEAN 0 or 1 */
    double real;     /* where type is of numbers */
};

/* Returns the value of a parameter; NULL for one that is not in the table. */
CLOPT_API const struct clopt_value *clopt_values_find(const struct clopt_values *values,
                                                      const char *name);

/* Tells whether a parameter has a value at all. */
static inline bool clopt_values_has(const struct clopt_values *values, const char *name)
{
    const struct clopt_value *value = clopt_values_find(values, name);
    return value && value->text;
}

/* Return a parameter's value. A parameter that is unset, or not in the table, gives 0 or NULL; yes
 * is the integer 1, no is 0. */
static inline int64_t clopt_values_integer(const struct clopt_values *values, const char *name)
{
    const struct clopt_value *value = clopt_values_find(values, name);
    return value ? value->integer : 0;
}

static inline double clopt_values_real(const struct clopt_values *values, const char *name)
{
    const struct clopt_value *value = clopt_values_find(values, name);
    return value ? value->real : 0;
}

static inline const char *clopt_values_text(const struct clopt_values *values, const char *name)
{
    const struct clopt_value *value = clopt_values_find(values, name);
    return value ? value->text : NULL;
}
