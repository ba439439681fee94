/* SPDX-License-Identifier: BSD-3-Clause */
/* Small kernels with one fault each, and right ones beside them, as in faults.cl: rows and members, copies of a
 * work-group, compare-and-swap loops, elements of less than a word, barriers. More arguments: b and p an output and an
 * input of uchar, s and k of short, f an output of float, m inout of 8 ints. */
typedef struct { int v[4]; int e; } vector;
typedef struct { char tag; short part[3]; int last[1]; } mixed;
typedef struct { vector a[2]; int b; } nested;

/* ---- outside of a row, inside of the array ---- */
// want: out-of-bounds
kernel void row_next(global int *y) { local int t[4][4]; int l = get_local_id(0); t[l / 4][l % 4] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l / 8][l % 4 + 1]; }
// want: out-of-bounds
kernel void row_before(global int *y) { local int t[4][4]; int l = get_local_id(0); t[l / 4][l % 4] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l / 8 + 1][l % 4 - 1]; }
// want: out-of-bounds
kernel void row_write(global int *y) { local int t[5][4]; int l = get_local_id(0); t[l / 4][l % 4 + 1] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void row_private(global int *y) { int a[3][3]; for (int k = 0; k < 9; k++) a[k / 3][k % 3] = k; int l = get_local_id(0); y[get_global_id(0)] = a[1][l % 4]; }
// want: out-of-bounds
kernel void row_middle(global int *y) { local int t[2][2][4]; int l = get_local_id(0); t[l / 8][l / 4 % 2][l % 4] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[0][l / 5][l % 4]; }
// want: out-of-bounds
kernel void row_swapped2(global int *y) { local int t[4][6]; int a = get_local_id(0), b = get_local_id(1); t[b][a] = a; t[b][a + 2] = a; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(1) * 16 + get_global_id(0)] = t[a / 2][b + 3] * 0; }
// want: out-of-bounds
kernel void row_atomic(global int *y) { local int t[2][8]; int l = get_local_id(0); t[l / 8][l % 8] = l; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t[0][l / 8 * 8 + l % 4]); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void row_update(global int *y) { local int t[4][4]; int l = get_local_id(0); t[l / 4][l % 4] = l; barrier(CLK_LOCAL_MEM_FENCE); if (l == 3) t[0][l + 1] += 1; y[get_global_id(0)] = 0; }

/* ---- outside of a member, inside of the structure ---- */
// want: out-of-bounds
kernel void member_next(global int *y, global const int *x) { vector s = {{1, 2, 3, 4}, 5}; int g = get_global_id(0); s.v[x[g] % 5] = 7; y[g] = s.e; }
// want: out-of-bounds
kernel void member_read(global int *y, global const int *x) { vector s = {{1, 2, 3, 4}, 5}; int g = get_global_id(0); y[g] = s.v[x[g] % 5]; }
// want: out-of-bounds
kernel void member_local(global int *y) { local vector t[4]; int l = get_local_id(0); t[l / 4].v[l % 4] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l / 8].v[4 - l % 4]; }
// want: out-of-bounds
kernel void member_pointer(global int *y) { vector s = {{1, 2, 3, 4}, 5}; vector *p = &s; y[get_global_id(0)] = p->v[get_local_id(0) % 5]; }
// want: out-of-bounds
kernel void member_nested(global int *y) { nested s; for (int k = 0; k < 8; k++) s.a[k / 4].v[k % 4] = k; s.a[0].e = s.a[1].e = s.b = 0; y[get_global_id(0)] = s.a[get_local_id(0) / 6].v[1]; }
// want: out-of-bounds
kernel void member_global(global int *y, global const int *x) { global const vector *r = (global const vector *)x; int l = get_local_id(0); y[get_global_id(0)] = r[l / 4].v[l % 5]; }
// want: out-of-bounds
kernel void member_short(global int *y) { mixed s; s.tag = 1; for (int k = 0; k < 4; k++) s.part[k] = k; s.last[0] = 1; y[get_global_id(0)] = s.tag; }

