// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 32x32
// Sums that end at an identity or at what limits it, as guards of stores leave them: an argument's part, and numbers;
// and loops that are left there.
kernel void k(global const int *in, global int *out, int n)
{
    const int most = n / 600 - 1;
    int x = min((int)get_global_id(0), most), y = min((int)get_global_id(1), 20), sum = n;
    int low = min((int)get_global_id(1), 1 - n / 4000);
    for (int j = 0; j <= y; j++)
        sum += in[y * 32 + j] * in[1024 + j * 32 + x];
    for (int j = 1; j < x + 3; j++)
        sum ^= in[j * 32 + y];
    for (int j = -9; j <= low; j++)
        sum += in[j + 9] + j;
    for (int j = 0; j < low; j++)
        sum += 1000;
    for (int j = 0; j < most; j++) {
        if (j >= x + 1)
            break;
        sum += in[y * 32 + j] * in[2048 + j * 32 + x];
    }
    for (int j = 2; j < 25; j++) {
        if (y < j)
            continue;
        if (in[j] > 100)
            continue;
        sum ^= in[j] * j;
    }
    for (int j = -3; j < n / 8000; j++) {
        if (j > low)
            break;
        sum += j * 7;
    }
    if (get_global_id(0) < n / 600 && get_global_id(1) <= 20)
        out[y * 32 + x] = sum;
}
