// SPDX-License-Identifier: BSD-3-Clause
// local 32 global 1024
// How many elements there are is not known.
kernel void k(global const int *in, global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n - 3)
        atomic_add(&out[in[i]], in[i + 1]);
    atomic_inc(&out[n - 1 - i % 5]);
}
