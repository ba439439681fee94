/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram of bytes: elements too narrow for every index of what they choose. */
__kernel void byte_bins(__global const uchar *data, __global uint *bins, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_inc(&bins[data[i]]);
}
