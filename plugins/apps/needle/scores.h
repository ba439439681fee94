/* SPDX-License-Identifier: BSD-3-Clause */
/* What aligning two letters adds to the score of an alignment. */
#pragma once

#include <clopt/clopt.h>

/* Numbers a letter has in a table of scores; the kernels' LETTERS. The codes are those of
 * fasta.h; the last one continues sequences and scores 0 with all. */
#define NEEDLE_LETTERS      32
#define NEEDLE_CONTINUATION 31
#define NEEDLE_NO_SCORE     INT32_MIN /* BLOSUM62 does not know the letter */

struct needle_scores {
    int32_t table[NEEDLE_LETTERS * NEEDLE_LETTERS];
    int32_t gap;
    bool blosum62;
    int32_t match; /* where it is not BLOSUM62 */
    int32_t mismatch;
};

/* Makes the scores that a problem asks for: those of BLOSUM62 where it has no `match`. */
void needle_scores_make(const struct clopt_values *inputs, struct needle_scores *scores);

/* Returns the letter of a code. */
static inline char needle_letter(uint8_t code)
{
    return code < 26 ? (char)('A' + code) : '*';
}
