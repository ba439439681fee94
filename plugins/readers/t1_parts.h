/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the T1 reader share. */
#pragma once

#include <jansson.h>

#include "study/ini.h"
#include "text/text.h"

/* A file on its way in. Once `status` is set all functions do nothing. */
struct clopt_t1 {
    const char *path;
    const char *folder; /* in front of files that it names */
    struct clopt_ini *ini;
    struct clopt_error *error;
    enum clopt_status status;
};

/* A value within the file, and the way to it: "KernelSpecification.GlobalSize.X". */
struct clopt_t1_node {
    const json_t *json; /* NULL: it is not there */
    char where[160];
};

/* A member of an object, and what becomes of it. Rows end with one without a name. */
struct clopt_t1_member {
    const char *name;
    /* Translates it, also where it is missing; NULL: a row with a section is a text that becomes a
     * setting, where it is there. */
    void (*read)(struct clopt_t1 *t1, const struct clopt_t1_node *node);
    const char *section;
    const char *key;
};

struct clopt_t1_node clopt_t1_member(const struct clopt_t1_node *node, const char *key);
struct clopt_t1_node clopt_t1_item(const struct clopt_t1_node *node, size_t index);

/* Fails with "file: way: reason"; only the first reason counts. */
void clopt_t1_fail(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *format, ...)
    CLOPT_PRINTF(3, 4);

/* Checks that a node is an object whose members all have a row (NULL: there are none), or are among
 * `others`, words with blanks between them, which the caller reads, or which mean nothing; and
 * translates those with a row in this order. */
void clopt_t1_object(struct clopt_t1 *t1, const struct clopt_t1_node *node,
                     const struct clopt_t1_member *rows, const char *others);

/* Returns how many items an array has; 0: it is missing, or no array, which is refused. */
size_t clopt_t1_count(struct clopt_t1 *t1, const struct clopt_t1_node *node);

/* Returns the text of a member that must be there; "": it is refused. */
const char *clopt_t1_text(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *key);

/* Returns which of several words, with blanks between them, a member is; the first one where it is
 * missing, unless it is `needed`. */
size_t clopt_t1_word(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *key,
                     const char *words, bool needed);

/* Puts a value into the study, and frees it; `node` is where it comes from. */
void clopt_t1_put_text(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *section,
                       const char *key, struct clopt_text *value);

/* Appends a number as a study writes it. */
void clopt_t1_append_number(struct clopt_text *text, const json_t *number);

/* Appends the values of a parameter of a type as a study's list: from a list or range() as Python
 * writes it, or from an array. */
void clopt_t1_append_values(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *type,
                            struct clopt_text *list);

/* Translates KernelSpecification. */
void clopt_t1_read_kernel(struct clopt_t1 *t1, const struct clopt_t1_node *node);
