/* SPDX-License-Identifier: BSD-3-Clause */
/* Many small systems, a work-item each, one after the other. */
__kernel void thomas(__global const float *a, __global const float *b, __global const float *c,
                     __global float *d, __global float *x, int system_size, int num_systems)
{
    int i = get_global_id(0);
    if (i >= num_systems)
        return;
    int base = i * system_size;
    float scale = 1 / (b[base] + 4);
    d[base] *= scale;
    for (int j = 1; j < system_size; j++)
        d[base + j] = (d[base + j] - a[base + j] * d[base + j - 1]) * scale;
    x[base + system_size - 1] = d[base + system_size - 1];
    for (int j = system_size - 2; j >= 0; j--)
        x[base + j] = d[base + j] - c[base + j] * scale * x[base + j + 1];
}
