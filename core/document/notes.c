/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below tables. */
#include "document/notes.h"

#include "text/array.h"

/* Returns the number of a note, from 1; 0 when memory runs out. */
static size_t number_of(struct clopt_notes *notes, const char *text)
{
    const json_t *known = json_object_get(notes->numbers, text);
    if (known)
        return (size_t)json_integer_value(known);
    if (!notes->numbers)
        notes->numbers = json_object();
    char **added = clopt_array_add(&notes->texts, &notes->count, sizeof *added);
    if (!added || !(*added = strdup(text)))
        return 0;
    /* A driver's message may be no UTF-8. */
    json_t *number = json_integer((json_int_t)notes->count);
    return json_object_set_new_nocheck(notes->numbers, text, number) ? 0 : notes->count;
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
    json_decref(notes->numbers);
    *notes = (struct clopt_notes){0};
}
