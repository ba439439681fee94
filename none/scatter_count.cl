/* scatter_count of kernel, written by clopt 0.1.0 (clopt export):
 * branches(guards=yes)+geometry(local_size=1,group_loop=65536)+memory(constant=all,privatise=all,window=1024)
 * - branches(guards=yes): divergent branches, and data layouts that avoid them
 * - geometry(local_size=1,group_loop=65536): number and grouping of work-items
 * - memory(constant=all,privatise=all,window=1024): local and constant memory
 *
 * NDRange, dimension 0: local size 1
 * dimension 0: for local sizes that are multiples of 1
 * NDRange, dimension 0: number of work-groups divided by 65536, rounded up
 * arguments: no buffer may be passed twice
 * argument 3: for at most so many work-items in dimension 0
 * one more argument, ulong: the number of work-groups in dimension 0
 *
 * Measured 2026-11-30 04:09 UTC by clopt 0.1.0, seed 1 (run 1 of the store): 494 samples from 9
 * worker processes. Other programs used 0.5% of the machine's processors. With kernel n=262144:
 * - on pthread-skylake-avx512-Intel(R) Xeon(R) Processor, Portable Computing Language, driver
 *   3.1+debian; measured peaks: single 473 GFLOP/s, double 229 GFLOP/s, integer 119 Gop/s,
 *   memory 31.9 GB/s (0.0928 at the lowest); clock: events, tick 1 ns, within 4.1% of the
 *   host's clock: 102.9 us [92.22, 250.4], 33.0 times as fast as the initial code [24.2, 44.9]
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
kernel void scatter_count(__constant const int *key, __constant const int *weight, global int *total, int n, ulong groups_0)
{
    __local uint total_part[1024];
    for (uint element = get_local_id(0); element < 1024; element += get_local_size(0))
        total_part[element] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint group = 0; group < 65536; group++) {
        if (65536 * get_group_id(0) + group < groups_0) {
            int i = (65536 * get_group_id(0) + group) * get_local_size(0) + get_local_id(0);
            total_part[key[i] & 1023] += weight[i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint element_2 = get_local_id(0); element_2 < 1024; element_2 += get_local_size(0)) {
        uint value_2 = total_part[element_2];
        if (value_2 != 0)
            atomic_add(&total[element_2], value_2);
    }
}
