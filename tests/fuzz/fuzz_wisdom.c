/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the reader of files of winners: of what it accepts, a winner is found
 * and maps launches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/winner.h"

#define MOST_BYTES (1 << 16) /* of a file */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void map(const struct clopt_winner *winner)
{
    const size_t global[] = {64, 64, 4}, local[] = {16, 4, 1};
    static const int64_t integers[MOST_BYTES] = {64, 1024, -1}; /* of no more arguments */
    static const uint64_t bytes[MOST_BYTES] = {4096, 48, 4096};
    struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS];
    struct clopt_winner_launch launch;
    if (strlen(clopt_winner_name(winner)) + strlen(clopt_winner_source(winner)) +
            strlen(clopt_winner_options(winner)) ==
        SIZE_MAX)
        abort();
    for (unsigned dimensions = 1; dimensions <= 3; dimensions++) {
        clopt_winner_map(winner, dimensions, global, local, NULL, &launch);
        clopt_winner_map(winner, dimensions, global, NULL, integers, &launch);
        clopt_winner_map_layouts(winner, dimensions, global, local, integers, bytes, &launch,
                                 shapes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    struct clopt_wisdom *wisdom = NULL;
    struct clopt_error error;
    const struct clopt_wanted wanted = {.kernel = "k", .device = "d"};
    if (size > MOST_BYTES)
        return 0;
    snprintf(path, sizeof path, "fuzz_wisdom.%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    if (clopt_wisdom_open(path, &wisdom, &error) == CLOPT_OK) {
        const struct clopt_winner *winner = clopt_wisdom_find(wisdom, &wanted);
        if (winner)
            map(winner);
        clopt_wisdom_close(wisdom);
    }
    unlink(path);
    return 0;
}
