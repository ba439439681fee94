/* SPDX-License-Identifier: BSD-3-Clause */
/* Transposes a matrix by tiles in local memory; a work-item copies TILE / ROWS elements of a tile.
 */
#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS 4
#endif

__kernel void transpose(__global float *out, __global const float *in, int width, int height)
{
    __local float tile[TILE][TILE + 1];
    int column = get_local_id(0);
    int row = get_local_id(1);
    int left = get_group_id(0) * TILE;
    int top = get_group_id(1) * TILE;
    for (int k = 0; k < TILE; k += ROWS)
        if (left + column < width && top + row + k < height)
            tile[row + k][column] = in[(top + row + k) * width + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k += ROWS)
        if (top + column < height && left + row + k < width)
            out[(left + row + k) * height + top + column] = tile[column][row + k];
}
