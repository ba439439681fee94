// SPDX-License-Identifier: BSD-3-Clause
// local 32 global 128
kernel void k(global const int *in, global int *out, int n)
{
    int i = get_global_id(0);
    out[i] = in[i] + n; /* trailing comment */
}
