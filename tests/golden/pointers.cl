/* SPDX-License-Identifier: BSD-3-Clause */
// --loops=unroll=2
float mean(__global const float *values, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}
__kernel void k(__global const float *in, __global float *out, int width)
{
    __local float tile[16];
    __global const float *row = in + get_global_id(1) * width, *end = row + width;
    __local float *own = &tile[get_local_id(0)];
    float average = mean(row, width);
    out += get_global_id(1); // one a row
    *own = 0;
    for (__global const float *at = row; at < end; at += 16)
        *own += at[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    *out = tile[0] - average + vload4(0, row).x;
}
