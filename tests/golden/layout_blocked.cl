/* SPDX-License-Identifier: BSD-3-Clause */
// --memory=layout=blocked8:matrix+fields
__kernel void k(__global float *result, __global const float *matrix, __global const int *fields,
                int columns)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int t = 0; t < columns; t += 16)
        for (int c = 0; c < 16; c++)
            sum += matrix[row * columns + t + c];
    result[row] = sum * fields[4 * row + 3] + fields[row * 4];
}
