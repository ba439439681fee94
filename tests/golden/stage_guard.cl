// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --variant='loops(tile=16,registers=yes)+memory(stage=all)'
kernel void k(global const float *restrict a, global float *restrict c, float alpha, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n) {
        float factor = alpha;
        /* rows of one buffer, of which one differs between neighbours */
        if (j < n) {
            c[i * n + j] *= factor;
            for (int k = 0; k < m; k++)
                c[i * n + j] += a[i * m + k] * a[j * m + k];
        }
    }
}
