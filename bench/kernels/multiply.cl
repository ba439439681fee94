/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies matrices of SIZE rows and columns, by tiles in local memory. A work-group has BLOCK_X by
 * BLOCK_Y work-items, each of which computes TILE_X by TILE_Y elements; BLOCK_X = BLOCK_Y * TILE_Y. */
__kernel void multiply(__global float *c, __global const float *a, __global const float *b)
{
    __local float part_a[BLOCK_X][BLOCK_X];
    __local float part_b[BLOCK_X][BLOCK_X * TILE_X];
    int column = get_local_id(0);
    int row = get_local_id(1);
    int left = get_group_id(0) * BLOCK_X * TILE_X + column;
    int top = get_group_id(1) * BLOCK_Y * TILE_Y + row;
    float sum[TILE_Y][TILE_X];
    for (int i = 0; i < TILE_Y; i++)
        for (int j = 0; j < TILE_X; j++)
            sum[i][j] = 0;
    for (int k = 0; k < SIZE; k += BLOCK_X) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE_Y; i++) {
            int y = row + i * BLOCK_Y;
            part_a[y][column] = a[(top + i * BLOCK_Y) * SIZE + k + column];
            for (int j = 0; j < TILE_X; j++)
                part_b[y][column + j * BLOCK_X] = b[(k + y) * SIZE + left + j * BLOCK_X];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int m = 0; m < BLOCK_X; m++)
            for (int i = 0; i < TILE_Y; i++) {
                float factor = part_a[row + i * BLOCK_Y][m];
                for (int j = 0; j < TILE_X; j++)
                    sum[i][j] += factor * part_b[m][column + j * BLOCK_X];
            }
    }
    for (int i = 0; i < TILE_Y; i++)
        for (int j = 0; j < TILE_X; j++)
            c[(top + i * BLOCK_Y) * SIZE + left + j * BLOCK_X] = sum[i][j];
}
