// SPDX-License-Identifier: BSD-3-Clause
// Loops that turn alike and loops that do not, counters that are declared outside, arrays of vectors,
// sums carried along.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), i, j = 3;
    float sums[4] = {0, 0.5f, g}, most[2][3];
    int last = 0;
    for (i = 0; i < 4; i++)
        for (int m = g; m < 64 + g; m += 16)
            sums[i] += in[m] * (i + 1.0f);
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            most[i][j] = fmax(sums[i], sums[j + 1]) - g;
    for (i = 0; i < in[g] % 5; i++)
        last += in[g + i];
    do {
        last -= 3;
        if (last < n - 16384 + 10)
            break;
    } while (last > 100);
    int k = g;
    while (k < 300) {
        last += in[k];
        k += 64;
    }
    for (i = 0, j = 9; i < 5; i++, j--) {
        if (in[g] > 100 * j)
            continue;
        last += i;
    }
    out[g] = last + k;
    for (i = 0; i < 4; i++)
        out[64 + i * 64 + g] = (int)sums[i] + (int)sums[(g + i) & 3];
    for (i = 0; i < 6; i++)
        out[320 + g + 64 * i] = (int)most[i / 3][i % 3];
}
