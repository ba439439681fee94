// SPDX-License-Identifier: BSD-3-Clause
// Rows that a loop reads again by short loops inside it: at once and apart, of vectors, by counters of other types, under
// conditions, in loops without an iteration, and of what is written.
// local 16 global 64
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), sum = 0, late = 0, none = 0;
    global const int *own = in + x * 8;
    global const int4 *wide = (global const int4 *)in;
    const int end = n % 32 + x % 5, beyond = -n;
    for (int j = 0; j < end; j++) {
        int s = j;
        for (int d = 0; d < 8; d++)
            s += own[d] * in[1024 + j * 8 + d];
#pragma unroll 2
        for (int d = 0; d < 8; d++)
            sum ^= s + in[x * 8 + d];
        for (uint e = 0; e < 5; e++)
            sum += in[x + 3 - e] * s;
        for (int d = 0; d < 3; d++)
            sum += wide[x + d].y + wide[d].x;
        for (int d = 1; d < 4; d++)
            late += in[d] + in[x + d];
    }
    for (int i = 0; i < n % 4096 + 2; i++)
        for (int j = 5; j > x % 7; j -= 2) {
            if (j == i)
                for (int d = 0; d < 4; d++)
                    late ^= in[x + d];
            for (int d = 0; d < 4; d++)
                late += j > 2 ? in[2000 + x * 4 + d] : in[i + d] & d;
        }
    for (int j = 0; j < beyond; j++)
        for (int d = 0; d < 8; d++)
            none += in[j - 1000000000 + d] + in[beyond + d];
    for (int j = 0; j < 3; j++)
        for (int d = 0; d < 8; d++) {
            out[x * 16 + 8 + d] = j;
            late += out[x * 16 + 8 + d] + in[in[x % 8 + d] & 1023];
        }
    for (long j = x; j <= x + 2; j++) {
        for (int d = 0; d < 4; d++)
            late += in[x + d] + (int)j;
        if (late == 12345)
            break;
    }
    for (long j = x; j <= x + 2; j++)
        for (uchar d = 0; d < 4; d++)
            late += in[x + d] + (int)j;
    out[x * 16] = sum;
    out[x * 16 + 1] = late;
    out[x * 16 + 2] = none;
}
