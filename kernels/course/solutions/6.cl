/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: a work-item makes a tile of TILE x TILE elements, from as many sums in registers.
 * Each element of A and of B that it loads is used TILE times. */
#define TILE 4

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    float sums[TILE][TILE] = {{0.0f}};
    int i = get_global_id(1) * TILE;
    int j = get_global_id(0) * TILE;
    for (int k = 0; k < n; k++) {
        float column[TILE];
        float row[TILE];
        for (int t = 0; t < TILE; t++) {
            column[t] = i + t < n ? a[(i + t) * n + k] : 0.0f;
            row[t] = j + t < n ? b[k * n + j + t] : 0.0f;
        }
        for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++)
                sums[y][x] += column[y] * row[x];
    }
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            if (i + y < n && j + x < n)
                c[(i + y) * n + j + x] += sums[y][x];
}
