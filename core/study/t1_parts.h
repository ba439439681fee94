/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the T1 reader share. */
#ifndef CLOPT_STUDY_T1_PARTS_H
#define CLOPT_STUDY_T1_PARTS_H

#include <jansson.h>

#include "study/t1.h"
#include "text/text.h"

struct clopt_t1 {
    const char *path;
    const char *folder; /* in front of files that it names */
    struct clopt_ini *ini;
    struct clopt_error *error;
};

/* A value within the file, and the way to it: "KernelSpecification.GlobalSize.X". */
struct clopt_t1_node {
    const json_t *json; /* NULL: it is not there */
    char where[160];
};

struct clopt_t1_node clopt_t1_member(const struct clopt_t1_node *node, const char *key);
struct clopt_t1_node clopt_t1_item(const struct clopt_t1_node *node, size_t index);

/* Fails with "file: way: reason". */
enum clopt_status clopt_t1_fail(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char *format, ...) CLOPT_PRINTF(3, 4);

/* Checks that a node is an object whose members are all among `known`, which ends with NULL. */
enum clopt_status clopt_t1_check_object(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                        const char *const *known);

/* Reads a text that must be there. */
enum clopt_status clopt_t1_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char **text);

/* Reads one of several words, or `usual` where the node is not there; sets its number. */
enum clopt_status clopt_t1_word(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char *const *words, size_t usual, size_t *number);

/* Puts a value into the study; `node` is where it comes from. */
enum clopt_status clopt_t1_put(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                               const char *section, const char *key, const char *value);

/* Puts the text that a node is; nothing where it is missing. */
enum clopt_status clopt_t1_copy_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                     const char *section, const char *key);

/* Puts a text that has been built, and frees it. */
enum clopt_status clopt_t1_put_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                    const char *section, const char *key, struct clopt_text *value);

/* Reads the name of a file that must be there, as the study is to say it. */
enum clopt_status clopt_t1_append_file(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                       struct clopt_text *text);

/* Appends a number as a study writes it. */
void clopt_t1_append_number(struct clopt_text *text, const json_t *number);

/* Writes the values of a parameter of a type as a study's list: from a list or range() as Python
 * writes it, or from an array. */
enum clopt_status clopt_t1_values(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                  const char *type, struct clopt_text *list);

/* Appends a number or an expression, in which ProblemSize[0] means a number. */
enum clopt_status clopt_t1_append_expression(const struct clopt_t1 *t1,
                                             const struct clopt_t1_node *spec,
                                             const struct clopt_t1_node *node,
                                             struct clopt_text *text);

/* Translate an argument, the kernel's `number`th, and a reference. */
enum clopt_status clopt_t1_argument(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                    const struct clopt_t1_node *node, size_t number);
enum clopt_status clopt_t1_reference(const struct clopt_t1 *t1, const struct clopt_t1_node *node);

/* Translates KernelSpecification. */
enum clopt_status clopt_t1_kernel(const struct clopt_t1 *t1, const struct clopt_t1_node *node);

#endif
