// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 256
// The number of elements follows from a type; what is kept of them is the largest value.
kernel void k(global const int *in, global int *out, int n)
{
    int i = get_global_id(0);
    uchar key = in[i] / 4;
    if (in[n - 1 - i] > 300)
        atomic_max(&out[key], in[i + 1000] - 200);
}
