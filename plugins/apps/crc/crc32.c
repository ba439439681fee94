/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 eight bytes at a time, and the operators of GF(2) that shift a CRC by zero bytes. */
#include "crc32.h"

/* x^32 + x^26 + x^23 + ... + x + 1, the first bit last. */
#define POLYNOMIAL 0xEDB88320u

void crc32_make_tables(uint32_t tables[CRC32_SLICES][256])
{
    for (uint32_t value = 0; value < 256; value++) {
        uint32_t crc = value;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
        tables[0][value] = crc;
    }
    for (unsigned k = 1; k < CRC32_SLICES; k++)
        for (unsigned value = 0; value < 256; value++) {
            uint32_t crc = tables[k - 1][value];
            tables[k][value] = tables[0][crc & 0xff] ^ (crc >> 8);
        }
}

uint32_t crc32_of(const uint32_t tables[CRC32_SLICES][256], const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (; size >= 8; size -= 8, data += 8)
        crc = tables[7][data[0] ^ (crc & 0xff)] ^ tables[6][data[1] ^ ((crc >> 8) & 0xff)] ^
              tables[5][data[2] ^ ((crc >> 16) & 0xff)] ^ tables[4][data[3] ^ (crc >> 24)] ^
              tables[3][data[4]] ^ tables[2][data[5]] ^ tables[1][data[6]] ^ tables[0][data[7]];
    for (; size > 0; size--, data++)
        crc = tables[0][(crc ^ *data) & 0xff] ^ (crc >> 8);
    return ~crc;
}

size_t crc32_blocks(size_t size)
{
    return size / CRC32_BLOCK + (size % CRC32_BLOCK != 0);
}

/* Applies an operator as the kernel does. */
static uint32_t apply(const struct crc32_operator *operator, uint32_t crc)
{
    return operator->tables[3][crc & 0xff] ^ operator->tables[2][(crc >> 8) & 0xff] ^
    operator->tables[1][(crc >> 16) & 0xff] ^
    operator->tables[0][crc >> 24];
}

/* Makes an operator from what becomes of each bit. */
static void make_operator(const uint32_t images[32], struct crc32_operator *operator)
{
    for (unsigned byte = 0; byte < 4; byte++) {
        uint32_t *table = operator->tables[3 - byte];
        table[0] = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            for (unsigned value = 0; value < 1u << bit; value++)
                table[(1u << bit) + value] = table[value] ^ images[8 * byte + bit];
    }
}

/* Makes the operator that shifts by zero bytes, one after the other. */
static void make_shift(const uint32_t table[256], size_t bytes, struct crc32_operator *operator)
{
    uint32_t images[32];
    for (unsigned bit = 0; bit < 32; bit++) {
        uint32_t crc = UINT32_C(1) << bit;
        for (size_t i = 0; i < bytes; i++)
            crc = table[crc & 0xff] ^ (crc >> 8);
        images[bit] = crc;
    }
    make_operator(images, operator);
}

/* Returns the bytes of the last block; 0 where there is none. */
static size_t last_block(size_t size)
{
    return size == 0 ? 0 : (size - 1) % CRC32_BLOCK + 1;
}

void crc32_make_operators(const uint32_t table[256], size_t size,
                          struct crc32_operator operators[CRC32_OPERATORS])
{
    make_shift(table, CRC32_BLOCK, &operators[0]);
    for (unsigned i = 1; i < CRC32_OPERATORS - 1; i++) {
        uint32_t images[32];
        for (unsigned bit = 0; bit < 32; bit++)
            images[bit] = apply(&operators[i - 1], apply(&operators[i - 1], UINT32_C(1) << bit));
        make_operator(images, &operators[i]);
    }
    make_shift(table, last_block(size), &operators[CRC32_OPERATORS - 1]);
}

uint32_t crc32_of_zeros(const struct crc32_operator operators[CRC32_OPERATORS], size_t size)
{
    uint32_t crc = UINT32_MAX;
    size_t blocks = (size - last_block(size)) / CRC32_BLOCK;
    for (unsigned i = 0; i < CRC32_OPERATORS - 1; i++)
        if (blocks >> i & 1)
            crc = apply(&operators[i], crc);
    return ~apply(&operators[CRC32_OPERATORS - 1], crc);
}
