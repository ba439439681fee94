/* SPDX-License-Identifier: BSD-3-Clause */
/* Four elements of two arrays an item, by vectors in disguise. */
__kernel void dot_product(__global const float *a, __global const float *b, __global float *c,
                          int elements)
{
    int gid = get_global_id(0);
    if (gid >= elements)
        return;
    int at = gid << 2;
    c[gid] = a[at] * b[at] + a[at + 1] * b[at + 1] + a[at + 2] * b[at + 2] + a[at + 3] * b[at + 3];
}
