// SPDX-License-Identifier: BSD-3-Clause
// local 4x4x1 global 12x8x4
// Products for each index of dimension 2, whose guards are of all dimensions, by doubles.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global const int *in, global int *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1), p = get_global_id(2);
    if (n / 1500 > col && row < n / 3000 && p < n / 5000) {
        double sum = col;
        for (int i = 0; i < 21; i++)
            sum += (double)in[(p * 5 + row) * 21 + i] * in[n - 630 + (p * 21 + i) * 10 + col];
        out[(p * 5 + row) * 10 + col] = (int)sum;
    }
}
