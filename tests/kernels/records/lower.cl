// SPDX-License-Identifier: BSD-3-Clause
// local 8 global 128
// Of a matrix of 6 x 6 the lower triangle is written; what is above it stays.
kernel void k(global const int *in, global int *out, int n)
{
    int id = get_global_id(0);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            int sum = in[(id * 6 + i) * 6 + j];
            for (int k = 0; k < j; k++)
                sum -= out[id * 36 + i * 6 + k] * out[id * 36 + j * 6 + k] & 63;
            out[id * 36 + i * 6 + j] = i == j ? sum & 127 : sum / (out[id * 36 + j * 6 + j] + 1);
        }
    out[id * 36] += in[id * 36 + 35] + out[id * 36 + 5] % 7;
}
