/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction in which each work-item strides over the whole grid. */
__kernel void grid_stride(__global const double *in, __global double *out, int n)
{
    double sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}
