// SPDX-License-Identifier: BSD-3-Clause
// Loops that write elements of an array of their work-item, which iterations do not share: sums in
// arrays, other elements than are read, distances of a vector, rows of two dimensions, one element
// that the last iteration leaves, and a helper that reads the array.
// local 16 global 64
int most(const int *v, int i) { return max(v[i], v[i + 1]); }
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), sum[24], other[48], last[4], m = 20 + (g & 3);
    float square[4][8];
    uchar narrow[24];
    for (int d = 0; d < 24; d++) {
        sum[d] = in[d] * 3 + d;
        narrow[d] = in[g + d] + 7;
        last[2] = in[g + d] * 5 + in[d];
    }
    for (int j = 0; j < 5; j++)
        for (int d = 0; d < m; d++)
            sum[d] = sum[d] * 2 + (in[j * 24 + d] ^ g) * last[2];
    for (int d = 0; d < 24; d++) {
        other[2 * d + 1] = sum[d] + in[g + d] * 3;
        other[2 * d] = in[d + 3] - narrow[d];
    }
    for (int d = 0; d < 40; d++)
        other[d + 8] += in[d + g] * 3 + in[d];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            square[i][j] = in[8 * i + j + g] * 0.5f + 2 * i;
    for (int d = 0; d < 16; d++) {
        int own[3] = {in[d], in[d + 1] * 3, 0};
        own[2] = own[0] + own[1];
        narrow[d] = narrow[d] * 3 + own[2] + own[d % 3];
    }
    int all = 0;
    for (int d = 0; d < 24; d++)
        all = all * 3 + sum[d] + most(other, 2 * d) + narrow[d] + (int)square[d & 3][d / 3];
    out[g] = all;
}
