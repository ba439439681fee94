/* SPDX-License-Identifier: BSD-3-Clause */
/* srad_cuda_1 by hand: two neighbouring pixels of a column a work-item. Only the upper one may be at the
 * block's north, only the lower one at its south. */
__kernel void srad_cuda_1(__global const float *J, __global float *C, __global float *N,
                          __global float *S, __global float *W, __global float *E, int rows,
                          int columns, int stride, float q0sqr)
{
    __local float temp[BLOCK_SIZE][BLOCK_SIZE];
    __local float north[BLOCK_SIZE];
    __local float south[BLOCK_SIZE];
    __local float west[BLOCK_SIZE];
    __local float east[BLOCK_SIZE];
    int tx = get_local_id(0);
    int ty = 2 * get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE + tx;
    int row = get_group_id(1) * BLOCK_SIZE + ty;
    int index = row * stride + column;
    int x = min(column, columns - 1);
    int y0 = min(row, rows - 1) * stride;
    int y1 = min(row + 1, rows - 1) * stride;
    float jc0, n0, s0, w0, e0;
    float jc1, n1, s1, w1, e1;

    temp[ty][tx] = J[y0 + x];
    temp[ty + 1][tx] = J[y1 + x];
    if (ty == 0)
        north[tx] = J[max(row - 1, 0) * stride + x];
    if (ty == BLOCK_SIZE - 2)
        south[tx] = J[min(row + 2, rows - 1) * stride + x];
    if (tx == 0) {
        int left = max(column - 1, 0);
        west[ty] = J[y0 + left];
        west[ty + 1] = J[y1 + left];
    }
    if (tx == BLOCK_SIZE - 1) {
        int right = min(column + 1, columns - 1);
        east[ty] = J[y0 + right];
        east[ty + 1] = J[y1 + right];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    jc0 = temp[ty][tx];
    jc1 = temp[ty + 1][tx];
    n0 = (ty == 0 ? north[tx] : temp[ty - 1][tx]) - jc0;
    s0 = jc1 - jc0;
    n1 = jc0 - jc1;
    s1 = (ty == BLOCK_SIZE - 2 ? south[tx] : temp[ty + 2][tx]) - jc1;
    if (tx == 0) {
        w0 = west[ty] - jc0;
        w1 = west[ty + 1] - jc1;
    } else {
        w0 = temp[ty][tx - 1] - jc0;
        w1 = temp[ty + 1][tx - 1] - jc1;
    }
    if (tx == BLOCK_SIZE - 1) {
        e0 = east[ty] - jc0;
        e1 = east[ty + 1] - jc1;
    } else {
        e0 = temp[ty][tx + 1] - jc0;
        e1 = temp[ty + 1][tx + 1] - jc1;
    }

    N[index] = n0;
    S[index] = s0;
    W[index] = w0;
    E[index] = e0;
    C[index] = diffusion_coefficient(jc0, n0, s0, w0, e0, q0sqr);
    index += stride;
    N[index] = n1;
    S[index] = s1;
    W[index] = w1;
    E[index] = e1;
    C[index] = diffusion_coefficient(jc1, n1, s1, w1, e1, q0sqr);
}
