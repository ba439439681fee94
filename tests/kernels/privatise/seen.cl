// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 256
// Updates that change nothing where they were made before, by numbers with a sign and without.
kernel void k(global const int *in, global int *out, int n)
{
    int v = in[get_global_id(0)] - n / 2;
    atomic_or(&out[v & 63], 1 << (v >> 6 & 31));
    if (v > -9)
        atomic_and(out + 64 + (v & 63), ~(1 << (v >> 7 & 31)));
    atomic_min(&out[128 + (v & 7)], v);
    atom_max((volatile global uint *)out + 200 + (v & 7), (uint)v << 3);
}
