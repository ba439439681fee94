/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of scores: BLOSUM62, or one number for equal letters and one for different ones. */
#include "scores.h"

#define BLOSUM62_SIZE 24

static const char blosum62_letters[BLOSUM62_SIZE + 1] = "ARNDCQEGHILKMFPSTWYVBZX*";

/* The lower triangle (Henikoff, Henikoff: Amino acid substitution matrices from protein blocks,
 * PNAS 1992), in the order of the letters above. */
static const int8_t blosum62[BLOSUM62_SIZE][BLOSUM62_SIZE] = {
    {4},
    {-1, 5},
    {-2, 0, 6},
    {-2, -2, 1, 6},
    {0, -3, -3, -3, 9},
    {-1, 1, 0, 0, -3, 5},
    {-1, 0, 0, 2, -4, 2, 5},
    {0, -2, 0, -1, -3, -2, -2, 6},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8},
    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4},
    {-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5},
    {-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5},
    {-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6},
    {-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7},
    {1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4},
    {0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5},
    {-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11},
    {-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7},
    {0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4},
    {-2, -1, 3, 4, -3, 0, 1, -1, 0, -3, -4, 0, -3, -3, -2, 0, -1, -4, -3, -3, 4},
    {-1, 0, 0, 1, -3, 3, 4, -2, 0, -3, -3, 1, -1, -3, -1, 0, -1, -3, -2, -2, 1, 4},
    {0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0, 0, -2, -1, -1, -1, -1, -1},
    {-4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 1},
};

static int letter_code(char letter)
{
    return letter == '*' ? 26 : letter - 'A';
}

static void fill_blosum62(int32_t *table)
{
    for (int i = 0; i < NEEDLE_LETTERS * NEEDLE_LETTERS; i++)
        table[i] = NEEDLE_NO_SCORE;
    for (int row = 0; row < BLOSUM62_SIZE; row++)
        for (int column = 0; column <= row; column++) {
            int a = letter_code(blosum62_letters[row]);
            int b = letter_code(blosum62_letters[column]);
            table[a * NEEDLE_LETTERS + b] = table[b * NEEDLE_LETTERS + a] = blosum62[row][column];
        }
}

void needle_scores_make(const struct clopt_values *inputs, struct needle_scores *scores)
{
    *scores = (struct needle_scores){
        .gap = (int32_t)clopt_values_integer(inputs, "gap"),
        .blosum62 = !clopt_values_has(inputs, "match"),
        .match = (int32_t)clopt_values_integer(inputs, "match"),
        .mismatch = (int32_t)clopt_values_integer(inputs, "mismatch"),
    };
    if (scores->blosum62)
        fill_blosum62(scores->table);
    else {
        for (int a = 0; a < NEEDLE_LETTERS; a++)
            for (int b = 0; b < NEEDLE_LETTERS; b++)
                scores->table[a * NEEDLE_LETTERS + b] = a == b ? scores->match : scores->mismatch;
    }
    for (int letter = 0; letter < NEEDLE_LETTERS; letter++) {
        scores->table[NEEDLE_CONTINUATION * NEEDLE_LETTERS + letter] = 0;
        scores->table[letter * NEEDLE_LETTERS + NEEDLE_CONTINUATION] = 0;
    }
}
