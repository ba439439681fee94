// SPDX-License-Identifier: BSD-3-Clause
// Helpers whose parameters are arrays, and that write through pointers.
// local 16 global 64
int total(int p[2], const int q[2][3])
{
    return p[0] + 3 * p[1] + q[1][2];
}
void swap(int p[2])
{
    int t = p[0];
    p[0] = p[1];
    p[1] = t;
}
int twice(int x)
{
    return 2 * x;
}
void set(int *p, int x)
{
    (*p) = twice(x);
}
int in_tile(local int tile[16], int l)
{
    return tile[l] + tile[15 - l];
}
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0);
    int p[2] = {in[g], in[g + 1]}, q[2][3] = {{1, 2, 3}, {4, 5, in[g + 2]}};
    int doubled, quadrupled;
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    swap(p);
    set(&doubled, in[g]);
    set(&quadrupled, doubled);
    int sum = total(p, q);
    int near = in_tile(tile, l);
    out[g] = sum + doubled + quadrupled + near;
}
