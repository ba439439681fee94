// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 32x16
// Scans that divided loops do together: before and after an iteration adds, in place, in a loop, of sums and maxima,
// with work-items past the end, and results of other kinds beside them.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = n / 600;
    if (x < width && y < 13) {
        int sum = x, most = -100, all = 0;
        int row = (y * 32 + x) * 21;
        for (int i = 0; i < 21; i++) {
            int value = in[y * 64 + x + i] & 255;
            out[row + i] = sum + most;
            sum = sum + value * (i + 1);
            most = max(most, value - i);
            all ^= value;
        }
        for (int j = 0; j < 2; j++)
            for (int i = 20; i >= j; i -= 2) {
                sum += out[row + i];
                out[row + i] = sum;
            }
        out[row + 3] = sum ^ all;
        out[row + 4] += most;
    }
}
