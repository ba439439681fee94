/* SPDX-License-Identifier: BSD-3-Clause */
/* Indices that count from 1, as in Fortran. */
__kernel void correlation(__global float *symmat, __global const float *data, int m, int n)
{
    int j1 = get_global_id(0) + 1;
    if (j1 >= 1 && j1 < m) {
        symmat[j1 * (m + 1) + j1] = 1;
        for (int j2 = j1 + 1; j2 < m + 1; j2++) {
            symmat[j1 * (m + 1) + j2] = 0;
            for (int i = 1; i < n + 1; i++)
                symmat[j1 * (m + 1) + j2] += data[i * (m + 1) + j1] * data[i * (m + 1) + j2];
            symmat[j2 * (m + 1) + j1] = symmat[j1 * (m + 1) + j2];
        }
    }
}
