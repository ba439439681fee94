// SPDX-License-Identifier: BSD-3-Clause
// --local=16x4 --memory=privatise=all,window=1024
kernel void k(global const int *key, global const int *x, volatile global int *most, global long *total, int width)
{
    int i = get_global_id(1) * width + get_global_id(0);
    /* the largest for each key */
    atomic_max(&most[key[i]], x[i]);
    atom_add(total, (long)x[i]); // of all
}
