// SPDX-License-Identifier: BSD-3-Clause
// Halves as values: arithmetic, comparisons, selections, conversions, functions, and beside other types.
// local 16 global 64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    half h = in[g] & 255, i = in[g + 64] & 63;
    short s = in[g] * 77;
    char c = in[g];
    half sum = h * i + (half)0.5f;
    sum -= h / 4;
    h++;
    i *= 0.25f;
    if (h > i)
        sum = -sum;
    half least = h < 40 ? i : sum, most = fmax(h, i);
    if (least >= 1 && !(most == h))
        most += least;
    out[g] = convert_int(sum * 4) + (h > i) + 2 * (h == i + 3) + 4 * !i;
    out[64 + g] = as_short(least) + as_ushort(most);
    out[128 + g] = (int)(h * 2.5f) + (int)(h + s) + (int)(i * c) + (int)(fabs(sum) / 3);
    out[192 + g] = (short)floor(most) + (uchar)(h * (half)0.5f) + (char)min(i, h);
}
