// SPDX-License-Identifier: BSD-3-Clause
// Values that go from iteration to iteration by several statements: filters, sums that are stored,
// what the iteration before had, and hashes by several steps; beside statements that do not wait.
// local 16 global 64
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), m = 21 + (g & 3), before = 1, sum = 0, least = 9, last = 0;
    float z1 = 0, z2 = 0;
    uint a = g, b = 3;
    uchar narrow = 200;
    global int *row = out + 24 * g + 1024;
    for (int i = 0; i < m; i++) {
        float x = in[g + i] * 0.37f;
        const float y = 0.2f * x + z1;
        z1 = 0.4f * x - 0.37f * y + z2;
        int at = g + i, twice = 2 * g;
        z2 = in[at + 3] * 0.1f - 0.19f * y * (twice & 3);
        row[i] = as_int(y) ^ in[at];
    }
    for (int i = 0; i < m; i++) {
        sum += in[g + i];
        row[1536 + i] = sum;
        row[3072 + i] = sum * 3 + i;
    }
    for (int i = 3; i < 19; i++) {
        int now = in[g + i] % 17;
        out[64 * i + g + 8192] = now + before * 3;
        before = now;
    }
    for (int i = 0; i < m; i++) {
        a ^= (uint)in[g + i];
        a *= 16777619u;
        b += a >> 7;
        narrow += (uchar)(b + in[i]);
        narrow ^= 0x5a;
        row[4608 + i] = row[4608 + i] * 0 + narrow;
    }
    for (int i = 0; i < 32; i += 2) {
        least = min(least + 1, in[g + i] % 11);
        last = least - last;
        sum ^= last;
        sum++;
    }
    out[g] = as_int(z1);
    out[64 + g] = as_int(z2);
    out[128 + g] = before + last;
    out[192 + g] = (int)(a ^ b) + narrow;
    out[256 + g] = sum + least;
}
