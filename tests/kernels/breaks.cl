// SPDX-License-Identifier: BSD-3-Clause
// A uniform loop with a divergent break, one with a divergent continue, nested divergent loops.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), sum = 0, turns = 0;
    for (int i = 0; i < 20; i++) {
        if (in[(g + i) & 255] % 7 == 0)
            break;
        turns++;
        sum += i;
    }
    for (int i = 0; i < 20; i++) {
        if ((g + i) % 3 == 0)
            continue;
        sum += i * g;
    }
    int j = g;
    while (j > 0) {
        int m = 0;
        do {
            m++;
            if (m + j == 9)
                break;
        } while (m < j % 5);
        sum += m;
        j /= 2;
    }
    out[g] = sum;
    out[g + 64] = turns;
}
