/* SPDX-License-Identifier: BSD-3-Clause */
/* A transposed matrix times a vector. */
typedef float DATA_TYPE;
__kernel void transposed(__global DATA_TYPE *A, __global DATA_TYPE *y, __global DATA_TYPE *tmp,
                         int nx, int ny)
{
    int j = get_global_id(0);
    if (j < ny) {
        y[j] = 0;
        for (int i = 0; i < nx; i++)
            y[j] += A[i * ny + j] * tmp[i];
    }
}
