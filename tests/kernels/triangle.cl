// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Both triangles of a matrix: what iterations write to either side of the diagonal does not meet.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int i = get_global_id(0), m = n / 250;
    if (i < m)
        for (int j = i; j < m; j++) {
            int sum = 0;
            for (int k = 0; k < m; k++)
                sum += in[k * m + i] * in[k * m + j];
            out[i * m + j] = sum / 3;
            out[j * m + i] = out[i * m + j];
        }
}
