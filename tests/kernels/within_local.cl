// SPDX-License-Identifier: BSD-3-Clause
// Loops over rows of arrays in local memory: of one dimension and of two, at multiples and at others, of several types,
// read and written, and one that is declared beside another one.
// local 16 global 32
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    local int keys[256], values[256];
    local short odd[16][15];
    local int rows[16][16];
    int x = get_local_id(0), sum = 0, late = 0, all = 0;
    int q[16], o[16];
    for (int j = 0; j < 16; j++) {
        q[j] = in[get_global_id(0) * 16 + j];
        o[j] = j;
    }
    for (int i = 0; i < 16; i++) {
        keys[i * 16 + x] = in[i * 16 + x];
        values[i * 16 + x] = in[512 + i * 16 + x];
        rows[x][i] = in[x * 16 + i];
    }
    for (int i = 0; i < 15; i++)
        odd[x][i] = in[x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n % 32 + 16; k++) {
        int s = 0;
        for (int j = 0; j < 16; j++)
            s += q[j] * keys[16 * k + j];
        for (int j = 0; j < 16; j++)
            o[j] += s * values[16 * k + j] + rows[k][j];
        for (int j = 0; j < 12; j++)
            late ^= odd[k][j] + keys[k * 15 + j];
        for (int j = 2; j < 14; j++)
            all += values[16 * k + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 16; j++)
        rows[x][j] = o[j] + late;
    for (int j = 0; j < 16; j++)
        out[get_global_id(0) * 16 + j] = rows[x][j] + all + sum;
}
