// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// A matrix of 8 x 8 each, of which rows are taken from those after it, and a vector that is written only.
kernel void k(global const int *in, global int *out, int n)
{
    int id = get_global_id(0);
    global int *m = out + id * 64;
    for (int i = 0; i < 64; i++)
        m[i] = in[64 * id + i] & 255;
    for (int k = 0; k < 8; k++)
        for (int i = k + 1; i < 8; i++) {
            m[i * 8 + k] = m[i * 8 + k] * 2 / (m[k * 8 + k] + 1);
            for (int j = k + 1; j < 8; j++)
                m[i * 8 + j] = (m[i * 8 + j] - m[i * 8 + k] * m[k * 8 + j]) & 255;
        }
}
