// SPDX-License-Identifier: BSD-3-Clause
// Loops whose counter is halved, doubled or moved by a size, and one that cannot be counted beside
// a barrier.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g] & 1023;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s >>= 1) {
        if (l < s)
            tile[l] += tile[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int sum = tile[0];
    for (uint s = 1; s < 16; s *= 2)
        sum = sum * 3 + in[s];
    for (uint s = 64; s; s /= 2)
        sum ^= in[s] + (int)s;
    int i;
    for (i = 1; i < 60; i <<= 2) {
        if (in[i] % 3 == 0)
            continue;
        sum ^= in[i] * i;
    }
    sum += i;
    for (i = 81; i != 1; i /= 3) {
        if (in[i & 31] % 5 == 0)
            break;
        sum += i;
    }
    for (int s = 3; s <= 60; s = s * 2 + 1)
        sum = sum * 5 + in[s];
    for (int j = l; j < 40; j += get_local_size(0))
        sum += in[j];
    for (int j = 0; j < (uint)(n & 15); j++)
        sum += in[j] * j;
    for (uint j = n & 15; j > 2; j--)
        sum = sum * 7 + in[j];
    for (int s = n & 8; s > 0; s /= 3) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += in[s];
    }
    out[g] = sum + i;
}
