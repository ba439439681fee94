// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// The global identity is made of the group's and the local one.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int group = get_group_id(0), lane = get_local_id(0), end = n / 300;
    int x = group * get_local_size(0) + lane, sum = 0;
    if (x >= end)
        return;
    for (int j = 0; j < 5; j++)
        sum += in[x + j] * (j + 1);
    out[x] = sum;
}
