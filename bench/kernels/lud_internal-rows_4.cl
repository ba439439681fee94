/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_internal by hand: four elements of a row a work-item, a quarter of a block apart (thesis, figure
 * 6.11). */
#define APART (BLOCK_SIZE / 4)

__kernel void lud_internal(__global float *m, int matrix_dim, int offset)
{
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int column = get_local_id(0);
    int row = get_local_id(1);
    __global float *top = m + (offset + row) * matrix_dim;
    __global float *own = m + (offset + ((int)get_group_id(1) + 1) * BLOCK_SIZE + row) * matrix_dim;
    int right = offset + ((int)get_group_id(0) + 1) * BLOCK_SIZE + column;
    float sum0 = 0.0f;
    float sum1 = 0.0f;
    float sum2 = 0.0f;
    float sum3 = 0.0f;

    peri_row[row][column] = top[right];
    peri_row[row][column + APART] = top[right + APART];
    peri_row[row][column + 2 * APART] = top[right + 2 * APART];
    peri_row[row][column + 3 * APART] = top[right + 3 * APART];
    peri_col[row][column] = own[offset + column];
    peri_col[row][column + APART] = own[offset + column + APART];
    peri_col[row][column + 2 * APART] = own[offset + column + 2 * APART];
    peri_col[row][column + 3 * APART] = own[offset + column + 3 * APART];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < BLOCK_SIZE; i++) {
        float left = peri_col[row][i];
        sum0 += left * peri_row[i][column];
        sum1 += left * peri_row[i][column + APART];
        sum2 += left * peri_row[i][column + 2 * APART];
        sum3 += left * peri_row[i][column + 3 * APART];
    }
    own[right] -= sum0;
    own[right + APART] -= sum1;
    own[right + 2 * APART] -= sum2;
    own[right + 3 * APART] -= sum3;
}
