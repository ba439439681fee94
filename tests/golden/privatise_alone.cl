// SPDX-License-Identifier: BSD-3-Clause
// --local=1 --geometry=group_loop=256 --memory=privatise=all,window=1000
kernel void k(global const int *key, global const uchar *x, global int *most, global uint *bins, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    atomic_max(&most[key[i]], x[i] - 3);
    atomic_inc(&bins[x[i]]);
}
