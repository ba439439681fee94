// SPDX-License-Identifier: BSD-3-Clause
// continue and break in loops that are unrolled: counted or not, out of a switch, in front of a
// barrier, in the last iteration, with a counter that is read after the loop, one in another.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), sum = 0, i, j;
    for (i = 0; i < 9; i++) {
        if (in[(g + i) & 255] % 5 == 0)
            continue;
        if (in[(g + i) & 255] % 11 == 0)
            break;
        sum += i * g;
    }
    sum = sum * 31 + i;
    for (j = 7; j >= 0; j -= 2)
        if (in[(g * j) & 255] % 3 == 0)
            break;
    sum = sum * 31 + j;
    for (int t = 0; t < n % 13; t++) {
        switch ((t + g) % 4) {
        case 0:
            continue;
        case 1:
            sum += t;
            break;
        default:
            sum ^= t;
        }
        int twice = sum * 2;
        sum = twice - t;
    }
    for (int t = 0; t < 6; t++) {
        tile[l] = sum + t;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % 3 == 1)
            continue;
        tile[l] = t * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int m = g;
    while (m > 0) {
        m--;
        if (m % 3 == 0)
            continue;
        for (int t = 0; t < 4; t++) {
            if (t == m)
                continue;
            if (t * m == 6)
                break;
            sum += t;
        }
        if (m % 17 == 16)
            break;
        sum += m;
    }
    do {
        if (m++ % 2 == 0)
            continue;
        sum -= m;
    } while (m < 20);
    out[g] = sum;
    out[g + 64] = m;
}
