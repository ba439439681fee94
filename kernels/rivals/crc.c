/* SPDX-License-Identifier: BSD-3-Clause */
/* Cyclic redundancy checks, with OpenMP: CRC-8 with what each byte adds, and zlib's CRC-32 by
 * sixteen tables in two independent streams a thread. */
#include <rival.h>

#include <omp.h>

#define SLICES     16
#define POLYNOMIAL 0xEDB88320u

static uint32_t tables[SLICES][256];

static void make_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
        tables[0][i] = crc;
    }
    for (int k = 1; k < SLICES; k++)
        for (int i = 0; i < 256; i++)
            tables[k][i] = tables[0][tables[k - 1][i] & 255] ^ tables[k - 1][i] >> 8;
}

/* Adds sixteen bytes. */
static inline uint32_t add_slice(uint32_t crc, const uint8_t *data)
{
    uint64_t low, high;
    memcpy(&low, data, sizeof low);
    memcpy(&high, data + 8, sizeof high);
    low ^= crc;
    crc = 0;
    for (int k = 0; k < 8; k++)
        crc ^= tables[15 - k][low >> 8 * k & 255] ^ tables[7 - k][high >> 8 * k & 255];
    return crc;
}

/* Multiplies polynomials, the first bit being that of the highest power. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (int bit = 31; bit >= 0; bit--) {
        product ^= a >> bit & 1 ? b : 0;
        b = b & 1 ? b >> 1 ^ POLYNOMIAL : b >> 1;
    }
    return product;
}

/* Returns what a sum becomes when so many bytes of zero follow. */
static uint32_t shift(uint32_t crc, size_t bytes)
{
    uint32_t power = 1u << 23; /* x^8 */
    for (; bytes; bytes >>= 1, power = multiply(power, power))
        crc = bytes & 1 ? multiply(power, crc) : crc;
    return crc;
}

/* Returns the sum of a piece, in two halves at the same time. */
static uint32_t sum_piece(const uint8_t *data, size_t bytes)
{
    size_t half = bytes / 32 * 16;
    uint32_t one = 0, other = 0;
    for (size_t i = 0; i < half; i += SLICES) {
        one = add_slice(one, data + i);
        other = add_slice(other, data + half + i);
    }
    one = shift(one, half) ^ other;
    for (size_t i = 2 * half; i < bytes; i++)
        one = tables[0][(one ^ data[i]) & 255] ^ one >> 8;
    return one;
}

static uint32_t crc32(const uint8_t *data, size_t bytes)
{
    uint32_t sum = ~shift(UINT32_MAX, bytes);
#pragma omp parallel reduction(^ : sum)
    {
        size_t threads = (size_t)omp_get_num_threads(), own = (size_t)omp_get_thread_num();
        size_t from = bytes * own / threads, to = bytes * (own + 1) / threads;
        sum ^= shift(sum_piece(data + from, to - from), bytes - to);
    }
    return sum;
}

/* What a byte adds to a CRC-8 from so many bytes before the end; it recurs after `period` of them,
 * where it recurs at all. */
struct answers {
    uint8_t table[256][256];
    size_t period;
};

static void make_answers(struct answers *answers, unsigned polynomial)
{
    uint8_t(*table)[256] = answers->table;
    for (int i = 0; i < 256; i++) {
        unsigned crc = (unsigned)i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 128 ? (crc << 1 ^ polynomial) & 255 : crc << 1;
        table[0][i] = (uint8_t)crc;
    }
    for (answers->period = 1; answers->period < 256; answers->period++) {
        for (int i = 0; i < 256; i++)
            table[answers->period][i] = table[0][table[answers->period - 1][i]];
        if (memcmp(table[answers->period], table[0], 256) == 0)
            break;
    }
}

static uint8_t crc8(const uint8_t *data, size_t bytes, const struct answers *answers, uint8_t *out)
{
    const size_t period = answers->period;
    uint8_t sum = 0;
#pragma omp parallel for reduction(^ : sum)
    for (size_t row = 0; row < (bytes + period - 1) / period; row++) {
        size_t count = bytes - row * period < period ? bytes - row * period : period;
        const uint8_t *from = data + bytes - row * period - 1;
        uint8_t *to = out + bytes - row * period - 1;
        for (size_t i = 0; i < count; i++)
            sum ^= *(to - i) = answers->table[i][*(from - i)];
    }
    return sum;
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    const char *kernel = rival_text(&rival, "kernel"),
               *polynomial = rival_text(&rival, "polynomial");
    int is_crc32 = kernel && strcmp(kernel, "crc32") == 0;
    size_t bytes;
    const uint8_t *data = rival_input(&rival, "data", &bytes);
    uint32_t *crc = rival_result(&rival, "crc", sizeof *crc);
    uint8_t *each = is_crc32 ? NULL : rival_result(&rival, "answers", bytes);
    struct answers *answers = rival_memory(sizeof *answers);
    make_tables();
    make_answers(answers, polynomial ? (unsigned)strtoul(polynomial, NULL, 0) : 7);
    while (rival_next(&rival)) {
        rival_start(&rival);
        *crc = is_crc32 ? crc32(data, bytes) : crc8(data, bytes, answers, each);
        rival_stop(&rival);
    }
    return 0;
}
