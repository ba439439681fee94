// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 128
// Loops that a work-item comes to as often as its number says, and returns: where a work-group shares
// one of the loops, all of it does.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0);
    if (in[x] % 7 == 0)
        return;
    for (int j = x % 9; j < 9; j++) {
        int sum = j;
        for (int k = 0; k < n / 1000; k++)
            sum += in[k] * (in[x + j] & 15);
        out[x * 9 + j] = sum;
        if (sum & 1)
            for (int k = 0; k < 5; k++)
                out[n / 2 + (x * 9 + j) * 5 + k] = in[k] ^ out[x * 9 + j];
    }
}
