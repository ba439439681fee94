/* SPDX-License-Identifier: BSD-3-Clause */
/* Small kernels with one fault each, and right ones beside them, as in faults.cl, for platforms with halves, and with
 * all copies of a work-group. h is an output of half, q an input of half. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// want: out-of-bounds
kernel void copy_vectors(global int *y, global const int *x) { local int4 t[16]; event_t e = async_work_group_copy(t, (global const int4 *)x + 1, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void strided_from(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_strided_copy(t, x + 4, 16, 4, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void strided_into(global int *y) { local int t[16]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_strided_copy(y, t, 16, 5, 0); wait_group_events(1, &e); }
// want: out-of-bounds
kernel void strided_short(global int *y, global const int *x) { local int t[15]; event_t e = async_work_group_strided_copy(t, x, 16, 2, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: data-race
kernel void strided_unwaited(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_strided_copy(t, x, 16, 3, 0); y[get_global_id(0)] = t[get_local_id(0)] * 0; wait_group_events(1, &e); }
// want: data-race
kernel void half_race(global half *h, global const half *q) { local half t[16]; int l = get_local_id(0); t[l] = q[get_global_id(0)]; h[get_global_id(0)] = t[15 - l]; }
// want: data-race
kernel void half_global(global half *h) { int g = get_global_id(0); h[g] = g; h[g ^ 1] = g; }
// want: data-race-of-groups
kernel void half_groups(global half *h) { int g = get_global_id(0); h[g] = g; if (g == 17) h[0] = 3; }
// want: out-of-bounds
kernel void half_outside(global half *h, global const half *q) { int g = get_global_id(0); h[g] = q[g + 1]; }
// want: out-of-bounds
kernel void half_vector(global half *h, global const half *q) { int g = get_global_id(0); h[g] = vload4(g, q).x; }
// want: out-of-bounds
kernel void half_load(global half *h, global const half *q) { int g = get_global_id(0); h[g] = vload_half(g + 1, q); }
// want: uninitialized-read
kernel void half_unwritten(global half *h) { half a[4]; a[0] = 1; h[get_global_id(0)] = a[get_local_id(0) & 1]; }
// want: uninitialized-read
kernel void half_local(global half *h) { local half t[16]; int l = get_local_id(0); if (l) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); h[get_global_id(0)] = t[15 - l]; }

// want: nothing
kernel void right_half(global half *h, global const half *q) { int g = get_global_id(0); h[g] = q[g] + q[g]; }
// want: nothing
kernel void right_half_tile(global half *h, global const half *q) { local half t[16]; int g = get_global_id(0), l = get_local_id(0); t[l] = q[g]; barrier(CLK_LOCAL_MEM_FENCE); h[g] = t[15 - l]; }
// want: nothing
kernel void right_half_flag(global half *h) { int g = get_global_id(0); h[g] = 1; h[g / 3] = 1; }
// want: nothing
kernel void right_half_vectors(global half *h, global const half *q) { int g = get_global_id(0); if (g < 16) vstore4(vload4(g, q) * 2, g, h); }
// want: nothing
kernel void right_half_stored(global half *h, global const half *q) { int g = get_global_id(0); vstore_half(vload_half(g, q) * 2, g, h); }
// want: nothing
kernel void right_half_private(global half *h, global const half *q) { int g = get_global_id(0); half a[3]; for (int k = 0; k < 3; k++) a[k] = q[(g + k) % 64]; h[g] = a[0] + a[1] * a[2]; }
// want: nothing
kernel void right_half_copied(global half *h, global const half *q) { local half t[16]; event_t e = async_work_group_copy(t, q + 16 * get_group_id(0), 16, 0); wait_group_events(1, &e); h[get_global_id(0)] = t[15 - get_local_id(0)]; }
// want: nothing
kernel void right_strided(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_strided_copy(t, x + 3, 16, 4, 0); wait_group_events(1, &e); y[get_global_id(0)] = t[15 - get_local_id(0)]; }
