// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 32x16
// One element, to which all add.
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int value = in[y * 32 + x];
    if (value > n / 40)
        atomic_add(out, value * 1000000);
    else
        atomic_add(&out[0], -value);
    atomic_inc(out);
}
