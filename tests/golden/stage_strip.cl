// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --memory=stage=all
/* Loops of unknown trip counts are split: one whose counter is read after it, and one that counts down. */
kernel void k(global const float *restrict a, global const float *restrict b, global float *restrict c, int n)
{
    int x = get_global_id(0), y = get_global_id(1), k;
    float sum = 0;
    for (k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    for (uint j = 0; j < n; j += 2)
        sum += a[j];
    for (int j = n; j > 0; j--)
        sum -= b[j];
    c[y * n + x] = sum + k;
}
