// SPDX-License-Identifier: BSD-3-Clause
// Groups of which some have none across the diagonal, and identities in a function.
// local 4x8 global 64x24
int place(int width)
{
    return get_global_id(1) * width + get_global_id(0);
}

kernel void k(global const int *in, global int *out, int n)
{
    int at = place(get_global_size(0));
    int s = in[at] + get_num_groups(0);
    if (get_group_id(0) > get_group_id(1) + 3)
        s *= 3;
    for (int i = 0; i < (in[at] & 7); i++)
        s = s * 5 + get_local_id(1) * i;
    if (s & 1)
        out[at] += s;
    else
        out[at] -= s + get_group_id(0);
}
