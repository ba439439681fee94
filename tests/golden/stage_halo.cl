// SPDX-License-Identifier: BSD-3-Clause
// --local=32x8 --memory=stage=in,constant=w
kernel void k(global const float *in, global float *out, global const float *w, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += in[(y + j) * (n + 4) + x + i] * w[j * 5 + i];
    out[y * n + x] = sum;
}
