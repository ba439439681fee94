// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --loops=registers=yes,restrict=yes,reassociate=yes --memory=stage=all
// What elements are multiplied by in each iteration they are multiplied by once, when the tile is
// filled, and products are accumulated one by one.
kernel void k(global const float *a, global const float *b, global float *c, float alpha, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    for (int k = 0; k < 16; k++)
        c[i * n + j] += alpha * a[i * 16 + k] * b[j * 16 + k] - (alpha * b[i * 16 + k]) * a[j * 16 + k];
}
