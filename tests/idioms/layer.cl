/* SPDX-License-Identifier: BSD-3-Clause */
/* A layer of a neural network: padded inputs, a partial sum for each group. */
#define HEIGHT 16
#define WIDTH 16
__kernel void forward(__global const float *input, __global float *weights,
                      __global float *partial_sum, __local float *input_node,
                      __local float *weight_matrix, int in, int hid)
{
    int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;
    if (tx == 0)
        input_node[ty] = input[index_in];
    barrier(CLK_LOCAL_MEM_FENCE);
    weight_matrix[ty * WIDTH + tx] = weights[index] * input_node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i <= HEIGHT; i = i * 2) {
        if (ty % i == 0 && ty + i / 2 < HEIGHT && i > 1)
            weight_matrix[ty * WIDTH + tx] += weight_matrix[(ty + i / 2) * WIDTH + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[index] = weight_matrix[ty * WIDTH + tx];
    if (tx == 0)
        partial_sum[by * hid + ty] = weight_matrix[tx * WIDTH + ty];
}
