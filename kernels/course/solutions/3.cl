/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: a work-item makes a whole row of C, the NDRange has one dimension. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int j = 0; j < n; j++) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] += sum;
    }
}
