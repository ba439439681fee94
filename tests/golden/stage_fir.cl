// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --memory=stage=all --geometry=granularity=4
__kernel void k(__global const float *x, __constant float *h, __global float *y, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    float s = 0.0f;
    for (int j = 0; j < 64; j++)
        s += h[j] * x[i + j];
    y[i] = s;
}
