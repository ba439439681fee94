/* red_black of kernel, written by clopt 0.1.0 (clopt export): variant=hand
 *
 * Arguments, NDRange: those of [variant hand] of the study; then:
 * NDRange: as it was
 *
 * Measured 2026-11-30 04:09 UTC by clopt 0.1.0, seed 1 (run 1 of the store): 280 samples from 5
 * worker processes. Other programs used 0.6% of the machine's processors. With kernel n=512:
 * - on pthread-skylake-avx512-Intel(R) Xeon(R) Processor, Portable Computing Language, driver
 *   3.1+debian; measured peaks: single 473 GFLOP/s, double 229 GFLOP/s, integer 119 Gop/s,
 *   memory 31.9 GB/s (0.0928 at the lowest); clock: events, tick 1 ns, within 5.8% of the
 *   host's clock: 86.43 us [69.42, 247.5], 1.53 times as fast as the initial code [1.46, 1.61]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
/* What a careful person writes first in place of kernels of polybench.cl: sizes are multiples of
 * what a work-group computes. */

/* Eight columns of bytes from x - 2 on, of a row that ends at n. */
uchar8 eight_bytes(global const uchar *row, int x, int n)
{
    if (x >= 2 && x + 6 <= n)
        return vload8(0, row + x - 2);
    uchar8 v;
    v.s0 = row[clamp(x - 2, 0, n - 1)];
    v.s1 = row[clamp(x - 1, 0, n - 1)];
    v.s2 = row[x];
    v.s3 = row[x + 1];
    v.s4 = row[x + 2];
    v.s5 = row[x + 3];
    v.s6 = row[clamp(x + 4, 0, n - 1)];
    v.s7 = row[clamp(x + 5, 0, n - 1)];
    return v;
}

void add_local(volatile local float *at, float value)
{
    volatile local int *bits = (volatile local int *)at;
    int old = *bits, seen;
    while ((seen = atomic_cmpxchg(bits, old, as_int(as_float(old) + value))) != old)
        old = seen;
}

void add_global(volatile global float *at, float value)
{
    volatile global int *bits = (volatile global int *)at;
    int old = *bits, seen;
    while ((seen = atomic_cmpxchg(bits, old, as_int(as_float(old) + value))) != old)
        old = seen;
}

/* Most values are below what was seen already: reading is cheaper than an atomic. */
void raise(local int *most, int value)
{
    if (*(volatile local int *)most < value)
        atomic_max(most, value);
}

float group_sum(float value, local float *part)
{
    int lid = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    part[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = get_local_size(0) / 2; size > 0; size /= 2) {
        if (lid < size)
            part[lid] += part[lid + size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return part[0];
}

float group_most(float value, local float *part)
{
    int lid = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    part[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = get_local_size(0) / 2; size > 0; size /= 2) {
        if (lid < size)
            part[lid] = fmax(part[lid], part[lid + size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return part[0];
}

/* Four columns, of which two have the colour. */
kernel void red_black(global float *u, global const float *f, int n, int colour)
{
    int x = 4 * get_global_id(0), y = get_global_id(1);
    if (y == 0 || y == n - 1)
        return;
    global float *row = u + y * n + x;
    float4 middle = *(global float4 *)row;
    float4 v = *(global float4 *)(row - n) + *(global float4 *)(row + n) -
               *(global const float4 *)(f + y * n + x);
    if ((y & 1) == colour) {
        if (x > 0)
            row[0] = 0.25f * (v.x + row[-1] + middle.y);
        row[2] = 0.25f * (v.z + middle.y + middle.w);
    } else {
        row[1] = 0.25f * (v.y + middle.x + middle.z);
        if (x + 4 < n)
            row[3] = 0.25f * (v.w + middle.z + row[4]);
    }
}
