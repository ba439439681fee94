// SPDX-License-Identifier: BSD-3-Clause
// local 16x4 global 64x8
// What comes after returns on the identity is done together where nobody returns.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int sum = 0, k = 0;

    out[y * 64 + x] = 1;
    if (x >= n - 16384 + 45 || y >= 7)
        return;
    while (k < 5) {
        sum += in[x + k] * k;
        k++;
    }
    int again = in[y];
    again += k;
    if (in[x] > 700)
        again = 2;
    if (y == 2)
        return;
    if (x < 3) {
        out[y * 64 + x] = 5;
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (in[x * y] % 4 == i)
            return;
        sum += i * again;
    }
    out[y * 64 + x] = sum;
}
