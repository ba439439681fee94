/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a x + y, with OpenMP: the rival of kernels/examples/saxpy.cl. */
#include <rival.h>

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes;
    const float a = 2.5f, *x = rival_input(&rival, "x", &bytes),
                *initial = rival_input(&rival, "y", NULL);
    float *y = rival_result(&rival, "y", bytes);
    while (rival_next(&rival)) {
        memcpy(y, initial, bytes);
        rival_start(&rival);
#pragma omp parallel for simd
        for (size_t i = 0; i < bytes / sizeof *y; i++)
            y[i] += a * x[i];
        rival_stop(&rival);
    }
    return 0;
}
