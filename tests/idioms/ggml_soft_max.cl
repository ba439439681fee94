/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax of rows of four elements at a time, a work-item a row. */
kernel void soft_max(global char *src0, ulong offset0, global char *dst, ulong offsetd, int ne00,
                     ulong nb01, ulong nb1, float scale)
{
    src0 = src0 + offset0;
    dst = dst + offsetd;
    int row = get_global_id(0);
    global const float4 *x = (global const float4 *)(src0 + row * nb01);
    global float4 *y = (global float4 *)(dst + row * nb1);
    float4 top = -INFINITY, sum = 0;
    for (int i = 0; i < ne00 / 4; i++)
        top = fmax(top, x[i] * scale);
    const float most = fmax(fmax(top.x, top.y), fmax(top.z, top.w));
    for (int i = 0; i < ne00 / 4; i++) {
        const float4 e = exp(x[i] * scale - most);
        sum += e;
        y[i] = e;
    }
    const float whole = sum.x + sum.y + sum.z + sum.w;
    for (int i = 0; i < ne00 / 4; i++)
        y[i] /= whole;
}
