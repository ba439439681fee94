/* SPDX-License-Identifier: BSD-3-Clause */
/* The textbook's recurrence (Needleman, Wunsch, J. Mol. Biol. 48, 1970, with a linear gap), asked
 * of each cell and the neighbours that the device computed. Where all cells follow from their
 * neighbours, they are right by induction, and no cell has to wait for another one. */
#include "check.h"

enum clopt_status needle_check_init(struct needle_check *check,
                                    const struct needle_sequences *sequences,
                                    struct clopt_error *error)
{
    size_t columns = sequences->second.length;
    *check = (struct needle_check){.sequences = sequences};
    check->above = malloc(columns * sizeof *check->above);
    if (!check->above)
        return clopt_fail_memory(error);
    for (size_t x = 0; x < columns; x++)
        check->above[x] = (int32_t)(x + 1) * sequences->scores.gap;
    return CLOPT_OK;
}

void needle_check_fini(struct needle_check *check)
{
    free(check->above);
    *check = (struct needle_check){.above = NULL};
}

/* Adds as the device does: wrong cells may be any numbers. */
static int32_t add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

/* Returns the cell that follows from its neighbours in row `y` and in the one above. */
static int32_t follow(const struct needle_sequences *sequences, const int32_t *above,
                      const int32_t *row, size_t y, size_t x)
{
    const int32_t *scores = sequences->scores.table;
    int32_t gap = sequences->scores.gap;
    int32_t west = x > 0 ? row[x - 1] : (int32_t)(y + 1) * gap;
    int32_t north_west = x > 0 ? above[x - 1] : (int32_t)y * gap;
    int32_t letters = NEEDLE_LETTERS * sequences->first.letters[y] + sequences->second.letters[x];
    int32_t cell = add(north_west, scores[letters]);
    int32_t down = add(above[x], gap);
    int32_t right = add(west, gap);
    cell = cell < down ? down : cell;
    return cell < right ? right : cell;
}

void needle_check_rows(struct needle_check *check, const int32_t *rows, size_t stride, size_t count)
{
    const struct needle_sequences *sequences = check->sequences;
    size_t columns = sequences->second.length;
    size_t different = 0, first = SIZE_MAX;
#pragma omp parallel for reduction(+ : different) reduction(min : first)
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * stride;
        const int32_t *above = i > 0 ? row - stride : check->above;
        for (size_t x = 0; x < columns; x++) {
            if (row[x] == follow(sequences, above, row, check->rows + i, x))
                continue;
            different++;
            first = i * columns + x < first ? i * columns + x : first;
        }
    }
    if (different && !check->different) {
        size_t i = first / columns, x = first % columns;
        const int32_t *row = rows + i * stride;
        check->first_row = check->rows + i;
        check->first_column = x;
        check->actual = row[x];
        check->expected =
            follow(sequences, i > 0 ? row - stride : check->above, row, check->first_row, x);
    }
    check->different += different;
    check->rows += count;
    memcpy(check->above, rows + (count - 1) * stride, columns * sizeof *check->above);
}
