/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of rows, whose local memory has a macro's length (a mixed-radix index). */
kernel void row_sums(global const float *a, global float *o, int n)
{
    local float t[TOTAL];
    int x = get_local_id(0), r = get_local_id(1), id = r * XS + x;
    float s = 0;
    for (int k = x; k < n; k += XS)
        s += a[get_global_id(1) * n + k];
    t[id] = s;
    for (int h = XS / 2; h > 0; h /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x < h)
            t[id] += t[id + h];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0)
        o[get_global_id(1)] = t[id];
}
