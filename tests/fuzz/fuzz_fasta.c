/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the FASTA reader: whatever it accepts must be in its bounds. */
#include "fasta.h"

#include <stdlib.h>
#include <string.h>

#define MOST 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
    if (!stream)
        return 0;
    struct clopt_error error = {0};
    struct fasta fasta;
    enum clopt_status status = fasta_read(stream, "fuzz", MOST, &fasta, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    require(status != CLOPT_OK || fasta.letters);
    require(status != CLOPT_OK || (fasta.length >= 1 && fasta.length <= MOST));
    for (size_t i = 0; i < fasta.length; i++)
        require(fasta.letters[i] <= 26);
    require(strlen(fasta.name) < FASTA_NAME_SIZE);
    for (const char *c = fasta.name; *c; c++)
        require(*c > ' ' && *c < 127);
    fasta_free(&fasta);
    fclose(stream);
    return 0;
}
