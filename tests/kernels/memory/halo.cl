// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 32x16
// Neighbours by loops and by hand, in rows of a width that the host gives.
kernel void k(global const int *in, global int *out, int n)
{
    local int other[4][9];
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    int lx = get_local_id(0), ly = get_local_id(1);
    other[ly][lx] = 3 * x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = other[3 - ly][7 - lx];
    for (int j = -1; j <= 1; j++)
        for (int i = 1; i >= -1; i--) {
            int at = (y + j) * (n / 256 + 4);
            sum = sum * 3 + in[at + x - i];
        }
    sum += in[(y - 1) * 64 + x - 1] - in[(y - 1) * 64 + x] + in[(y - 1) * 64 + x + 1];
    sum += in[(y + 1) * 64 + x - 1] - in[(y + 1) * 64 + x] * in[(y + 1) * 64 + x + 1];
    out[get_global_id(1) * 32 + get_global_id(0)] = sum;
}
