// SPDX-License-Identifier: BSD-3-Clause
// --local=32 --memory=records=a+b+x,pad=1
kernel void k(global float *a, global const float *b, global float *x)
{
    int m = get_global_id(0);
    global float *p = a + m * 16;
    for (int k = 0; k < 4; k++)
        for (int i = k + 1; i < 4; i++) {
            p[i * 4 + k] /= p[k * 4 + k];
            for (int j = k + 1; j < 4; j++)
                p[i * 4 + j] -= p[i * 4 + k] * p[k * 4 + j];
        }
    for (int i = 0; i < 4; i++)
        x[m * 4 + i] = b[m * 4 + i] * p[i * 5]; /* only written */
}
