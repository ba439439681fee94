/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of numbers, turned by an angle that follows a position. */
kernel void rope(global float *src0, ulong offset0, global int *pos, ulong offset1,
                 global float *dst, ulong offsetd, int ne00, int n_dims, float freq_base)
{
    src0 = (global float *)((global char *)src0 + offset0);
    pos = (global int *)((global char *)pos + offset1);
    dst = (global float *)((global char *)dst + offsetd);
    int row = get_group_id(0);
    for (int i = 2 * get_local_id(0); i < ne00; i += 2 * get_local_size(0)) {
        const float theta = pos[row] * pow(freq_base, -(float)i / n_dims);
        const float x0 = src0[row * ne00 + i], x1 = src0[row * ne00 + i + 1];
        dst[row * ne00 + i] = x0 * cos(theta) - x1 * sin(theta);
        dst[row * ne00 + i + 1] = x0 * sin(theta) + x1 * cos(theta);
    }
}
