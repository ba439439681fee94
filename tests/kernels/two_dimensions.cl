// SPDX-License-Identifier: BSD-3-Clause
// local 16x4 global 32x8
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[4][17];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[y * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int row = 0, column = 0;
    for (int i = 0; i < 16; i++)
        row += tile[ly][i];
    for (int i = 0; i < 4; i++)
        column += tile[i][lx];
    out[y * get_global_size(0) + x] = row * 3 + column;
    out[512 + y * 32 + x] = get_group_id(0) * 100 + get_num_groups(1) * 10 + get_local_size(0);
}
