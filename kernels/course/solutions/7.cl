/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation for the pressure of a fluid in general coordinates, by Jacobi's iteration: the
 * loops of the Himeno benchmark. Arrays have `planes` planes of `rows` rows of `columns` elements;
 * those at the border stay. */
/* after = before + omega times what the 19 points around it say. */
__kernel void jacobi(__global const float *a1, __global const float *a2, __global const float *a3,
                     __global const float *a4, __global const float *b1, __global const float *b2,
                     __global const float *b3, __global const float *c1, __global const float *c2,
                     __global const float *c3, __global const float *source,
                     __global const float *bound, __global const float *before,
                     __global float *after, float omega, int planes, int rows, int columns)
{
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    int z = get_global_id(2) + 1;
    if (x >= columns - 1 || y >= rows - 1 || z >= planes - 1)
        return;
    int row = columns;
    int plane = rows * columns;
    int at = z * plane + y * row + x;
    float sum = a1[at] * before[at + plane] + a2[at] * before[at + row] + a3[at] * before[at + 1] +
                b1[at] * (before[at + plane + row] - before[at + plane - row] -
                          before[at - plane + row] + before[at - plane - row]) +
                b2[at] * (before[at + row + 1] - before[at - row + 1] - before[at + row - 1] +
                          before[at - row - 1]) +
                b3[at] * (before[at + plane + 1] - before[at - plane + 1] - before[at + plane - 1] +
                          before[at - plane - 1]) +
                c1[at] * before[at - plane] + c2[at] * before[at - row] + c3[at] * before[at - 1] +
                source[at];
    float change = (sum * a4[at] - before[at]) * bound[at];
    after[at] = before[at] + omega * change;
}

/* The sum of the squares of the last changes, of each column of planes. */
__kernel void residual(__global const float *before, __global const float *after,
                       __global float *squares, float omega, int planes, int rows, int columns)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0.0f;
    if (x >= columns)
        return;
    if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1)
        for (int z = 1; z < planes - 1; z++) {
            int at = (z * rows + y) * columns + x;
            float change = (after[at] - before[at]) / omega;
            sum += change * change;
        }
    squares[y * columns + x] = sum;
}

/* What is after becomes what was before. */
__kernel void advance(__global float *before, __global const float *after, int planes, int rows,
                      int columns)
{
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    int z = get_global_id(2) + 1;
    if (x >= columns - 1 || y >= rows - 1 || z >= planes - 1)
        return;
    int at = (z * rows + y) * columns + x;
    before[at] = after[at];
}