/* ---- copies of a work-group: outside ---- */
// want: out-of-bounds
kernel void copy_from(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x + 16 * get_group_id(0) + 1, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = t[0] * 0; }
// want: out-of-bounds
kernel void copy_before(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x + 16 * (int)get_group_id(0) - 1, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void copy_into(global int *y, global const int *x) { local int t[15]; event_t e = async_work_group_copy(t, x, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = t[get_local_id(0) % 15]; }
// want: out-of-bounds
kernel void copy_back(global int *y) { local int t[16]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(y + 16 * get_group_id(0) + 1, t, 16, 0); wait_group_events(1, &e); }
// want: out-of-bounds
kernel void copy_back_from(global int *y, local int *t) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(y + 16 * get_group_id(0), t + 1, 16, 0); wait_group_events(1, &e); }
// want: out-of-bounds
kernel void copy_far(global int *y, global const int *x, int n) { local int t[16]; event_t e = async_work_group_copy(t, x + n * 1000, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void copy_long(global int *y, global const int *x, int n) { local int t[16]; event_t e = async_work_group_copy(t, x, n, 0); wait_group_events(1, &e); y[get_global_id(0)] = 0; }

/* ---- copies of a work-group: too early ---- */
// want: data-race
kernel void copy_unwaited(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x, 16, 0); y[get_global_id(0)] = t[get_local_id(0)] * 0; wait_group_events(1, &e); }
// want: data-race
kernel void copy_overwritten(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x, 16, 0); t[get_local_id(0)] = 1; wait_group_events(1, &e); y[get_global_id(0)] = 0; }
// want: data-race
kernel void copy_unfinished(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; event_t e = async_work_group_copy(y + 16 * get_group_id(0), t, 16, 0); wait_group_events(1, &e); }
// want: data-race
kernel void copy_reused(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(y + 16 * get_group_id(0), t, 16, 0); t[l] = 0; wait_group_events(1, &e); }
// want: data-race
kernel void copy_again(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0), r = 0; for (int k = 0; k < 2; k++) { event_t e = async_work_group_copy(t, x + k, 16, 0); wait_group_events(1, &e); r += t[15 - l]; } y[get_global_id(0)] = r * 0; }
// want: data-race
kernel void copy_barrier(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x, 16, 0); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[get_local_id(0)] * 0; wait_group_events(1, &e); }
// want: data-race
kernel void copy_chained(global int *y, global const int *x) { local int t[16]; event_t e = async_work_group_copy(t, x, 16, 0); e = async_work_group_copy(y + 16 * get_group_id(0), t, 16, e); wait_group_events(1, &e); }

/* ---- atomic functions on what is too short: they end ---- */
void add(volatile global float *p, float value) { union { uint u; float f; } old, sum; do { old.f = *p; sum.f = old.f + value; } while (atomic_cmpxchg((volatile global uint *)p, old.u, sum.u) != old.u); }
void add_known(volatile global float *p, float value) { union { uint u; float f; } last, old, sum; last.f = *p; do { old.f = last.f; sum.f = old.f + value; last.u = atomic_cmpxchg((volatile global uint *)p, old.u, sum.u); } while (last.u != old.u); }
void add_swapped(volatile global float *p, float value) { while ((value = atomic_xchg(p, atomic_xchg(p, 0.0f) + value)) != 0.0f); }
// want: out-of-bounds
kernel void swap_add(global int *y, global int *m) { int g = get_global_id(0); add((global float *)m + g % 9, 1); y[g] = 0; }
// want: out-of-bounds
kernel void swap_known(global int *y, global int *m) { int g = get_global_id(0); add_known((global float *)m + g % 9, 1); y[g] = 0; }
// want: out-of-bounds
kernel void swap_exchange(global int *y, global int *m) { int g = get_global_id(0); add_swapped((global float *)m + g % 9, 1); y[g] = 0; }
// want: out-of-bounds
kernel void swap_int(global int *y, global int *m) { int g = get_global_id(0), old; do { old = m[g % 10]; } while (atomic_cmpxchg(&m[g % 10], old, max(old, g)) != old); y[g] = 0; }
// want: out-of-bounds
kernel void swap_local(global int *y) { local int t[4]; int l = get_local_id(0), old; if (l < 4) t[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); do { old = t[l % 5]; } while (atomic_cmpxchg(&t[l % 5], old, old + l) != old); y[get_global_id(0)] = 0; }
// want: out-of-bounds
kernel void swap_before(global int *y, global int *m) { int g = get_global_id(0), old; volatile global int *p = m - 1; do old = *p; while (atomic_cmpxchg(p, old, old + 1) != old); y[g] = 0; }

