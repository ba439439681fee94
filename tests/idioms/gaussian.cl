/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of Gaussian elimination: columns below a pivot that the host counts. */
__kernel void eliminate(__global float *a, __global float *b, __global const float *m,
                        const int size, const int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= size - 1 - t || y >= size - t)
        return;
    a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
    if (y == 0)
        b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
}
