/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below tables; equal ones share a number. */
#ifndef CLOPT_DOCUMENT_NOTES_H
#define CLOPT_DOCUMENT_NOTES_H

#include <jansson.h>

#include "document/grid.h"

struct clopt_notes {
    char **texts;
    size_t count;
    json_t *numbers; /* by the texts */
    bool failed;     /* memory ran out: some notes are missing */
};

/* Adds a note, and appends its mark, "[2]", to those of a cell. */
void clopt_notes_add(struct clopt_notes *notes, const char *note, struct clopt_cell *cell);

void clopt_notes_fini(struct clopt_notes *notes);

#endif
