/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the Matrix Market reader: whatever it accepts must be in its bounds. */
#include "../../plugins/shared/matrix_market.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

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
    struct matrix_market matrix;
    enum clopt_status status = matrix_market_begin(&matrix, stream, "fuzz", MOST, &error);
    for (uint64_t i = 0; status == CLOPT_OK && i < matrix.entries; i++) {
        struct matrix_market_entry entry;
        status = matrix_market_next(&matrix, &entry, &error);
        if (status != CLOPT_OK)
            break;
        require(matrix.rows <= MOST && matrix.columns <= MOST);
        require(entry.row < matrix.rows && entry.column < matrix.columns);
        require(isfinite(entry.value));
        require(matrix.symmetry == MATRIX_GENERAL || entry.row >= entry.column);
    }
    if (status == CLOPT_OK)
        status = matrix_market_end(&matrix, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    fclose(stream);
    return 0;
}
