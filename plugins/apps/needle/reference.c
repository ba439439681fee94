/* SPDX-License-Identifier: BSD-3-Clause */
/* The textbook's recurrence (Needleman, Wunsch, J. Mol. Biol. 48, 1970, with a linear gap). */
#include "reference.h"

#include <stdlib.h>

enum clopt_status needle_reference_init(struct needle_reference *reference,
                                        const struct needle_sequences *sequences,
                                        struct clopt_error *error)
{
    size_t columns = sequences->second.length;
    *reference = (struct needle_reference){.sequences = sequences};
    reference->row = malloc(columns * sizeof *reference->row);
    if (!reference->row)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for the reference");
    for (size_t x = 0; x < columns; x++)
        reference->row[x] = (int32_t)(x + 1) * sequences->scores.gap;
    return CLOPT_OK;
}

void needle_reference_fini(struct needle_reference *reference)
{
    free(reference->row);
    *reference = (struct needle_reference){.row = NULL};
}

void needle_reference_next(struct needle_reference *reference)
{
    const struct needle_sequences *sequences = reference->sequences;
    const int32_t *scores =
        sequences->scores.table + NEEDLE_LETTERS * sequences->first.letters[reference->rows];
    int32_t gap = sequences->scores.gap;
    int32_t north_west = (int32_t)reference->rows * gap;
    int32_t west = north_west + gap;
    for (size_t x = 0; x < sequences->second.length; x++) {
        int32_t north = reference->row[x];
        int32_t cell = north_west + scores[sequences->second.letters[x]];
        if (cell < north + gap)
            cell = north + gap;
        if (cell < west + gap)
            cell = west + gap;
        reference->row[x] = west = cell;
        north_west = north;
    }
    reference->rows++;
}
