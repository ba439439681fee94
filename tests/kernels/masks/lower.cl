// SPDX-License-Identifier: BSD-3-Clause
// local 8x8 global 32x32
// The lower half gets the sums, what they are made of is in loops with branches and loops, and the
// other half something else, of variables that both sides write.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = n, most = 3;
    if (!(y < x)) {
        for (int d = 0; d < n / 1024; d++) {
            int a = in[y * 32 + d];
            if (d % 2) {
                sum += a * x;
                most = a;
            }
            for (int e = d; e < d + 2; e++)
                sum ^= in[1024 + x * 40 + e];
        }
        out[y * 32 + x] = sum + most;
    } else {
        most *= x;
        sum -= y;
        out[y * 32 + x] = most - sum;
    }
}
