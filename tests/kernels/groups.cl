// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 24x12
// Merged work-groups: three of them, local memory, barriers in loops, whatever asks for groups.
uint corner(uint a)
{
    return get_group_id(0) * 100 + get_num_groups(0) + get_group_id(1) * get_global_size(0) + a;
}

kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    local int tile[4][8], shared;
    int lx = get_local_id(0), ly = get_local_id(1);
    int steps = 3, sum = in[y * width + x], i;
    local int *place = &tile[ly][0];

    if (lx == 0 && ly == 0)
        shared = get_group_id(1);
    tile[ly][lx] = in[y * width + x] + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = 0; i < steps; i++) {
        sum += place[(lx + i) & 7] * i;
        if (get_group_id(0) % 2)
            sum ^= tile[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        place[lx] += sum + shared;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < 13) {
        for (i = 0; i < steps; i++)
            sum += tile[i][7 - lx];
    } else {
        int more = steps;
        while (more-- > 0)
            sum -= place[more] * more;
    }
    out[y * width + x] = sum + corner(steps);
    out[1024 + y * width + x] = get_num_groups(0) * 10 + get_num_groups(1) + get_local_size(0);
    if (lx == 0 && ly == 0)
        out[4096 + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = shared;
}
