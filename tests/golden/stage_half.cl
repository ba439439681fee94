// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --memory=stage=all --vector=across=4,share=yes,aligned=yes
// What vload_half reads are elements like others, in a tile as floats; vectors of them are loaded as such.
__kernel void k(__global const half *a, __global const half *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = vload_half(2 * x, b) * vload_half(2 * x + 1, b) + vload_half(n * y + x, b);
    for (int k = 0; k < 16; k++)
        sum += vload_half(y * 16 + k, a);
    c[y * n + x] = sum;
}
