/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a * x + y; each work-item does ITEMS elements, as far apart as there are work-items. */
#ifndef ITEMS
#define ITEMS 4
#endif

__kernel void saxpy(__global float *y, __global const float *x, float a, int n)
{
    int first = get_global_id(0);
    int stride = get_global_size(0);
    for (int k = 0; k < ITEMS; k++) {
        int i = first + k * stride;
        if (i < n)
            y[i] = a * x[i] + y[i];
    }
}
