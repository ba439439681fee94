/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench/polybench tunes and not every device can do: PoCL 3.1 has no vload_half on processors.
 */

/* A product whose matrices are kept in half; vload_half needs no extension. */
kernel void half_product(global const half *a, global const half *b, global float *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += vload_half(i * n + k, a) * vload_half(k * n + j, b);
        c[i * n + j] = sum;
    }
}
