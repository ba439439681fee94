// SPDX-License-Identifier: BSD-3-Clause
// local 8x2x4 global 16x4x8
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int i = (z * get_global_size(1) + y) * get_global_size(0) + x;
    if (x == y || z > 5)
        out[i] = in[i] + get_local_id(2);
    else
        out[i] = in[i] - get_local_id(1) * get_local_id(0);
}
