/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-8 on the host: the kernel's tables, and what the kernel must compute with them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bits of a number of bytes. */
#define CRC8_TABLES 32

/* Makes table i: what becomes of a CRC when 2^i zero bytes follow. The polynomial is that of the
 * name, without x^8: 0x07 is x^8 + x^2 + x + 1. */
void crc8_make_tables(uint8_t polynomial, uint8_t tables[CRC8_TABLES][256]);

/* Returns the CRC of bytes, starting from 0: byte by byte in each of several pieces. */
uint8_t crc8_of(const uint8_t tables[CRC8_TABLES][256], const uint8_t *data, size_t size);

/* What a byte adds to the CRC, by its distance from the end. A zero byte multiplies a CRC by x^8.
 * The factors x of a polynomial vanish at the first of them, and what is left has a period of at
 * most 255: so few tables say it for any distance. */
struct crc8_answers {
    uint8_t tables[256][256]; /* table k: distance k + 1 */
    size_t period;            /* the number of tables that differ */
};

void crc8_answers_init(struct crc8_answers *answers, const uint8_t table[256]);

/* Bytes of data, and what was computed for each. */
struct crc8_band {
    const uint8_t *data;
    const uint8_t *actual;
    size_t count;
    size_t after; /* so many more bytes of data come after these */
};

/* Compares answers with what they must be. Returns how many are wrong; `wrong` gets the index of
 * the first of those. */
size_t crc8_answers_compare(const struct crc8_answers *answers, const struct crc8_band *band,
                            size_t *wrong);
