// SPDX-License-Identifier: BSD-3-Clause
// Loops that begin anywhere and have a known number of iterations all the same: windows around a
// place, downwards and by steps, with counters that are read afterwards, skipped iterations and
// loops inside; and one without a sign, which has none where it begins before 0.
// local 16 global 64
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), most = -1, sum = 0, i;
    uint u = g;
    long last = g;
    for (int j = g; j <= g + 4; j++)
        for (int i = j + 1; i < j + 4; ++i)
            most = max(most, in[i] * (j - g + 1));
    for (i = 3 * g + 7; i > 3 * g; i -= 2)
        sum += in[i] + i;
    out[64 + g] = i;
    for (uint k = u - 3; k <= u + 3; k += 3) {
        if (in[k] & 1)
            continue;
        int twice = 2 * in[k];
        sum ^= twice + k;
    }
    for (long k = last; k < last + 5; k++)
        sum += in[k] * (int)(k - last);
    for (int k = g; k < g + 6; k++) {
        if (in[k] % 5 == 4)
            break;
        sum += k;
    }
    out[g] = sum + most;
}
