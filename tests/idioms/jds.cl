/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix by jagged diagonals, with a permutation. */
__kernel void spmv(__global float *dst, __global const float *data, __global const int *index,
                   __global const int *perm, __global const float *x, const int dim,
                   __constant int *jds_ptr, __constant int *depth)
{
    int ix = get_global_id(0);
    if (ix < dim) {
        float sum = 0;
        int bound = depth[ix / 32];
        for (int k = 0; k < bound; k++) {
            int j = jds_ptr[k] + ix;
            sum += data[j] * x[index[j]];
        }
        dst[perm[ix]] = sum;
    }
}
