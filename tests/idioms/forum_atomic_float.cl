/* SPDX-License-Identifier: BSD-3-Clause */
/* Floats that are added with compare-and-swap. */
void add(volatile global float *at, float value)
{
    union { uint i; float f; } old, new;
    do {
        old.f = *at;
        new.f = old.f + value;
    } while (atomic_cmpxchg((volatile global uint *)at, old.i, new.i) != old.i);
}

kernel void gather(global const float *v, global const int *bin, global float *sums, int n)
{
    int i = get_global_id(0);
    if (i < n)
        add(&sums[bin[i]], v[i]);
}
