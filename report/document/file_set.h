/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written together, over those of before and over no others. */
#pragma once

#include <jansson.h>

#include "text/text.h"

#define CLOPT_FILES_MANIFEST ".clopt-files.json" /* in folders that users name */

struct clopt_set_file {
    char *name;
    char *data;
    size_t size;
};

/* All zero is an empty set. */
struct clopt_file_set {
    struct clopt_set_file *items;
    size_t count;
    bool grows;         /* files of before that are not among these stay; no wait for the disk */
    const char *folder; /* where they are written */
    FILE *stream;       /* gets their paths */
};

/* Adds a file; takes over the data. */
void clopt_file_set_add(struct clopt_file_set *files, const char *name, char *data, size_t size);

/* Adds a text, and empties it. */
void clopt_file_set_add_text(struct clopt_file_set *files, const char *name,
                             struct clopt_text *text);

bool clopt_file_set_has(const struct clopt_file_set *files, const char *name);

/* Writes all of them to the folder, and last, under the name `manifest`, a JSON object that has
 * "format" and gets "files", their names with a hash of each. Files of such a manifest of before
 * are replaced or removed. CLOPT_INVALID names one that is there and is not as its manifest says;
 * nothing is written then. Drops the reference to `json`, which is NULL where a text in it is not
 * UTF-8: that fails. */
enum clopt_status clopt_file_set_write(const struct clopt_file_set *files, const char *manifest,
                                       json_t *json, struct clopt_error *error);
void clopt_file_set_fini(struct clopt_file_set *files);
