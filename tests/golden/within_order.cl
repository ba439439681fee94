/* SPDX-License-Identifier: BSD-3-Clause */
// --vector=within=4
__kernel void k(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n)
{
    float sum = 0, smooth = 0;
    for (int i = 0; i < n; i++) {
        float x = a[i] - 1;
        sum += x * b[n - i];
        smooth = smooth * 0.75f + (x * 0.25f + b[i]);
    }
    c[get_global_id(0)] = sum + smooth;
}