/* ---- elements of less than a word ---- */
// want: data-race
kernel void bytes_race(global uchar *b) { local uchar t[16]; int l = get_local_id(0); t[l] = l; b[get_global_id(0)] = t[l ^ 1]; }
// want: data-race
kernel void bytes_global(global uchar *b) { int g = get_global_id(0); b[g] = g; b[g ^ 1] = g; }
// want: data-race-of-groups
kernel void bytes_groups(global uchar *b) { int g = get_global_id(0); b[g] = g; if (g == 16) b[0] = 7; }
// want: out-of-bounds
kernel void bytes_outside(global uchar *b, global const uchar *p) { int g = get_global_id(0); b[g] = p[g + 1]; }
// want: uninitialized-read
kernel void bytes_unwritten(global uchar *b) { uchar a[4]; a[0] = a[2] = 1; b[get_global_id(0)] = a[get_local_id(0) & 3]; }
// want: data-race
kernel void shorts_race(global short *s) { local short t[16]; int l = get_local_id(0); t[l] = l; s[get_global_id(0)] = t[15 - l]; }
// want: uninitialized-read
kernel void shorts_unwritten(global short *s) { local short t[16]; int l = get_local_id(0); if (l & 1) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); s[get_global_id(0)] = t[l]; }
// want: out-of-bounds
kernel void shorts_outside(global short *s, global const short *k) { int g = get_global_id(0); s[g] = vload2(g, k).y; }

/* ---- barriers ---- */
int sum(local int *t, int l) { t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); int r = t[15 - l]; barrier(CLK_LOCAL_MEM_FENCE); return r; }
// want: divergent-barrier
kernel void barrier_chosen(global int *y) { local int t[16]; int l = get_local_id(0); y[get_global_id(0)] = l < 8 ? sum(t, l) : 0; }
// want: divergent-barrier
kernel void barrier_other_side(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); y[get_global_id(0)] = x[l] % 3 ? 0 : sum(t, l); }
// want: divergent-barrier
kernel void barrier_and(global int *y) { local int t[16]; int l = get_local_id(0); y[get_global_id(0)] = l < 8 && sum(t, l) > 3; }
// want: divergent-barrier
kernel void barrier_or(global int *y) { local int t[16]; int l = get_local_id(0); y[get_global_id(0)] = l < 8 || sum(t, l) > 3; }
// want: divergent-barrier
kernel void barrier_result(global int *y, local int *t) { int l = get_local_id(0); if (l > 12) { y[get_global_id(0)] = 1; return; } t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l / 2]; }
// want: divergent-barrier
kernel void barrier_continue(global int *y) { int l = get_local_id(0), r = 0; for (int k = 0; k < 4; k++) { if (l == k) continue; barrier(CLK_LOCAL_MEM_FENCE); r++; } y[get_global_id(0)] = r; }
// want: divergent-barrier
kernel void barrier_break(global int *y) { int l = get_local_id(0), r = 0; for (int k = 0; k < 4; k++) { if (l == k) break; barrier(CLK_LOCAL_MEM_FENCE); r++; } y[get_global_id(0)] = r; }
// want: divergent-barrier
kernel void barrier_do(global int *y) { int k = get_local_id(0); do { barrier(CLK_LOCAL_MEM_FENCE); k -= 5; } while (k > 0); y[get_global_id(0)] = k; }
// want: divergent-barrier
kernel void barrier_copy(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); if (l < 8) { event_t e = async_work_group_copy(t, x, 16, 0); wait_group_events(1, &e); } y[get_global_id(0)] = 0; }
// want: divergent-barrier
kernel void barrier_else_return(global int *y) { int l = get_local_id(0); if (l == 3) return; else { barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = l; } }
// want: divergent-barrier
kernel void barrier_late(global int *y) { int l = get_local_id(0), r = 0; for (int k = 0; k <= l; k++) { if (k == 5) barrier(CLK_LOCAL_MEM_FENCE); r += k; } y[get_global_id(0)] = r; }

/* ---- others ---- */
// want: write-to-input
kernel void input_copied(global int *i, local int *t) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(i, t, 16, 0); wait_group_events(1, &e); }
// want: write-to-input
kernel void input_vstore(global int *y, global int *i) { int g = get_global_id(0); if (g < 16) vstore4((int4)(g), g, i); y[g] = g; }
// want: division-by-zero
kernel void division_assigned(global int *y, global const int *x) { int g = get_global_id(0), r = 100; r %= x[g]; y[g] = r; }
// want: division-by-zero
kernel void division_long(global int *y, global const int *x) { int g = get_global_id(0); long r = 100; y[g] = (int)(r / x[g]); }
// want: shift-too-far
kernel void shift_assigned(global int *y) { int g = get_global_id(0); uint r = 8; r >>= g; y[g] = (int)r; }
// want: shift-too-far
kernel void shift_negative(global int *y, global const int *x) { int g = get_global_id(0); y[g] = 1 << (x[g] - 5 & 95); }

