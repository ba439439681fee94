/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix times a vector, a row a work-group: neighbours read neighbours, and add up what they have
 * in local memory. The local size is a power of two; groups go on with the rows that are left. */
#define LARGEST_GROUP 1024

__kernel void mvCoal(__global float *result, __global const float *matrix,
                     __global const float *vector, int width, int height)
{
    __local float part[LARGEST_GROUP];
    int item = get_local_id(0);
    for (int row = get_group_id(0); row < height; row += get_num_groups(0)) {
        float sum = 0;
        for (int x = item; x < width; x += get_local_size(0))
            sum += matrix[row * width + x] * vector[x];
        part[item] = sum;
        for (int count = get_local_size(0) / 2; count > 0; count /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item < count)
                part[item] += part[item + count];
        }
        if (item == 0)
            result[row] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
