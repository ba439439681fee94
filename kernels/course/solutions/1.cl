/* SPDX-License-Identifier: BSD-3-Clause */
/* c = a + b. A work-item makes one element: which one? The last work-items have none. */
__kernel void vadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
