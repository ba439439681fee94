/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 (that of zlib, PNG and Ethernet) on the host: the kernels' tables, and a reference. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes that the kernel looks up at once; a table each. */
#define CRC32_SLICES 16

/* Bytes of a block, a multiple of 16; a number alone, as the kernels get it too. */
#define CRC32_BLOCK 4096

/* Operators for 2^0 to 2^31 blocks, and one for the last block. */
#define CRC32_OPERATORS 33

/* A linear map of CRCs, byte by byte, in the order of the kernel: table k is for byte 3 - k. */
struct crc32_operator {
    uint32_t tables[4][256];
};

/* Makes table k: the CRC of a byte with k zero bytes after it, starting from 0. */
void crc32_make_tables(uint32_t tables[CRC32_SLICES][256]);

/* Returns the CRC of bytes as zlib's crc32() defines it. */
uint32_t crc32_of(const uint32_t tables[CRC32_SLICES][256], const uint8_t *data, size_t size);

/* Returns how many blocks there are. */
size_t crc32_blocks(size_t size);

/* Makes the operators that shift a CRC by whole blocks, and by the last block of `size` bytes. */
void crc32_make_operators(const uint32_t table[256], size_t size,
                          struct crc32_operator operators[CRC32_OPERATORS]);

/* Returns the CRC of `size` zero bytes: what the parts are added to. It brings in that a CRC starts
 * from all ones and is inverted at the end, of which the kernels know nothing. */
uint32_t crc32_of_zeros(const struct crc32_operator operators[CRC32_OPERATORS], size_t size);
