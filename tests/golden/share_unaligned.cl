// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --vector=across=8,share=yes
// What is not known to be aligned ends with a whole vector.
__kernel void k(__global const float *x, __global float *y)
{
    int i = get_global_id(0);
    y[i] = x[2 * i + 1] + x[2 * i + 2] + x[2 * i + 3];
}
