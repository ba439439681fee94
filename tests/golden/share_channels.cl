// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --loops=divide=32,share=7,reassociate=yes
kernel void k(global const float *x, global float *mean, global float *most, int images, int pixels)
{
    int c = get_global_id(0);
    if (c < 100) {
        float sum = 1, best = 0;
        for (int n = 0; n < images; n++)
            for (int p = 0; p < 3136; p++) {
                sum += x[(n * 100 + c) * pixels + p];
                best = fmax(best, x[(n * 100 + c) * pixels + p]);
            }
        mean[c] = sum / (images * pixels);
        most[c] = best;
    }
}
