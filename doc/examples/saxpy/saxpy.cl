/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a * x + y, one work-item an element. */
__kernel void saxpy(__global const float *x, __global float *y, float a, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
