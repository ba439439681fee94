/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: a work-item makes a whole row of C, the NDRange has one dimension. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    /* TODO: a loop over the columns j, and in it that of exercise 2 */
}
