/* SPDX-License-Identifier: BSD-3-Clause */
/* Three arrays, as bandwidth is measured. */
__kernel void triad(__global const float *restrict a, __global const float *restrict b,
                    __global float *restrict c, const float s)
{
    int gid = get_global_id(0);
    c[gid] = a[gid] + s * b[gid];
}
