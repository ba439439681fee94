/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_internal by hand: four turns of the loop at once (thesis, figure 6.26). */
__kernel void lud_internal(__global float *m, int matrix_dim, int offset)
{
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int column = get_local_id(0);
    int row = get_local_id(1);
    int right = offset + ((int)get_group_id(0) + 1) * BLOCK_SIZE + column;
    int below = offset + ((int)get_group_id(1) + 1) * BLOCK_SIZE + row;
    float sum = 0.0f;

    peri_row[row][column] = m[(offset + row) * matrix_dim + right];
    peri_col[row][column] = m[below * matrix_dim + offset + column];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < BLOCK_SIZE; i += 4) {
        sum += peri_col[row][i] * peri_row[i][column];
        sum += peri_col[row][i + 1] * peri_row[i + 1][column];
        sum += peri_col[row][i + 2] * peri_row[i + 2][column];
        sum += peri_col[row][i + 3] * peri_row[i + 3][column];
    }
    m[below * matrix_dim + right] -= sum;
}
