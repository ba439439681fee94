/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads one sequence from a FASTA file. */
#pragma once

#include <clopt/error.h>

#define FASTA_NAME_SIZE 32

/* A sequence: letters A to Z are 0 to 25, * is 26. */
struct fasta {
    char name[FASTA_NAME_SIZE]; /* the first word of its header, cut; printable ASCII */
    uint8_t *letters;           /* for the caller to free */
    size_t length;
};

/* Reads a file of exactly one sequence, in either case, with at most `most` letters. Anything else
 * is CLOPT_INVALID, as `path:line: what`. `path` is for messages. To be freed in any case. */
enum clopt_status fasta_read(FILE *stream, const char *path, size_t most, struct fasta *fasta,
                             struct clopt_error *error);
void fasta_free(struct fasta *fasta);
