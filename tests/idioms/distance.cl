/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel that has the name of a built-in function. */
__kernel void distance(__global float *result, __global const float *x, __global const float *y,
                       float px, float py, int count)
{
    int gid = get_global_id(0);
    if (gid < count)
        result[gid] = sqrt((x[gid] - px) * (x[gid] - px) + (y[gid] - py) * (y[gid] - py));
}
