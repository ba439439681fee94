// SPDX-License-Identifier: BSD-3-Clause
// Returns after something that is done: one, one in front of a plain one, and what they leave out.
// local 32 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    int v = in[g];
    out[g] = v * 3;
    if (g == 0 || v > 900) {
        out[64 + g] = v - 1;
        return;
    }
    int left = in[g - 1];
    if (g >= 60)
        return;
    if (left % 7 == 0) {
        out[64 + g] = left;
        for (int i = 0; i < 3; i++)
            out[128 + g] += in[g + i];
        return;
    }
    int right = in[g + 1];
    out[64 + g] = left + right - 2 * v;
    out[128 + g] = left * right;
}
