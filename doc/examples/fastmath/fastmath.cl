/* SPDX-License-Identifier: BSD-3-Clause */
/* A damped wave, one work-item an element: something for the optimization to change. */
__kernel void wave(__global float *y, __global const float *x, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = exp(-x[i] * x[i]) * sin(3.0f * x[i] + sqrt(fabs(x[i])));
}
