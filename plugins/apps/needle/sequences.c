/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the sequences that needle aligns. */
#include "sequences.h"

/* Draws letters of the twenty amino acids, from which one can also read A, C, G and T. */
static void make_random(uint64_t seed, uint64_t stream, size_t length, struct fasta *sequence)
{
    static const char amino_acids[] = "ACDEFGHIKLMNPQRSTVWY";
    struct clopt_random random = clopt_random_seed(seed, stream);
    sequence->letters = clopt_calloc(length, 1);
    sequence->length = length;
    snprintf(sequence->name, sizeof sequence->name, "random_%d", (int)stream + 1);
    for (size_t i = 0; i < length; i++)
        sequence->letters[i] = (uint8_t)(amino_acids[clopt_random_below(&random, 20)] - 'A');
}

static enum clopt_status read_file(const char *path, struct fasta *sequence,
                                   struct clopt_error *error)
{
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    return fasta_read(stream, path, NEEDLE_MOST_LETTERS, sequence, error);
}

/* Finds letters that the scores do not know. */
static enum clopt_status check_letters(const struct needle_scores *scores, const char *path,
                                       const struct fasta *sequence, struct clopt_error *error)
{
    for (size_t i = 0; i < sequence->length; i++) {
        uint8_t letter = sequence->letters[i];
        if (scores->table[letter * NEEDLE_LETTERS + letter] == NEEDLE_NO_SCORE)
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: BLOSUM62 has no scores for '%c', letter %zu of the sequence; "
                              "write X for it, or give match and mismatch",
                              path, needle_letter(letter), i + 1);
    }
    return CLOPT_OK;
}

/* Continues a sequence up to whole tiles. */
static void continue_sequence(struct fasta *sequence)
{
    size_t whole = clopt_round_up(sequence->length, NEEDLE_LARGEST_BLOCK);
    sequence->letters = clopt_realloc(sequence->letters, whole, 1);
    memset(sequence->letters + sequence->length, NEEDLE_CONTINUATION, whole - sequence->length);
}

static enum clopt_status check_size(const struct needle_sequences *sequences,
                                    struct clopt_error *error)
{
    size_t rows = needle_continued(sequences->first.length, 1);
    size_t stride = needle_stride(sequences->second.length, 1);
    if (rows > NEEDLE_MOST_CELLS / stride)
        return clopt_fail(error, CLOPT_INVALID,
                          "sequences of %zu and %zu letters are too long: their matrix has more "
                          "than 2^30 cells",
                          sequences->first.length, sequences->second.length);
    return CLOPT_OK;
}

enum clopt_status needle_sequences_create(const struct clopt_problem *problem,
                                          struct needle_sequences *sequences,
                                          struct clopt_error *error)
{
    *sequences = (struct needle_sequences){.first.letters = NULL};
    const char *first = clopt_values_text(problem->inputs, "first");
    const char *second = clopt_values_text(problem->inputs, "second");
    size_t length = (size_t)clopt_values_integer(problem->inputs, "length");
    needle_scores_make(problem->inputs, &sequences->scores);
    if (first) { /* and the second */
        CLOPT_TRY(read_file(first, &sequences->first, error));
        CLOPT_TRY(read_file(second, &sequences->second, error));
    } else {
        make_random(problem->seed, 0, length, &sequences->first);
        make_random(problem->seed, 1, length, &sequences->second);
    }
    CLOPT_TRY(check_letters(&sequences->scores, first, &sequences->first, error));
    CLOPT_TRY(check_letters(&sequences->scores, second, &sequences->second, error));
    CLOPT_TRY(check_size(sequences, error));
    continue_sequence(&sequences->first);
    continue_sequence(&sequences->second);
    return CLOPT_OK;
}

void needle_sequences_destroy(struct needle_sequences *sequences)
{
    fasta_free(&sequences->first);
    fasta_free(&sequences->second);
}
