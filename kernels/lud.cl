/* SPDX-License-Identifier: BSD-3-Clause */
/* LU decomposition in place, without pivoting, block by block (thesis, section 6.1).
 *
 * The matrix `m` is stored by rows, `matrix_dim` floats each. Step by step, `offset` moves down the
 * diagonal by one block of BLOCK_SIZE x BLOCK_SIZE:
 *
 *     lud_diagonal    factors the block at (offset, offset)
 *     lud_perimeter   solves for the blocks to the right of it and below it
 *     lud_internal    updates all blocks to the right and below with the product of those
 *
 * What remains is U on and above the diagonal, and below it L, whose diagonal is 1. The host gives
 * a matrix of whole blocks, so that no kernel needs a guard.
 *
 * Groups are counted in int like all else: compilers see that neighbours read neighbours only where
 * no number is cut from size_t.
 *
 * Where TRANSPOSED is 1, the columns of one block in local memory are neighbours instead of its
 * rows: of peri_col in lud_perimeter, where work-items compute rows, and of peri_row in
 * lud_internal, which makes the product one of rows with rows. */
#if TRANSPOSED
#define ELEMENT(block, row, column) block[column][row]
#else
#define ELEMENT(block, row, column) block[row][column]
#endif

/* One work-group of BLOCK_SIZE work-items. */
__kernel void lud_diagonal(__global float *m, int matrix_dim, int offset)
{
    __local float dia[BLOCK_SIZE][BLOCK_SIZE];
    int idx = get_local_id(0);
    int i, k;

    for (i = 0; i < BLOCK_SIZE; i++)
        dia[i][idx] = m[(offset + i) * matrix_dim + offset + idx];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (k = 0; k < BLOCK_SIZE - 1; k++) {
        /* Each work-item divides one element of column k ... */
        if (idx > k)
            dia[idx][k] /= dia[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);

        /* ... and then updates one column to the right of it. */
        if (idx > k) {
            for (i = k + 1; i < BLOCK_SIZE; i++)
                dia[i][idx] -= dia[i][k] * dia[k][idx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (i = 0; i < BLOCK_SIZE; i++)
        m[(offset + i) * matrix_dim + offset + idx] = dia[i][idx];
}

/* Work-groups of 2 * BLOCK_SIZE work-items: the first half of a group solves for the columns of a
 * block to the right of the diagonal block, the second half for the rows of a block below it. */
__kernel void lud_perimeter(__global float *m, int matrix_dim, int offset)
{
    __local float dia[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int bx = get_group_id(0);
    int block = offset + (bx + 1) * BLOCK_SIZE;
    int idx;
    int i, j;

    if (get_local_id(0) < BLOCK_SIZE) {
        idx = get_local_id(0);

        for (i = 0; i < BLOCK_SIZE / 2; i++)
            dia[i][idx] = m[(offset + i) * matrix_dim + offset + idx];
        for (i = 0; i < BLOCK_SIZE; i++)
            peri_row[i][idx] = m[(offset + i) * matrix_dim + block + idx];
    } else {
        idx = get_local_id(0) - BLOCK_SIZE;

        for (i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++)
            dia[i][idx] = m[(offset + i) * matrix_dim + offset + idx];
        for (i = 0; i < BLOCK_SIZE; i++)
            ELEMENT(peri_col, i, idx) = m[(block + i) * matrix_dim + offset + idx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) < BLOCK_SIZE) {
        idx = get_local_id(0);

        for (i = 1; i < BLOCK_SIZE; i++) {
            for (j = 0; j < i; j++)
                peri_row[i][idx] -= dia[i][j] * peri_row[j][idx];
        }
    } else {
        idx = get_local_id(0) - BLOCK_SIZE;

        for (i = 0; i < BLOCK_SIZE; i++) {
            for (j = 0; j < i; j++)
                ELEMENT(peri_col, idx, i) -= ELEMENT(peri_col, idx, j) * dia[j][i];
            ELEMENT(peri_col, idx, i) /= dia[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* Rows were solved one a work-item, but are stored a column a work-item, as they were read. */
    if (get_local_id(0) < BLOCK_SIZE) {
        idx = get_local_id(0);

        for (i = 1; i < BLOCK_SIZE; i++)
            m[(offset + i) * matrix_dim + block + idx] = peri_row[i][idx];
    } else {
        idx = get_local_id(0) - BLOCK_SIZE;

        for (i = 0; i < BLOCK_SIZE; i++)
            m[(block + i) * matrix_dim + offset + idx] = ELEMENT(peri_col, i, idx);
    }
}

/* Work-groups of BLOCK_SIZE x BLOCK_SIZE work-items: one element of a block each. */
__kernel void lud_internal(__global float *m, int matrix_dim, int offset)
{
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int column = get_local_id(0);
    int row = get_local_id(1);
    int bx = get_group_id(0);
    int by = get_group_id(1);
    int global_column = offset + (bx + 1) * BLOCK_SIZE + column;
    int global_row = offset + (by + 1) * BLOCK_SIZE + row;
    float sum = 0.0f;
    int i;

    ELEMENT(peri_row, row, column) = m[(offset + row) * matrix_dim + global_column];
    peri_col[row][column] = m[global_row * matrix_dim + offset + column];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (i = 0; i < BLOCK_SIZE; i++)
        sum += peri_col[row][i] * ELEMENT(peri_row, i, column);
    m[global_row * matrix_dim + global_column] -= sum;
}
