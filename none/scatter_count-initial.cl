/* scatter_count of kernel, written by clopt 0.1.0 (clopt export): initial code
 *
 * NDRange: as it was
 *
 * Measured 2026-11-30 04:09 UTC by clopt 0.1.0, seed 1 (run 1 of the store): 494 samples from 9
 * worker processes. Other programs used 0.5% of the machine's processors. With kernel n=262144:
 * - on pthread-skylake-avx512-Intel(R) Xeon(R) Processor, Portable Computing Language, driver
 *   3.1+debian; measured peaks: single 473 GFLOP/s, double 229 GFLOP/s, integer 119 Gop/s,
 *   memory 31.9 GB/s (0.0928 at the lowest); clock: events, tick 1 ns, within 4.1% of the
 *   host's clock: 3.346 ms [3.102, 3.436]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels as their definitions say, one result a work-item, behind the guard that people write:
 * what bench/polybench tunes. */

/* ---- of other kinds: written as people write them who have not thought of devices yet ---- */

/* OpenCL C 1.2 has no atomic addition of floats. */
void add_float(volatile global float *at, float value)
{
    union {
        unsigned int u;
        float f;
    } old, new;
    do {
        old.f = *at;
        new.f = old.f + value;
    } while (atomic_cmpxchg((volatile global unsigned int *)at, old.u, new.u) != old.u);
}

/* The weights of each of 1024 classes. */
kernel void scatter_count(global const int *key, global const int *weight, global int *total, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    atomic_add(&total[key[i] & 1023], weight[i]);
}
