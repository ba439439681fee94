/* SPDX-License-Identifier: BSD-3-Clause */
/* Small kernels with one fault each, and right ones beside them, as in faults.cl, for `clopt check --atomics`: plain
 * accesses beside atomic functions. m is inout of 8 ints. */

// want: data-race
kernel void mixed_read(global int *y, global const int *x) { local int c; if (!get_local_id(0)) c = 0; barrier(CLK_LOCAL_MEM_FENCE); if (x[get_global_id(0)] & 1) atomic_inc(&c); y[get_global_id(0)] = c; }
// want: data-race
kernel void mixed_write(global int *y) { local int c; if (!get_local_id(0)) c = 0; atomic_inc(&c); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = c; }
// want: data-race
kernel void mixed_update(global int *y, local int *t) { int l = get_local_id(0); t[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&t[l / 2], l); t[l] += 1; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l] * 0; }
// want: data-race-of-groups
kernel void mixed_groups(global int *y, global int *m) { int g = get_global_id(0); atomic_add(&m[0], g); if (g == 63) y[0] = m[0]; }
// want: data-race-of-groups
kernel void mixed_reset(global int *y, global int *m) { int g = get_global_id(0); if (g == 0) m[1] = 0; atomic_max(&m[1], g); y[g] = g; }
// want: data-race
kernel void mixed_swap(global int *y) { local int c; int old, l = get_local_id(0); if (!l) c = 0; barrier(CLK_LOCAL_MEM_FENCE); do { old = c; } while (atomic_cmpxchg(&c, old, old + l) != old); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = c; }

// want: nothing
kernel void right_counted(global int *y) { local int c; int l = get_local_id(0); if (!l) c = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&c, l); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = c; }
// want: nothing
kernel void right_own(global int *y, local int *t) { int l = get_local_id(0); t[l] = l; atomic_inc(&t[l]); y[get_global_id(0)] = t[l]; }
// want: nothing
kernel void right_histogram(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); t[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t[x[get_global_id(0)] % 16]); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l]; }
// want: nothing
kernel void right_ticket(global int *y, global int *m) { int g = get_global_id(0), k = atomic_inc(&m[2]); y[g] = k * 0; }
