/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the bytes that crc checks. */
#include "data.h"

#include <errno.h>
#include <sys/stat.h>

/* What a thread makes at a time: it does not depend on how many there are. */
#define PIECE_BYTES ((size_t)1 << 16)

static enum clopt_status allocate(size_t size, uint8_t **data, struct clopt_error *error)
{
    *data = malloc(size ? size : 1);
    return *data ? CLOPT_OK
                 : clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu bytes", size);
}

/* Fills a piece that has its own stream of the seed: eight bytes at a time, the low one first. */
static void fill_piece(struct clopt_random random, uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint64_t bits = clopt_random_next(&random);
        for (unsigned byte = 0; byte < 8 && i < size; byte++, bits >>= 8)
            data[i++] = (uint8_t)bits;
    }
}

static void fill_random(uint64_t seed, uint8_t *data, size_t size)
{
#pragma omp parallel for
    for (size_t at = 0; at < size; at += PIECE_BYTES)
        fill_piece(clopt_random_seed(seed, at / PIECE_BYTES), data + at,
                   size - at < PIECE_BYTES ? size - at : PIECE_BYTES);
}

/* Reads an open file to its end, of which fstat() told the place. */
static enum clopt_status read_bytes(const char *path, FILE *stream, uint8_t *data, size_t size,
                                    struct clopt_error *error)
{
    size_t count = fread(data, 1, size, stream);
    if (ferror(stream))
        return clopt_fail(error, CLOPT_FAILED, "%s: cannot be read: %s", path, strerror(errno));
    if (count < size || fgetc(stream) != EOF)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: changed its size while it was read (at byte %zu); try again when it "
                          "is complete",
                          path, count);
    return CLOPT_OK;
}

static enum clopt_status read_stream(const char *path, FILE *stream, uint8_t **data, size_t *size,
                                     struct clopt_error *error)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    if (info.st_size > CRC_MOST_BYTES)
        return clopt_fail(error, CLOPT_INVALID, "%s: has %lld bytes, at most %llu are possible",
                          path, (long long)info.st_size, (unsigned long long)CRC_MOST_BYTES);
    *size = (size_t)info.st_size;
    CLOPT_TRY(allocate(*size, data, error));
    return read_bytes(path, stream, *data, *size, error);
}

enum clopt_status crc_data_create(const struct clopt_problem *problem, uint8_t **data, size_t *size,
                                  struct clopt_error *error)
{
    *data = NULL;
    const char *path = clopt_values_text(problem->inputs, "input");
    CLOPT_CLOSED FILE *stream = NULL;
    if (path) {
        CLOPT_TRY(clopt_file_open(path, &stream, error));
        return read_stream(path, stream, data, size, error);
    }
    *size = (size_t)clopt_values_integer(problem->inputs, "size");
    CLOPT_TRY(allocate(*size, data, error));
    fill_random(problem->seed, *data, *size);
    return CLOPT_OK;
}
