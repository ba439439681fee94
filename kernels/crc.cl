/* SPDX-License-Identifier: BSD-3-Clause */
/* Cyclic redundancy checks: CRC-8 byte by byte (thesis, section 6.2), and CRC-32 block by block.
 *
 *     compute, reduce                 crc8: what each byte adds to the CRC; the XOR of all of it
 *     crc32_blocks, crc32_combine     crc32: the CRC of each block; the XOR of all, each shifted
 *                                     by the number of bytes behind it
 *
 * A CRC that starts from 0 is linear: the CRC of a XOR of two streams is the XOR of their CRCs. So
 * bytes and blocks can be looked at one by one, as if all others were 0. */

/* One work-item a byte. Table i says what becomes of a CRC when 2^i zero bytes follow; those of the
 * bits that are set in the number of bytes from here to the end are looked up one after the other.
 */
__kernel void compute(__global const uchar *g_num, __global const uchar *g_tables,
                      __global uchar *g_answer, uint num_size, int numTables)
{
    uint tid = get_global_id(0);

    if (tid < num_size) {
        uint val = num_size - tid;
        uchar temp = g_num[tid];
        int i;

        for (i = 0; i < numTables; i++) {
            if (((val >> i) % 2) == 1)
                temp = g_tables[i * 256 + temp];
        }

        g_answer[tid] = temp;
    }
}

/* Adds the XOR of `num_size` answers to `g_crc`. Each work-item takes REDUCE_VECTORS vectors of 16
 * answers, next to those of its neighbours in the work-group. */
__kernel void reduce(__global const uint4 *g_answer, __global uint *g_crc, uint num_size)
{
    uint vectors = num_size / 16;
    uint first = get_group_id(0) * get_local_size(0) * REDUCE_VECTORS + get_local_id(0);
    uint4 sum = (uint4)(0, 0, 0, 0);
    uint word;
    uint i;

    for (i = 0; i < REDUCE_VECTORS; i++) {
        uint vector = first + i * get_local_size(0);

        if (vector < vectors)
            sum ^= g_answer[vector];
    }
    word = sum.x ^ sum.y ^ sum.z ^ sum.w;

    /* The answers behind the last whole vector. */
    if (get_global_id(0) == 0) {
        __global const uchar *answers = (__global const uchar *)g_answer;

        for (i = vectors * 16; i < num_size; i++)
            word ^= answers[i];
    }

    atomic_xor(g_crc, (word ^ (word >> 8) ^ (word >> 16) ^ (word >> 24)) & 0xff);
}

/* Looks up the four bytes of a word in four tables: the first byte in the last one. */
uint look_up(__global const uint *tables, uint word)
{
    return tables[3 * 256 + (word & 0xff)] ^ tables[2 * 256 + ((word >> 8) & 0xff)] ^
           tables[256 + ((word >> 16) & 0xff)] ^ tables[word >> 24];
}

/* Adds 16 bytes to a CRC. Table k of 16 is the CRC of a byte with k zero bytes behind it. */
uint add_words(__global const uint *g_tables, uint crc, uint4 words)
{
    return look_up(g_tables + 12 * 256, words.x ^ crc) ^ look_up(g_tables + 8 * 256, words.y) ^
           look_up(g_tables + 4 * 256, words.z) ^ look_up(g_tables, words.w);
}

#if WIDE

/* Bytes of a round of divide(), which are 32 vectors. */
#define ROUND 2048

/* Which of the last digits of a quotient change the next one: the CRC's polynomial, from x^26 down
 * to 1. */
__constant int distances[14] = {6, 9, 10, 16, 20, 21, 22, 24, 25, 27, 28, 30, 31, 32};

/* Makes of some rounds (two or more) 32 vectors that have the same CRC.
 *
 * A CRC is the remainder of a division by a polynomial P(x). That by P(x)^512 = P(x^512), of which
 * P(x) is a factor, needs no tables: each of its digits is a vector of 512 bits, and the
 * coefficients are those of P. */
