// SPDX-License-Identifier: BSD-3-Clause
// Local memory that is an argument: a part for each merged work-group, through pointers, helpers and
// casts, with barriers in loops.
// local 8 global 56
// argument local 84
int neighbour(local const int *row, int at)
{
    return row[at & 7] + (int)get_group_id(0);
}

kernel void k(global const int *in, global int *out, int n, local int *t)
{
    int l = get_local_id(0), g = get_global_id(0);
    local int *upper = t + 8;
    local uint4 *wide = (local uint4 *)t;
    int sum = in[g];
    t[l] = in[g] & 255;
    upper[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        sum += neighbour(t, l + i) * upper[7 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        upper[l] += sum & 15;
        if (get_group_id(0) & 1)
            t[l] ^= i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum + (int)wide[l & 3].y;
    if (g == 3)
        return;
    out[1024 + g] = upper[l] - t[7 - l];
}
