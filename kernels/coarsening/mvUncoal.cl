/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix times a vector, a row a work-item: neighbours read elements that are a row apart, and the
 * same element of the vector, which merged work-items share. */
__kernel void mvUncoal(__global float *result, __global const float *matrix,
                       __global const float *vector, int width, int height)
{
    int row = get_global_id(0);
    if (row >= height)
        return;
    float sum = 0;
    for (int x = 0; x < width; x++)
        sum += matrix[row * width + x] * vector[x];
    result[row] = sum;
}
