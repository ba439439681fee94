/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass of Floyd's and Warshall's algorithm: each work-item asks whether the way from vertex y to
 * vertex x is shorter through vertex k. Merged in dimension 1, work-items share ways[k][x]; merged in
 * dimension 0, they share ways[y][k]. */
__kernel void floydWarshall(__global int *ways, int n, int k)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    int direct = ways[y * n + x];
    int through = ways[y * n + k] + ways[k * n + x];
    if (through < direct)
        ways[y * n + x] = through;
}
