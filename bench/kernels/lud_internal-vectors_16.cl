/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_internal by hand: sixteen neighbouring elements of a row a work-item, as one vector; for blocks
 * of 16. */
__kernel void lud_internal(__global float *m, int matrix_dim, int offset)
{
    __local float16 peri_row[16];
    __local float peri_col[16][16];
    int row = get_local_id(1);
    int right = offset + ((int)get_group_id(0) + 1) * 16;
    __global float *own = m + (offset + ((int)get_group_id(1) + 1) * 16 + row) * matrix_dim;
    float16 sum = 0.0f;

    peri_row[row] = vload16(0, m + (offset + row) * matrix_dim + right);
    vstore16(vload16(0, own + offset), 0, peri_col[row]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < 16; i++)
        sum += peri_col[row][i] * peri_row[i];
    vstore16(vload16(0, own + right) - sum, 0, own + right);
}
