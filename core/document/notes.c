/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below tables. */
#include "document/notes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t hash(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)hash;
}

/* Finds the slot of a text: its own, or the free one where it belongs. */
static size_t *find_slot(const struct clopt_notes *notes, const char *text)
{
    size_t i = hash(text) & (notes->slot_count - 1);
    while (notes->slots[i] && strcmp(notes->texts[notes->slots[i] - 1], text) != 0)
        i = (i + 1) & (notes->slot_count - 1);
    return &notes->slots[i];
}

/* Makes room for one more note; at most half of the slots are taken. */
static bool grow(struct clopt_notes *notes)
{
    if (2 * (notes->count + 1) <= notes->slot_count)
        return true;
    size_t slot_count = notes->slot_count ? 2 * notes->slot_count : 16;
    char **texts = realloc(notes->texts, slot_count / 2 * sizeof *texts);
    if (texts)
        notes->texts = texts;
    size_t *slots = texts ? calloc(slot_count, sizeof *slots) : NULL;
    if (!slots)
        return false;
    free(notes->slots);
    notes->slots = slots;
    notes->slot_count = slot_count;
    for (size_t i = 0; i < notes->count; i++)
        *find_slot(notes, notes->texts[i]) = i + 1;
    return true;
}

/* Returns the number of a note, from 1; 0 when memory runs out. */
static size_t number_of(struct clopt_notes *notes, const char *text)
{
    if (!grow(notes))
        return 0;
    size_t *slot = find_slot(notes, text);
    if (*slot)
        return *slot;
    notes->texts[notes->count] = strdup(text);
    if (!notes->texts[notes->count])
        return 0;
    return *slot = ++notes->count;
}

void clopt_notes_add(struct clopt_notes *notes, const char *note, struct clopt_cell *cell)
{
    size_t length = strlen(cell->marks);
    size_t number = number_of(notes, note);
    notes->failed |= number == 0;
    if (number)
        snprintf(cell->marks + length, sizeof cell->marks - length, "[%zu]", number);
}

void clopt_notes_fini(struct clopt_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    free(notes->slots);
    *notes = (struct clopt_notes){0};
}
