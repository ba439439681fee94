/* SPDX-License-Identifier: BSD-3-Clause */
/* Needleman-Wunsch: the score of the best global alignment of two sequences (thesis, section 6.3).
 *
 * Cell (y, x) of `matrix` is the score of the best alignment of the first y + 1 letters of `first`
 * with the first x + 1 letters of `second`. It follows from its neighbours to the north-west, to
 * the west and to the north: two letters are aligned, or one of them with a gap. The cells are
 * computed in tiles of BLOCK_SIZE x BLOCK_SIZE. A launch computes one diagonal of tiles, each by a
 * work-group of BLOCK_SIZE work-items, which go through the tile diagonal by diagonal in turn:
 *
 *     needle_opencl_shared_1   diagonals that begin in the first column of tiles
 *     needle_opencl_shared_2   diagonals that begin in the last row of tiles, to the right of it
 *
 * `scores` has LETTERS numbers for each letter, `gap` is what a gap adds. The host gives sequences
 * and rows (of `stride` cells) that are continued up to whole tiles, so that no kernel needs a
 * guard.
 *
 * With DIRECT, a work-item computes a tile by itself, without local memory and barriers: row by
 * row, 16 cells at a time. */
#define LETTERS 32

int best(int aligned, int gap_in_first, int gap_in_second)
{
    return max(max(aligned, gap_in_first), gap_in_second);
}

#if DIRECT

/* Computes the tile that begins in `row` and `column`.
 *
 * What a gap in `first` leads to comes from the west, cell by cell: of the best ways from the row
 * above, each less what the gaps up to there add, it is the running maximum. */
void align_tile(__global int *matrix, __global const uchar *first, __global const uchar *second,
                __global const int *scores, int stride, int gap, int row, int column)
{
    const int16 gaps = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * gap;
    int profile[LETTERS][BLOCK_SIZE]; /* what each letter scores with those of the columns */
    int16 above[BLOCK_SIZE / 16];     /* the row to the north */
    int corner =
        row > 0 && column > 0 ? matrix[(row - 1) * stride + column - 1] : (row + column) * gap;
    int x, y;

    for (y = 0; y < LETTERS; y++) {
        for (x = 0; x < BLOCK_SIZE; x++)
            profile[y][x] = scores[y * LETTERS + second[column + x]];
    }
    for (x = 0; x < BLOCK_SIZE / 16; x++)
        above[x] = row > 0 ? vload16(x, matrix + (row - 1) * stride + column)
                           : gaps + (column + 16 * x + 1) * gap;

    for (y = row; y < row + BLOCK_SIZE; y++) {
        __global int *cells = matrix + y * stride + column;
        const int west = column > 0 ? cells[-1] : (y + 1) * gap;
        int16 before = west + gap;
        int16 north_west = corner;

        for (x = 0; x < BLOCK_SIZE / 16; x++) {
            int16 north = above[x];
            int16 cell;

            north_west =
                (int16)(north_west.sf, north.s0123, north.s4567, north.s89ab, north.scd, north.se);
            cell = max(north_west + vload16(x, profile[first[y]]), north + gap) - gaps;
            cell = max(cell, cell.s00123456789abcde);
            cell = max(cell, cell.s010123456789abcd);
            cell = max(cell, cell.s01230123456789ab);
            cell = max(cell, cell.s0123456701234567);
            cell = max(cell, before);
            before = cell.sffffffffffffffff + 16 * gap;
            cell += gaps;
            vstore16(cell, x, cells);
            above[x] = cell;
            north_west = north;
        }
        corner = west;
    }
}

__kernel void needle_opencl_shared_1(__global int *matrix, __global const uchar *first,
                                     __global const uchar *second, __global const int *scores,
                                     int stride, int gap, int diagonal)
{
    int tile = get_group_id(0);

    align_tile(matrix, first, second, scores, stride, gap, (diagonal - tile) * BLOCK_SIZE,
               tile * BLOCK_SIZE);
}

