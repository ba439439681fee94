// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 16
// Sums of double and long; uneven counts, and a loop that ends where another one began.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), i;
    double sum = x;
    long product = 1;
    for (i = 3; i <= n / 40 + x; i++) {
        sum += in[i] * 0.5;
        product *= in[i + x] | 1;
    }
    sum *= 2;
    out[2 * x] = (int)product ^ (int)(product >> 32);
    out[2 * x + 1] = (int)sum;
}
