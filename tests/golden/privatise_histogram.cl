// SPDX-License-Identifier: BSD-3-Clause
// --local=256 --geometry=group_loop=64 --memory=privatise=all,copies=4
kernel void k(global const uchar *x, global uint *bins, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_inc(&bins[x[i]]);
}
