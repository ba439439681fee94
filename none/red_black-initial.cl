/* red_black of kernel, written by clopt 0.1.0 (clopt export): initial code
 *
 * NDRange: as it was
 *
 * Measured 2026-11-30 04:09 UTC by clopt 0.1.0, seed 1 (run 1 of the store): 280 samples from 5
 * worker processes. Other programs used 0.6% of the machine's processors. With kernel n=512:
 * - on pthread-skylake-avx512-Intel(R) Xeon(R) Processor, Portable Computing Language, driver
 *   3.1+debian; measured peaks: single 473 GFLOP/s, double 229 GFLOP/s, integer 119 Gop/s,
 *   memory 31.9 GB/s (0.0928 at the lowest); clock: events, tick 1 ns, within 5.8% of the
 *   host's clock: 126.1 us [117.5, 154.9]
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

/* One colour of a sweep by Gauss and Seidel. */
kernel void red_black(global float *u, global const float *f, int n, int colour)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
        return;
    if ((x + y) % 2 == colour)
        u[y * n + x] = 0.25f * (u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] +
                                u[(y + 1) * n + x] - f[y * n + x]);
}
