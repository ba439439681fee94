// SPDX-License-Identifier: BSD-3-Clause
// --local=16x8 --memory=stage=all
/* A cross, of which nobody reads the corners, by all but the work-items at the border. */
kernel void k(global const float *restrict in, global float *restrict out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        out[y * w + x] = in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                         in[(y + 1) * w + x];
}
