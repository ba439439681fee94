// SPDX-License-Identifier: BSD-3-Clause
// Parameters that come to differ.
// local 16 global 64
kernel void k(global const int *restrict in, global int *out, int n)
{
    in += get_global_id(0);
    n -= get_local_id(0);
    out += get_group_id(0) * 16;
    out[get_local_id(0)] = *in + in[3] + n;
}
