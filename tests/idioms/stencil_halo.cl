/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil on a matrix with a halo and an alignment, nine points of local memory. */
#ifndef LROWS
#define LROWS 8
#endif
#ifndef LCOLS
#define LCOLS 32
#endif
__kernel void nine(__global const float *data, __global float *next, const int alignment,
                   const float w_centre, const float w_side, __local float *sh)
{
    int row = get_group_id(0) * LROWS, col = get_group_id(1) * LCOLS + get_local_id(1);
    int padded = get_num_groups(1) * LCOLS + 2 + alignment;
    int lcol = get_local_id(1);
    for (int i = 0; i < LROWS + 2; i++)
        sh[i * LCOLS + lcol] = data[(row + i) * padded + col + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < LROWS; i++)
        next[(row + i + 1) * padded + col + 1] =
            w_centre * sh[(i + 1) * LCOLS + lcol] +
            w_side * (sh[i * LCOLS + lcol] + sh[(i + 2) * LCOLS + lcol]);
}
