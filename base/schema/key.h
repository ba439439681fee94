/* SPDX-License-Identifier: BSD-3-Clause */
/* The schema: what people set, be it a key of a study's section or an option of a command, is a
 * row, by which it is read, checked, printed as help, and completed. */
#pragma once

#include <clopt/plugin.h>

#include "number/values.h"

#define CLOPT_MOST_VALUES 4096 /* of one list */

/* What keeps a value. */
enum clopt_kept {
    CLOPT_KEPT_OWN,     /* nothing: who has the row reads it by itself */
    CLOPT_KEPT_INCLUDE, /* nothing: followed when a file is read, where alone it works */
    CLOPT_KEPT_VALUE,   /* int64_t; double; char *, a copy; bool */
    CLOPT_KEPT_NAME,    /* char *, a copy; the legal words are those that are usual */
    CLOPT_KEPT_ALL,     /* the same; `all` is 0 */
    CLOPT_KEPT_NONE,    /* the same; `none` is 0 */
    CLOPT_KEPT_SECONDS, /* int64_t, of a time, whose unit may be left out */
    CLOPT_KEPT_WORD,    /* int: which of the legal words it is, from 0 */
    CLOPT_KEPT_LIST,    /* struct clopt_list */
    CLOPT_KEPT_EACH,    /* struct clopt_list, of all times that it is given */
    CLOPT_KEPT_TEXT,    /* const char *, no copy */
};

/* One row; tables end with zeros. */
struct clopt_key {
    enum clopt_kept kept;
    struct clopt_parameter is; /* legal are also all extensions of a kind: "<rival>" */
    size_t at;                 /* where it is kept, in bytes from the beginning of what is read */

    /* Of options. */
    char letter;       /* 0: none */
    const char *value; /* what help calls it: FILE; in brackets: may be left out; NULL: none */
    enum clopt_status (*take)(void *read, const struct clopt_key *option, const char *value,
                              struct clopt_error *error); /* NULL: it is kept */
    const struct clopt_extension *extension; /* whose option it is; NULL: the command's own */
};

/* CLOPT_KEY("precision", VALUE, SHARE, NULL, "2%", AT(precision), "what may be lost") */
#define CLOPT_KEY(NAME, KEPT, TYPE, LEGAL, INITIAL, AT, HELP)                                      \
    CLOPT_OPTION(0, NAME, NULL, KEPT, TYPE, LEGAL, INITIAL, AT, HELP)

/* Options: OF is what is read, FIELD is where a value is kept. Where a value is left out, that is
 * the initial one, or yes. */
#define CLOPT_OPTION(LETTER, NAME, CALLED, KEPT, TYPE, LEGAL, INITIAL, AT, HELP)                   \
    {                                                                                              \
        CLOPT_KEPT_##KEPT, {NAME, CLOPT_##TYPE, LEGAL, INITIAL, HELP, false, NULL, NULL, NULL},    \
            AT, LETTER, CALLED, NULL, NULL                                                         \
    }
#define CLOPT_FLAG(LETTER, NAME, OF, FIELD, HELP)                                                  \
    CLOPT_OPTION(LETTER, NAME, NULL, VALUE, BOOLEAN, NULL, NULL, offsetof(OF, FIELD), HELP)
#define CLOPT_TEXT(LETTER, NAME, CALLED, OF, FIELD, HELP)                                          \
    CLOPT_OPTION(LETTER, NAME, CALLED, TEXT, TEXT, NULL, NULL, offsetof(OF, FIELD), HELP)
#define CLOPT_EACH(LETTER, NAME, CALLED, OF, FIELD, HELP)                                          \
    CLOPT_OPTION(LETTER, NAME, CALLED, EACH, TEXT, NULL, NULL, offsetof(OF, FIELD), HELP)
#define CLOPT_NUMBER(LETTER, NAME, CALLED, OF, FIELD, LEGAL, HELP)                                 \
    CLOPT_OPTION(LETTER, NAME, CALLED, VALUE, INTEGER, LEGAL, NULL, offsetof(OF, FIELD), HELP)
#define CLOPT_SECONDS(LETTER, NAME, CALLED, OF, FIELD, LEGAL, HELP)                                \
    CLOPT_OPTION(LETTER, NAME, CALLED, SECONDS, TIME, LEGAL, NULL, offsetof(OF, FIELD), HELP)
#define CLOPT_TAKEN(LETTER, NAME, CALLED, TAKE, HELP)                                              \
    {                                                                                              \
        .is = {.name = NAME, .type = CLOPT_TEXT, .help = HELP}, .letter = LETTER, .value = CALLED, \
        .take = TAKE                                                                               \
    }

/* Finds a row by its name; NULL: there is none. */
const struct clopt_key *clopt_key_find(const struct clopt_key *keys, const char *name);

/* Reads a text into where the row keeps it. CLOPT_INVALID: "200%: not a share ...". */
enum clopt_status clopt_key_read(const struct clopt_key *key, const char *text, void *into,
                                 struct clopt_error *error);
