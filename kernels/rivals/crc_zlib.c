/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 by zlib: a piece for each thread, and the sums combined. */
#include <rival.h>

#include <omp.h>
#include <zlib.h>

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes, threads = (size_t)omp_get_max_threads();
    const unsigned char *data = rival_input(&rival, "data", &bytes);
    uint32_t *crc = rival_result(&rival, "crc", sizeof *crc);
    uLong *sums = rival_memory(threads * sizeof *sums);
    while (rival_next(&rival)) {
        rival_start(&rival);
#pragma omp parallel for schedule(static, 1)
        for (size_t i = 0; i < threads; i++) {
            size_t from = bytes * i / threads, to = bytes * (i + 1) / threads;
            sums[i] = crc32_z(crc32_z(0, NULL, 0), data + from, to - from);
        }
        uLong sum = sums[0];
        for (size_t i = 1; i < threads; i++)
            sum = crc32_combine(sum, sums[i],
                                (z_off_t)(bytes * (i + 1) / threads - bytes * i / threads));
        *crc = (uint32_t)sum;
        rival_stop(&rival);
    }
    return 0;
}
