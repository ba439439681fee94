/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-8 by bits, by bytes, and by pieces that threads share. */
#include "crc8.h"

#include <string.h>

/* What a thread takes at a time, and how many of them there are at once. */
#define PIECE_BITS  16
#define PIECE_BYTES ((size_t)1 << PIECE_BITS)
#define PIECES      64

void crc8_make_tables(uint8_t polynomial, uint8_t tables[CRC8_TABLES][256])
{
    for (unsigned value = 0; value < 256; value++) {
        unsigned crc = value;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (crc << 1) ^ polynomial : crc << 1;
        tables[0][value] = (uint8_t)crc;
    }
    for (unsigned i = 1; i < CRC8_TABLES; i++)
        for (unsigned value = 0; value < 256; value++)
            tables[i][value] = tables[i - 1][tables[i - 1][value]];
}

/* Continues a CRC. */
static uint8_t continue_crc(const uint8_t table[256], uint8_t crc, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        crc = table[crc ^ data[i]];
    return crc;
}

uint8_t crc8_of(const uint8_t tables[CRC8_TABLES][256], const uint8_t *data, size_t size)
{
    uint8_t pieces[PIECES];
    uint8_t crc = 0;
    while (size >= PIECE_BYTES) {
        size_t count = size / PIECE_BYTES < PIECES ? size / PIECE_BYTES : PIECES;
#pragma omp parallel for
        for (size_t i = 0; i < count; i++)
            pieces[i] = continue_crc(tables[0], 0, data + i * PIECE_BYTES, PIECE_BYTES);
        for (size_t i = 0; i < count; i++)
            crc = tables[PIECE_BITS][crc] ^ pieces[i];
        data += count * PIECE_BYTES;
        size -= count * PIECE_BYTES;
    }
    return continue_crc(tables[0], crc, data, size);
}

void crc8_answers_init(struct crc8_answers *answers, const uint8_t table[256])
{
    memcpy(answers->tables[0], table, 256);
    for (answers->period = 1; answers->period < 256; answers->period++) {
        uint8_t *next = answers->tables[answers->period];
        for (unsigned value = 0; value < 256; value++)
            next[value] = table[answers->tables[answers->period - 1][value]];
        if (memcmp(answers->tables[0], next, 256) == 0)
            break;
    }
}

size_t crc8_answers_compare(const struct crc8_answers *answers, const struct crc8_band *band,
                            size_t *wrong)
{
    size_t mismatches = 0, first = SIZE_MAX;
#pragma omp parallel for reduction(+ : mismatches) reduction(min : first)
    for (size_t at = 0; at < band->count; at += PIECE_BYTES) {
        size_t end = band->count - at < PIECE_BYTES ? band->count : at + PIECE_BYTES;
        size_t table = (band->after + band->count - end) % answers->period;
        for (size_t i = end; i-- > at;) {
            if (band->actual[i] != answers->tables[table][band->data[i]]) {
                mismatches++;
                first = i < first ? i : first;
            }
            if (++table == answers->period)
                table = 0;
        }
    }
    if (mismatches)
        *wrong = first;
    return mismatches;
}
