// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Neighbours in one dimension, vectors of elements, and a table that all work-items read, in a loop
// in which tiles are filled again and again.
int weigh(global const int *table, int i)
{
    return table[i] & 7;
}

kernel void k(global const int *in, global int *out, int n)
{
    global const int4 *fours = (global const int4 *)in;
    int g = get_global_id(0), sum = 0;
    for (int turn = 0; turn < n / 4096; turn++) {
        int first = 64 * turn;
        for (int i = 0; i < 5; i++)
            sum += in[first + g + i] * weigh(in + 1024, 3 * i + 2);
        sum ^= fours[g].y;
    }
    for (int i = 9; i > 0; i -= 3)
        sum += in[2048 + 2 * g + i];
    out[g] = sum;
}
