// SPDX-License-Identifier: BSD-3-Clause
// Loops as people write them: uniform steps, while, several counters, conditions that do not change,
// counters that are halved, doubled, and used after the loop.
// local 16 global 64
int moved(int x)
{
    return x * 3 + 1;
}

kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), l = get_local_id(0), m = n / 512, w = 1 + (n & 3), s = 0, i, j;
    global int *own = out + 64 + g * 64;
    uint u;
    for (int i = l; i < 50; i += get_local_size(0))
        s += in[i] * i;
    for (int i = g; i <= n / 64; i += get_global_size(0)) {
        s ^= in[i];
        own[i & 63] = i * 5;
    }
    i = l / 2;
    while (i < m) {
        s += in[i] & 7;
        i += w;
    }
    s += i * 1000;
    for (u = l; u < m - 1; u += get_num_groups(0))
        s = s * 3 + in[u + 2];
    s += u;
    for (i = m + l; i > 3 && i >= l - 2; i -= w + 2)
        s ^= in[i] * 3;
    s += i;
    i = 7;
    for (; i + g < m * 2 && i < 60 && w; i++)
        s += in[i] ^ i;
    s -= i;
    for (int i = 0; m > 40 && i < m; i++)
        s += 1;
    global const int *p;
    long far;
    for (i = 1, p = in + l, j = 5, far = -3; i < m; i++, p += w, --j, far += 2)
        s += *p * i + j * (int)far;
    s += j + (int)far;
    for (uint u = 2, down = 90; u < m; u += 3, down -= u & 1)
        s += down;
    for (uint u = 2, down = 90; u < m; u += 3, down -= w + 1) {
        if (down % 7 == 3)
            continue;
        s += down;
    }
    for (int h = moved(l); h > 0; h >>= 1)
        s += in[h];
    for (uint h = m + l; h; h /= 2)
        s ^= in[h] + h;
    for (ulong h = in[3] & 255; h != 0 && w; h >>= 1)
        s += (int)h;
    for (int d = 1; d < m + l; d *= 2)
        s += in[d] % d;
    for (uint d = 1; d <= m - l; d <<= 1)
        s += in[d] ^ d;
    for (long d = in[l] & 15; d < m; d += w)
        own[d & 63] += (int)d;
    for (int i = l; i < m; i += w) {
        if ((in[i] & 15) == 9)
            break;
        s += in[i];
    }
    for (int i = l - 8; i < (int)get_local_size(0); i += w)
        s += i;
    for (int i = 0; i < m && (in[i] & 31) != 17; i++)
        s += in[i];
    out[g] = s;
    for (int i = 64 + g * 64; i < 128 + g * 64; i++)
        out[i] = i < 64 ? 0 : out[i];
}
