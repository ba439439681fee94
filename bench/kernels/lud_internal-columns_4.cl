/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_internal by hand: four neighbouring elements of a column a work-item (thesis, figure 6.14). */
__kernel void lud_internal(__global float *m, int matrix_dim, int offset)
{
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int column = get_local_id(0);
    int row = 4 * get_local_id(1);
    __global float *top = m + (offset + row) * matrix_dim;
    __global float *own = m + (offset + ((int)get_group_id(1) + 1) * BLOCK_SIZE + row) * matrix_dim;
    int right = offset + ((int)get_group_id(0) + 1) * BLOCK_SIZE + column;
    float sum0 = 0.0f;
    float sum1 = 0.0f;
    float sum2 = 0.0f;
    float sum3 = 0.0f;

    peri_row[row][column] = top[right];
    peri_row[row + 1][column] = top[matrix_dim + right];
    peri_row[row + 2][column] = top[2 * matrix_dim + right];
    peri_row[row + 3][column] = top[3 * matrix_dim + right];
    peri_col[row][column] = own[offset + column];
    peri_col[row + 1][column] = own[matrix_dim + offset + column];
    peri_col[row + 2][column] = own[2 * matrix_dim + offset + column];
    peri_col[row + 3][column] = own[3 * matrix_dim + offset + column];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < BLOCK_SIZE; i++) {
        float above = peri_row[i][column];
        sum0 += peri_col[row][i] * above;
        sum1 += peri_col[row + 1][i] * above;
        sum2 += peri_col[row + 2][i] * above;
        sum3 += peri_col[row + 3][i] * above;
    }
    own[right] -= sum0;
    own[matrix_dim + right] -= sum1;
    own[2 * matrix_dim + right] -= sum2;
    own[3 * matrix_dim + right] -= sum3;
}
