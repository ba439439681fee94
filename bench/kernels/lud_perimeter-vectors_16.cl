/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_perimeter by hand: sixteen columns of the block to the right, or sixteen rows of the block below,
 * a work-item, as vectors; peri_col is kept by columns (thesis, figure 6.6); for blocks of 16. */
__kernel void lud_perimeter(__global float *m, int matrix_dim, int offset)
{
    __local float dia[16][16];
    __local float16 peri_row[16];
    __local float peri_col[16][16];
    int block = offset + ((int)get_group_id(0) + 1) * 16;
    bool rows = get_local_id(0) == 0;
    __global float *left = m + offset * matrix_dim + offset;
    __global float *right = m + offset * matrix_dim + block;
    __global float *below = m + block * matrix_dim + offset;

    if (rows) {
        for (int i = 0; i < 8; i++)
            vstore16(vload16(0, left + i * matrix_dim), 0, dia[i]);
        for (int i = 0; i < 16; i++)
            peri_row[i] = vload16(0, right + i * matrix_dim);
    } else {
        for (int i = 8; i < 16; i++)
            vstore16(vload16(0, left + i * matrix_dim), 0, dia[i]);
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++)
                peri_col[j][i] = below[i * matrix_dim + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (rows) {
        for (int i = 1; i < 16; i++)
            for (int j = 0; j < i; j++)
                peri_row[i] -= dia[i][j] * peri_row[j];
        for (int i = 1; i < 16; i++)
            vstore16(peri_row[i], 0, right + i * matrix_dim);
    } else {
        for (int i = 0; i < 16; i++) {
            float16 column = vload16(0, peri_col[i]);
            for (int j = 0; j < i; j++)
                column -= vload16(0, peri_col[j]) * dia[j][i];
            vstore16(column / dia[i][i], 0, peri_col[i]);
        }
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++)
                below[i * matrix_dim + j] = peri_col[j][i];
    }
}
