// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --vector=across=4,share=yes,aligned=yes
__kernel void k(__global const float *x, __global float *y)
{
    int i = get_global_id(0);
    y[i] = x[i] + 2 * x[i + 1] + 3 * x[i + 2] + 4 * x[i + 3] + 5 * x[i + 4] + 6 * x[i + 5] +
           7 * x[i + 6] + 8 * x[i + 7] + 9 * x[i + 8];
}