void divide(__global const uint *data, uint rounds, uint16 *digits)
{
    uint i, k, n;

    for (k = 0; k < 32; k++)
        digits[k] = 0;
    for (i = 0; i + 1 < rounds; i++) {
#pragma unroll
        for (k = 0; k < 32; k++)
            digits[k] ^= vload16(32 * i + k, data) ^ digits[(k - 6) % 32] ^ digits[(k - 9) % 32] ^
                         digits[(k - 10) % 32] ^ digits[(k - 16) % 32] ^ digits[(k - 20) % 32] ^
                         digits[(k - 21) % 32] ^ digits[(k - 22) % 32] ^ digits[(k - 24) % 32] ^
                         digits[(k - 25) % 32] ^ digits[(k - 27) % 32] ^ digits[(k - 28) % 32] ^
                         digits[(k - 30) % 32] ^ digits[(k - 31) % 32];
    }
    /* What the quotient leaves of the last round. */
    for (k = 0; k < 32; k++) {
        uint16 rest = vload16(32 * i + k, data);

        for (n = 0; n < 14; n++) {
            if (distances[n] > k)
                rest ^= digits[32 + k - distances[n]];
        }
        digits[k] = rest;
    }
}

/* One work-item for the WIDE_BLOCKS blocks of CRC32_BLOCK bytes: the last one gets the CRC of all,
 * and the others none. */
__kernel void crc32_blocks(__global const uint4 *g_data, __global const uint *g_tables,
                           __global uint *g_parts, ulong num_size)
{
    const ulong all = CRC32_BLOCK * WIDE_BLOCKS;
    ulong begin = get_global_id(0) * all;

    if (begin < num_size) {
        __global const uint4 *vectors = g_data + begin / 16;
        __global const uchar *bytes = (__global const uchar *)vectors;
        uint length = min(num_size - begin, all);
        uint last = (length - 1) / CRC32_BLOCK;
        uint crc = 0;
        uint i = 0;

        if (length >= 2 * ROUND) {
            uint16 digits[32];

            divide((__global const uint *)vectors, length / ROUND, digits);
            for (i = 0; i < ROUND / 16; i++)
                crc = add_words(g_tables, crc, ((const uint4 *)digits)[i]);
            i = length / ROUND * (ROUND / 16);
        }
        for (; i < length / 16; i++)
            crc = add_words(g_tables, crc, vectors[i]);
        for (i = length / 16 * 16; i < length; i++)
            crc = g_tables[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);

        for (i = 0; i <= last; i++)
            g_parts[begin / CRC32_BLOCK + i] = i == last ? crc : 0;
    }
}

#else

/* One work-item a block of CRC32_BLOCK bytes, the last of which may be shorter; 16 bytes at once.
 */
__kernel void crc32_blocks(__global const uint4 *g_data, __global const uint *g_tables,
                           __global uint *g_parts, ulong num_size)
{
    ulong begin = (ulong)get_global_id(0) * CRC32_BLOCK;

    if (begin < num_size) {
        __global const uint4 *vectors = g_data + begin / 16;
        __global const uchar *bytes = (__global const uchar *)vectors;
        uint length = min(num_size - begin, (ulong)CRC32_BLOCK);
        uint crc = 0;
        uint i;

        for (i = 0; i < length / 16; i++)
            crc = add_words(g_tables, crc, vectors[i]);

        for (i = length / 16 * 16; i < length; i++)
            crc = g_tables[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);

        g_parts[get_global_id(0)] = crc;
    }
}

#endif

/* One work-item a block: adds its CRC, shifted by the bytes behind it, to `g_crc`. Operator i
 * shifts by 2^i whole blocks, operator 32 by the last block. */
__kernel void crc32_combine(__global const uint *g_parts, __global const uint *g_operators,
                            __global uint *g_crc, uint num_parts)
{
    uint part = get_global_id(0);

    if (part < num_parts) {
        uint crc = g_parts[part];
        int i;

        if (part < num_parts - 1) {
            uint blocks = num_parts - 2 - part;

            for (i = 0; i < 32; i++) {
                if (((blocks >> i) & 1) == 1)
                    crc = look_up(g_operators + i * 1024, crc);
            }
            crc = look_up(g_operators + 32 * 1024, crc);
        }

        atomic_xor(g_crc, crc);
    }
}
