// SPDX-License-Identifier: BSD-3-Clause
// A pointer to arrays is handed over to what is inlined.
// local 16 global 64
int middle(const int (*q)[3], int i)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return q[i][1];
}
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    int q[2][3] = {{1, 2, 3}, {4, in[g], 6}};
    int between = middle(q, 1);
    out[g] = between + q[1][2];
}
