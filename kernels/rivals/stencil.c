/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the heat equation, with OpenMP: the rival of kernels/coarsening/stencil.cl. */
#include <rival.h>

static void step(float *restrict after, const float *restrict before, size_t width, size_t height,
                 size_t depth)
{
    const size_t plane = width * height;
#pragma omp parallel for collapse(2)
    for (size_t z = 1; z < depth - 1; z++)
        for (size_t y = 1; y < height - 1; y++) {
            const float *row = before + z * plane + y * width;
#pragma omp simd
            for (size_t x = 1; x < width - 1; x++)
                after[z * plane + y * width + x] =
                    0.4f * row[x] + 0.1f * (row[x - 1] + row[x + 1] + (row - width)[x] +
                                            row[x + width] + (row - plane)[x] + row[x + plane]);
        }
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes, width = (size_t)rival_integer(&rival, "width", 0),
                  height = (size_t)rival_integer(&rival, "height", 0),
                  depth = (size_t)rival_integer(&rival, "depth", 0);
    const float *before = rival_input(&rival, "before", &bytes);
    float *after = rival_result(&rival, "after", bytes);
    while (rival_next(&rival)) {
        rival_start(&rival);
        step(after, before, width, height, depth);
        rival_stop(&rival);
    }
    return 0;
}