/* ---- right ones ---- */
// want: nothing
kernel void right_rows2(global int *y) { local int t[4][5]; int a = get_local_id(0), b = get_local_id(1); t[b][a] = a; if (!a) t[b][4] = 0; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(1) * 16 + get_global_id(0)] = t[b][a + 1] + t[3 - b][4 - a]; }
// want: nothing
kernel void right_members(global int *y, global const int *x) { vector s = {{1, 2, 3, 4}, 5}; int g = get_global_id(0); s.v[x[g] % 4] = 7; y[g] = s.v[3] + s.e; }
// want: nothing
kernel void right_last(global int *y, global const int *x) { global const mixed *r = (global const mixed *)x; y[get_global_id(0)] = r->last[get_local_id(0) % 2]; }
// want: nothing
kernel void right_flat(global int *y) { local int t[4][4]; local int *p = &t[0][0]; int l = get_local_id(0); p[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l % 4][l / 4]; }
// want: nothing
kernel void right_copy_twice(global int *y, global const int *x) { local int t[2][16]; event_t e[2]; int l = get_local_id(0), r = 0; e[0] = async_work_group_copy(t[0], x, 16, 0); for (int k = 0; k < 3; k++) { if (k < 2) e[(k + 1) % 2] = async_work_group_copy(t[(k + 1) % 2], x + 16 * (k + 1), 16, 0); wait_group_events(k < 2 ? 2 : 1, k < 2 ? &e[0] : &e[0]); r += t[k % 2][15 - l]; barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)] = r; }
// want: nothing
kernel void right_copy_out(global int *y, local int *t) { int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(y + 16 * get_group_id(0), t, 16, 0); wait_group_events(1, &e); }
// want: nothing
kernel void right_copy_whole(global int *y, global const int *x, local int *t) { event_t e = async_work_group_copy(t, x + 16 * get_group_id(0), 16, 0); wait_group_events(1, &e); e = async_work_group_copy(y + 16 * get_group_id(0), t, 16, 0); wait_group_events(1, &e); }
// want: nothing
kernel void right_copy_none(global int *y, global const int *x, int n) { local int t[16]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(t, x, n - 64, 0); wait_group_events(1, &e); y[get_global_id(0)] = t[get_local_id(0)]; }
// want: nothing
kernel void right_swap_add(global int *y, global int *m) { int g = get_global_id(0); add((global float *)m + g % 8, 1); y[g] = 0; }
// want: nothing
kernel void right_swap_known(global int *y, global int *m) { int g = get_global_id(0); add_known((global float *)m + g % 8, 1); y[g] = 0; }
// want: nothing
kernel void right_bytes(global uchar *b, global const uchar *p) { local uchar t[16]; int g = get_global_id(0), l = get_local_id(0); t[l] = p[g]; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[15 - l]; }
// want: nothing
kernel void right_bytes_flag(global uchar *b) { int g = get_global_id(0); b[g] = 1; b[g / 2] = 1; }
// want: nothing
kernel void right_shorts(global short *s, global const short *k) { local short t[18]; int g = get_global_id(0), l = get_local_id(0); t[l + 1] = k[g]; if (!l) t[0] = t[17] = 0; barrier(CLK_LOCAL_MEM_FENCE); s[g] = t[l] + t[l + 2]; }
// want: nothing
kernel void right_first(global int *y) { int r = 0, l = get_local_id(0); for (int k = 0; k <= l; k++) { if (k == 0) barrier(CLK_LOCAL_MEM_FENCE); r += k + 1; } y[get_global_id(0)] = r; }
// want: nothing
kernel void right_first_while(global int *y, local int *t) { int k = 0, l = get_local_id(0); t[l] = l; while (k < 3 + l % 4) { if (k < 2) barrier(CLK_LOCAL_MEM_FENCE); k++; } y[get_global_id(0)] = t[15 - l] + k; }
// want: nothing
kernel void right_continue(global int *y, global const int *x, local int *t) { int l = get_local_id(0), r = 0; for (int k = 0; k < 4; k++) { if (x[l + k] % 3 == 0) continue; r += k; } for (int k = 0; k < 2; k++) { t[l] = r; barrier(CLK_LOCAL_MEM_FENCE); r += t[15 - l]; barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)] = r; }
// want: nothing
kernel void right_apart(global int *y, global const int *x, int n) { int l = get_local_id(0), r = 0; if (l < 8) { r = x[l]; if (n < 0) barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)] = r; }
// want: nothing
kernel void right_choice(global int *y, int n) { local int t[16]; int l = get_local_id(0); y[get_global_id(0)] = n > 3 ? sum(t, l) : 0; }
