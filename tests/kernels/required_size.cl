// SPDX-License-Identifier: BSD-3-Clause
// reqd_work_group_size is adapted; comments and macros in a strange place.
// local 32 global 64
#define WG 32
__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void k(__global const int *in, __global int *out, int n)
{
    // a comment with "quotes" and { braces
    int g = get_group_id(0) * WG + get_local_id(0); // after
#if WG > 16
    int h = g + 1;
#else
    int h = g + 2;
#endif
#pragma unroll 4
    for (int i = 0; i < WG; ++i)
        h += i * g;
    out[g] = h + in[g];
}
