// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --memory=narrow=half --vector=within=4,aligned=yes,reassociate=yes
// Floats that are only read are half in memory: elements, vectors, what pointers lead to, constants; sizes and what is written stay.
__kernel void k(__global const float *restrict matrix, __constant float *factors, __global const float4 *restrict colors,
                __global const float *points, __global const int *order, __global float *sums, int n)
{
    int row = get_global_id(0), at = order[row];
    __global const float *point = points + 3 * row;
    float sum = 0, shift = *points + point[1] * points[at + (int)points[at]];
    float4 color = colors[at].wzyx + vload4(row, points) - vload4(0, &points[at]) * vload4(0, point);
    for (int j = 0; j < n; j++)
        sum += matrix[row * n + j] * factors[j];
    sums[row] = sum + shift + color.x + (*colors).y + sizeof(float);
    sums[n + row] += color.w;
}
