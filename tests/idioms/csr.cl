/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix by compressed rows, a group of work-items a row. */
#define WARP 32
__kernel void csr(__global const float *restrict val, __global const float *restrict vec,
                  __global const int *restrict cols, __global const int *restrict row_delimiters,
                  const int dim, const int vec_width, __global float *restrict out)
{
    int t = get_local_id(0), id = t & (vec_width - 1);
    int rows_per_block = get_local_size(0) / vec_width;
    int row = get_group_id(0) * rows_per_block + t / vec_width;
    __local volatile float partial[128];
    partial[t] = 0;
    if (row < dim) {
        float mine = 0;
        for (int j = row_delimiters[row] + id; j < row_delimiters[row + 1]; j += vec_width)
            mine += val[j] * vec[cols[j]];
        partial[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < dim && id == 0) {
        for (int k = 1; k < vec_width; k++)
            partial[t] += partial[t + k];
        out[row] = partial[t];
    }
}
