/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by backtracking how n queens can be placed: a work-item has those of the first three rows. */
__kernel void queens(__global int *solutions, int n)
{
    uint free[32], columns[32], left[32], right[32];
    uint all = (1u << n) - 1;
    int id = get_global_id(0), count = 0, row = 0;
    columns[0] = left[0] = right[0] = 0;
    for (int rest = id; row < 3; rest /= n) {
        uint bit = 1u << rest % n;
        uint taken = columns[row] | left[row] | right[row];
        columns[row + 1] = columns[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row = taken & bit ? n : row + 1;
    }
    if (row == 3)
        free[3] = all & ~(columns[3] | left[3] | right[3]);
    while (row >= 3 && row < n) {
        uint bit = free[row] & -free[row];
        free[row] ^= bit;
        if (!bit)
            row--;
        else if (row == n - 1)
            count++;
        else {
            columns[row + 1] = columns[row] | bit;
            left[row + 1] = (left[row] | bit) << 1;
            right[row + 1] = (right[row] | bit) >> 1;
            row++;
            free[row] = all & ~(columns[row] | left[row] | right[row]);
        }
    }
    solutions[id] = count;
}
