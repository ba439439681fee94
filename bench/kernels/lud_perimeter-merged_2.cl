/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_perimeter by hand: two neighbouring columns of the block to the right, or rows of the block below,
 * a work-item (thesis, figure 6.1). */
__kernel void lud_perimeter(__global float *m, int matrix_dim, int offset)
{
    __local float dia[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int block = offset + ((int)get_group_id(0) + 1) * BLOCK_SIZE;
    bool rows = get_local_id(0) < BLOCK_SIZE / 2;
    int x = get_local_id(0) % (BLOCK_SIZE / 2) * 2;
    __global float *left = m + offset * matrix_dim + offset + x;

    if (rows) {
        __global float *right = m + offset * matrix_dim + block + x;

        for (int i = 0; i < BLOCK_SIZE / 2; i++) {
            dia[i][x] = left[i * matrix_dim];
            dia[i][x + 1] = left[i * matrix_dim + 1];
        }
        for (int i = 0; i < BLOCK_SIZE; i++) {
            peri_row[i][x] = right[i * matrix_dim];
            peri_row[i][x + 1] = right[i * matrix_dim + 1];
        }
    } else {
        __global float *below = m + block * matrix_dim + offset + x;

        for (int i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++) {
            dia[i][x] = left[i * matrix_dim];
            dia[i][x + 1] = left[i * matrix_dim + 1];
        }
        for (int i = 0; i < BLOCK_SIZE; i++) {
            peri_col[i][x] = below[i * matrix_dim];
            peri_col[i][x + 1] = below[i * matrix_dim + 1];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (rows) {
        for (int i = 1; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++) {
                peri_row[i][x] -= dia[i][j] * peri_row[j][x];
                peri_row[i][x + 1] -= dia[i][j] * peri_row[j][x + 1];
            }
        }
    } else {
        for (int i = 0; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++) {
                peri_col[x][i] -= peri_col[x][j] * dia[j][i];
                peri_col[x + 1][i] -= peri_col[x + 1][j] * dia[j][i];
            }
            peri_col[x][i] /= dia[i][i];
            peri_col[x + 1][i] /= dia[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (rows) {
        __global float *right = m + offset * matrix_dim + block + x;

        for (int i = 1; i < BLOCK_SIZE; i++) {
            right[i * matrix_dim] = peri_row[i][x];
            right[i * matrix_dim + 1] = peri_row[i][x + 1];
        }
    } else {
        __global float *below = m + block * matrix_dim + offset + x;

        for (int i = 0; i < BLOCK_SIZE; i++) {
            below[i * matrix_dim] = peri_col[i][x];
            below[i * matrix_dim + 1] = peri_col[i][x + 1];
        }
    }
}
