/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the PGM reader: whatever it accepts must be in its bounds. */
#include "image.h"

#include <stdlib.h>

#define MOST 10000

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
    struct pgm image;
    enum clopt_status status = pgm_read(stream, "fuzz", MOST, &image, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    require(status != CLOPT_OK || image.pixels);
    if (status == CLOPT_OK) {
        require(image.rows >= 1 && image.columns >= 1 && image.rows * image.columns <= MOST);
        require(image.white >= 1 && image.white <= 65535);
        for (size_t i = 0; i < image.rows * image.columns; i++)
            require(image.pixels[i] <= image.white);
    }
    pgm_fini(&image);
    fclose(stream);
    return 0;
}
