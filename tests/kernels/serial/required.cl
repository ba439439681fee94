// SPDX-License-Identifier: BSD-3-Clause
// local 8x2 global 32x4
#define SIZE 8
__attribute__((work_group_size_hint(64, 1, 1))) __attribute__((reqd_work_group_size(SIZE, 2, 1)))
kernel void k(global const int *in, global int *out, int m)
{
    local int t[2][8];
    int x = get_local_id(0), y = get_local_id(1);
    int g = get_global_id(1) * 32 + get_global_id(0);
    int a = in[g], b = a * m;
    t[y][x] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = b + t[1 - y][7 - x];
}
