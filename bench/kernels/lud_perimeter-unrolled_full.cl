/* SPDX-License-Identifier: BSD-3-Clause */
/* lud_perimeter by hand: no loop is left (thesis, figure 6.8, case 3). For blocks of 16. */
#define ROW(i, j) peri_row[i][x] -= dia[i][j] * peri_row[j][x];
#define COL(i, j) peri_col[x][i] -= peri_col[x][j] * dia[j][i];
#define UP_TO_1(step, i) step(i, 0)
#define UP_TO_2(step, i) UP_TO_1(step, i) step(i, 1)
#define UP_TO_3(step, i) UP_TO_2(step, i) step(i, 2)
#define UP_TO_4(step, i) UP_TO_3(step, i) step(i, 3)
#define UP_TO_5(step, i) UP_TO_4(step, i) step(i, 4)
#define UP_TO_6(step, i) UP_TO_5(step, i) step(i, 5)
#define UP_TO_7(step, i) UP_TO_6(step, i) step(i, 6)
#define UP_TO_8(step, i) UP_TO_7(step, i) step(i, 7)
#define UP_TO_9(step, i) UP_TO_8(step, i) step(i, 8)
#define UP_TO_10(step, i) UP_TO_9(step, i) step(i, 9)
#define UP_TO_11(step, i) UP_TO_10(step, i) step(i, 10)
#define UP_TO_12(step, i) UP_TO_11(step, i) step(i, 11)
#define UP_TO_13(step, i) UP_TO_12(step, i) step(i, 12)
#define UP_TO_14(step, i) UP_TO_13(step, i) step(i, 13)
#define UP_TO_15(step, i) UP_TO_14(step, i) step(i, 14)
#define EIGHT(step, i)                                                                             \
    step(i) step((i) + 1) step((i) + 2) step((i) + 3)                                              \
    step((i) + 4) step((i) + 5) step((i) + 6) step((i) + 7)
#define LOAD_DIA(i) dia[i][x] = left[(i) * matrix_dim];
#define LOAD_ROW(i) peri_row[i][x] = other[(i) * matrix_dim];
#define LOAD_COL(i) peri_col[i][x] = other[(i) * matrix_dim];
#define STORE_ROW(i) other[(i) * matrix_dim] = peri_row[i][x];
#define STORE_COL(i) other[(i) * matrix_dim] = peri_col[i][x];

__kernel void lud_perimeter(__global float *m, int matrix_dim, int offset)
{
    __local float dia[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int block = offset + ((int)get_group_id(0) + 1) * BLOCK_SIZE;
    bool rows = get_local_id(0) < BLOCK_SIZE;
    int x = get_local_id(0) % BLOCK_SIZE;
    __global float *left = m + offset * matrix_dim + offset + x;
    __global float *other =
        rows ? m + offset * matrix_dim + block + x : m + block * matrix_dim + offset + x;

    if (rows) {
        EIGHT(LOAD_DIA, 0)
        EIGHT(LOAD_ROW, 0)
        EIGHT(LOAD_ROW, 8)
    } else {
        EIGHT(LOAD_DIA, 8)
        EIGHT(LOAD_COL, 0)
        EIGHT(LOAD_COL, 8)
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (rows) {
        UP_TO_1(ROW, 1)
        UP_TO_2(ROW, 2)
        UP_TO_3(ROW, 3)
        UP_TO_4(ROW, 4)
        UP_TO_5(ROW, 5)
        UP_TO_6(ROW, 6)
        UP_TO_7(ROW, 7)
        UP_TO_8(ROW, 8)
        UP_TO_9(ROW, 9)
        UP_TO_10(ROW, 10)
        UP_TO_11(ROW, 11)
        UP_TO_12(ROW, 12)
        UP_TO_13(ROW, 13)
        UP_TO_14(ROW, 14)
        UP_TO_15(ROW, 15)
    } else {
        peri_col[x][0] /= dia[0][0];
        UP_TO_1(COL, 1)
        peri_col[x][1] /= dia[1][1];
        UP_TO_2(COL, 2)
        peri_col[x][2] /= dia[2][2];
        UP_TO_3(COL, 3)
        peri_col[x][3] /= dia[3][3];
        UP_TO_4(COL, 4)
        peri_col[x][4] /= dia[4][4];
        UP_TO_5(COL, 5)
        peri_col[x][5] /= dia[5][5];
        UP_TO_6(COL, 6)
        peri_col[x][6] /= dia[6][6];
        UP_TO_7(COL, 7)
        peri_col[x][7] /= dia[7][7];
        UP_TO_8(COL, 8)
        peri_col[x][8] /= dia[8][8];
        UP_TO_9(COL, 9)
        peri_col[x][9] /= dia[9][9];
        UP_TO_10(COL, 10)
        peri_col[x][10] /= dia[10][10];
        UP_TO_11(COL, 11)
        peri_col[x][11] /= dia[11][11];
        UP_TO_12(COL, 12)
        peri_col[x][12] /= dia[12][12];
        UP_TO_13(COL, 13)
        peri_col[x][13] /= dia[13][13];
        UP_TO_14(COL, 14)
        peri_col[x][14] /= dia[14][14];
        UP_TO_15(COL, 15)
        peri_col[x][15] /= dia[15][15];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (rows) {
        EIGHT(STORE_ROW, 0)
        EIGHT(STORE_ROW, 8)
    } else {
        EIGHT(STORE_COL, 0)
        EIGHT(STORE_COL, 8)
    }
}
