// SPDX-License-Identifier: BSD-3-Clause
// Halves in global, local and private memory: rows, sums, vectors, and what is read several times.
// local 16 global 64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const int *in, global int *out, int n)
{
    local half shared[16];
    global half *halves = (global half *)out;
    int g = get_global_id(0), l = get_local_id(0);
    half row[4], sum = 0;
    halves[g] = in[g] & 127;
    shared[l] = halves[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++)
        sum += shared[i] * (half)(in[i] & 1);
    for (int i = 0; i < 4; i++)
        row[i] = in[4 * g + i] & 15;
    half4 four = vload4(0, row);
    sum += dot(four, (half4)(1, 2, 1, 2)) + shared[15 - l];
    halves[64 + g] = sum;
    half2 pair = (half2)(four.x, four.w) * (half)2;
    halves[128 + g] = pair.x - pair.y;
    out[256 + g] = convert_int(sum) + n;
}
