/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of recordings have in common. */
#ifndef CLOPT_SEARCH_RECORDING_PARTS_H
#define CLOPT_SEARCH_RECORDING_PARTS_H

#include "search/recording.h"

/* A variant as a document has it. */
struct clopt_recording_entry {
    const json_t *configuration; /* an object; it may have members besides the parameters */
    struct clopt_recorded result;
};

struct clopt_recording_entries {
    struct clopt_recording_entry *items;
    size_t count;
    json_t *keys;  /* names of the parameters */
    json_t *owned; /* configurations that are not the document's; NULL: none */
    char *name;
};

/* Reads the variants of a document, whichever format it has. */
enum clopt_status clopt_recording_read(const json_t *document,
                                       struct clopt_recording_entries *entries,
                                       struct clopt_error *error);
/* Reads those of a space that clopt has recorded. */
enum clopt_status clopt_recording_read_space(const json_t *document,
                                             struct clopt_recording_entries *entries,
                                             struct clopt_error *error);
void clopt_recording_entries_fini(struct clopt_recording_entries *entries);

#endif
