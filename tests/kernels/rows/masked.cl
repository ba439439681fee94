// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Loops read the elements of a row where another row has odd numbers, and one of them some more.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int row = get_global_id(0), most = -1, sum = 0, more = 0;
    if (row >= n / 270)
        return;
    for (int j = 0; j < 40; j++)
        if (in[row + j * 7] & 1)
            most = max(most, in[row * 40 + j]);
    for (int j = 0; j < 40; j++) {
        int at = row * 40 + j, odd = in[row + j * 7] & 1;
        if (in[row + j * 7] & 1)
            sum += in[at] ^ most;
        if (!odd || most > 3000)
            more ^= in[at] + j;
    }
    for (int i = 0; i < 40; i++)
        out[row * 40 + i] = in[row + i * 7] & 1 ? in[row * 40 + i] * sum : more;
}
