/* SPDX-License-Identifier: BSD-3-Clause */
/* eval_dense of eval.cl as a GPU has it: a row is a work-group's. Neighbours read neighbours, and the
 * sums of work-items become one in local memory. */
#ifndef REAL
#define REAL float
#endif

typedef REAL real;

__kernel void eval_dense_group(__global const real *l, __global const real *x,
                               __global const real *b, __global real *dense, real p, int k,
                               __local real *sums)
{
    int i = get_group_id(0);
    int own = get_local_id(0);
    real sum = 0;
    for (int j = own; j < k; j += get_local_size(0))
        sum += l[i * k + j] * x[j];
    sums[own] = sum;
    for (int rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < rest)
            sums[own] += sums[own + rest];
    }
    if (own == 0)
        dense[i] = pow(fabs(sums[0] - b[i]), p);
}
