// SPDX-License-Identifier: BSD-3-Clause
// --local=64x1 --vector=across=4,aligned=yes
// Pixels next to each other are stored as one vector, where all of them are.
__kernel void k(__global const float *in, __global uchar4 *out, __global float2 *pairs, __global uchar3 *triples, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float v = 255 * in[y * n + x];
    out[y * n + x] = (uchar4)(convert_uchar_sat(v), 0, 0, 255);
    pairs[y * n + x] = (float2)(v, 1 - v);
    triples[y * n + x] = (uchar3)(1);
    out[y * n + x + 1] = out[y * n + x];
}
