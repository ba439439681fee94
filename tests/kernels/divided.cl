// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 32x16
// Results of several kinds, loops that begin and end at values in memory, in a loop and one after the
// other, iterations that write, work-items past the end, and memory that is read before it is written.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = n / 600;
    if (x < width && y < 13) {
        int sum = in[n - 1 - x], all = -1, first = in[x] & 31;
        float product = 1.0f;
        uint most = 3, even = 0;
        for (int i = 0; i < n / 1000; i++) {
            sum += in[y * 64 + x + 2 * i];
            all &= in[i] | x;
            most = max(most, (uint)in[i * 3 + y] & 1023);
            if (in[i] % 2 == 0)
                even++;
        }
        for (int i = first; i < (in[y] & 63); i++)
            product *= in[x + i] & 1 ? 2.0f : 0.5f;
        for (int j = 0; j < 3; j++) {
            uint part_of = j;
            for (int i = 20; i >= x % 5; i -= 3)
                part_of ^= in[i + j] + i;
            sum = 3 * sum + (int)part_of;
        }
        out[y * 32 + x] = sum ^ all;
        out[512 + y * 32 + x] = (int)most + (int)even + (int)(product * 1024);
        for (int i = 0; i < 9; i++)
            out[1024 + (y * 32 + x) * 9 + i] = in[i] + sum;
    }
}