__kernel void needle_opencl_shared_2(__global int *matrix, __global const uchar *first,
                                     __global const uchar *second, __global const int *scores,
                                     int stride, int gap, int diagonal, int last_row)
{
    int tile = get_group_id(0);

    align_tile(matrix, first, second, scores, stride, gap, (last_row - tile) * BLOCK_SIZE,
               (diagonal - last_row + tile) * BLOCK_SIZE);
}

#else

__kernel void needle_opencl_shared_1(__global int *matrix, __global const uchar *first,
                                     __global const uchar *second, __global const int *scores,
                                     int stride, int gap, int diagonal)
{
    __local int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __local int ref[BLOCK_SIZE][BLOCK_SIZE];
    int tx = get_local_id(0);
    int column = get_group_id(0) * BLOCK_SIZE;
    int row = (diagonal - (int)get_group_id(0)) * BLOCK_SIZE;
    int letter = second[column + tx];
    int x, y, m;

    for (y = 0; y < BLOCK_SIZE; y++)
        ref[y][tx] = scores[first[row + y] * LETTERS + letter];

    /* The cells north and west of the tile; outside of the matrix there are gaps alone. */
    temp[0][tx + 1] = row > 0 ? matrix[(row - 1) * stride + column + tx] : (column + tx + 1) * gap;
    temp[tx + 1][0] = column > 0 ? matrix[(row + tx) * stride + column - 1] : (row + tx + 1) * gap;
    if (tx == 0)
        temp[0][0] =
            row > 0 && column > 0 ? matrix[(row - 1) * stride + column - 1] : (row + column) * gap;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (m = 0; m < BLOCK_SIZE; m++) {
        if (tx <= m) {
            x = tx + 1;
            y = m - tx + 1;
            temp[y][x] = best(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] + gap,
                              temp[y - 1][x] + gap);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (m = BLOCK_SIZE - 2; m >= 0; m--) {
        if (tx <= m) {
            x = tx + BLOCK_SIZE - m;
            y = BLOCK_SIZE - tx;
            temp[y][x] = best(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] + gap,
                              temp[y - 1][x] + gap);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (y = 0; y < BLOCK_SIZE; y++)
        matrix[(row + y) * stride + column + tx] = temp[y + 1][tx + 1];
}

/* As above; no tile of these diagonals is in the first column. */
__kernel void needle_opencl_shared_2(__global int *matrix, __global const uchar *first,
                                     __global const uchar *second, __global const int *scores,
                                     int stride, int gap, int diagonal, int last_row)
{
    __local int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __local int ref[BLOCK_SIZE][BLOCK_SIZE];
    int tx = get_local_id(0);
    int column = (diagonal - last_row + (int)get_group_id(0)) * BLOCK_SIZE;
    int row = (last_row - (int)get_group_id(0)) * BLOCK_SIZE;
    int letter = second[column + tx];
    int x, y, m;

    for (y = 0; y < BLOCK_SIZE; y++)
        ref[y][tx] = scores[first[row + y] * LETTERS + letter];

    temp[0][tx + 1] = row > 0 ? matrix[(row - 1) * stride + column + tx] : (column + tx + 1) * gap;
    temp[tx + 1][0] = matrix[(row + tx) * stride + column - 1];
    if (tx == 0)
        temp[0][0] = row > 0 ? matrix[(row - 1) * stride + column - 1] : column * gap;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (m = 0; m < BLOCK_SIZE; m++) {
        if (tx <= m) {
            x = tx + 1;
            y = m - tx + 1;
            temp[y][x] = best(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] + gap,
                              temp[y - 1][x] + gap);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (m = BLOCK_SIZE - 2; m >= 0; m--) {
        if (tx <= m) {
            x = tx + BLOCK_SIZE - m;
            y = BLOCK_SIZE - tx;
            temp[y][x] = best(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] + gap,
                              temp[y - 1][x] + gap);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (y = 0; y < BLOCK_SIZE; y++)
        matrix[(row + y) * stride + column + tx] = temp[y + 1][tx + 1];
}

#endif
