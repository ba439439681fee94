// SPDX-License-Identifier: BSD-3-Clause
// Rows upwards and downwards, steps, columns, one place for all, tables, and what a work-item stores
// and then reads.
// local 16x2 global 32x4
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[2][20];
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * 32 + x;
    uint l = get_local_id(0);
    size_t big = get_global_id(0);
    const global int *row = in + y * 32 + x;
    global int *last = out + 512 + y * 32 + 31;
    tile[get_local_id(1)][l + 2] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[get_local_id(1)][17 - l] + in[i + 1] - in[i + 3] + row[2] + *row;
    out[i] += in[31 - x] * in[3 * x] + in[x * n % 77] + in[y];
    out[128 + y * 32 + 31 - x] = in[i] - in[127 - i];
    out[256 + 2 * x + y * 64] = out[i] * 2;
    out[257 + 2 * x + y * 64] = in[big + 5] + in[l - 1 + 1] + in[(uchar)(x + 250)];
    last[-x] = in[in[i] & 63];
    out[700 + i] = in[i];
    int seen = out[700 + i];
    out[700 + i] = seen * seen + out[i];
    row += 4;
    out[900 + i] = row[-1] + row[in[x] & 7];
}
