/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a x + y, with ITEMS elements a work-item. */
__kernel void saxpy(__global float *y, __constant float *x, float a, int n)
{
    for (int i = 0; i < ITEMS; i++) {
        int element = ((int)get_group_id(0) * ITEMS + i) * WG + (int)get_local_id(0);
        if (element < n)
            y[element] += a * x[element];
    }
}
