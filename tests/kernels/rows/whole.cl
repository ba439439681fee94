// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 32
// Rows whose length an argument says, of vectors and bytes; loops in another loop, and ones with other iterations.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    global const int4 *wide = (global const int4 *)in;
    global const uchar *bytes = (global const uchar *)in;
    int row = get_global_id(0);
    for (int round = 0; round < 2; round++) {
        int4 all = 0;
        int sum = round, other = 0;
        for (int j = 0; j < n / 256; j++) {
            all += wide[row * 64 + j];
            sum += bytes[row * 64 + j + round];
        }
        {
            for (int j = 0; j < n / 256; j++)
                sum ^= dot(convert_float4(wide[row * 64 + j] - all), 1.0f) > 0 ? bytes[row * 64 + j + round] : j;
        }
        for (int j = 1; j < n / 256; j++)
            other += bytes[row * 64 + j + round] * (sum & 15);
        if (other > 7)
            for (int j = 0; j < n / 256; j++)
                out[row * 128 + 2 * j + round] = bytes[row * 64 + j + round] + other + all.x + all.w;
    }
}
