// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 32
// Rows of which it is asked whether elements are 0, in another loop; once more than that of one of them.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    global const uchar *bytes = (global const uchar *)in;
    int row = get_global_id(0);
    for (int round = 0; round < 3; round++) {
        int most = -1, sum = 0;
        for (int j = 0; j < 30; j++) {
            if (bytes[row * 120 + 4 * j + 1])
                most = max(most, in[row * 30 + j + round]);
            sum += in[row + 7 * j] ? j : in[row + 8 * j] && j > 20 ? in[row + 9 * j] : 3;
        }
        for (int j = 0; j < 30; j++)
            if (!bytes[row * 120 + 4 * j + 1])
                sum -= j;
            else if ((bytes[row * 120 + 4 * j + 1]) && most > j)
                sum += in[row * 30 + j + round];
        for (int j = 0; j < 30; j++)
            out[(row * 3 + round) * 30 + j] =
                bytes[row * 120 + 4 * j + 1] ? most : in[row + 7 * j] ? sum : in[row + 9 * j] + in[row + 7 * j];
    }
}
