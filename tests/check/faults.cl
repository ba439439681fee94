/* SPDX-License-Identifier: BSD-3-Clause */
/* Small kernels with one fault each, and right ones beside them. A comment `want:` in front of a kernel names what
 * is to be found (nothing: it is right). Arguments by their names: y, z outputs of n ints, w one of n that nothing
 * else writes, v an output of n / 4 int4, x, i inputs of n ints with 0 to n - 1, c a constant input of 16 ints,
 * t local memory of 16 ints, n = 64. Work-groups have 16 work-items; kernels whose name ends in 2 or 3 have
 * NDRanges of (16, 4) and (8, 4, 2) in groups of (4, 4) and (4, 2, 2). */
typedef struct { int a; float b[3]; } record;
__constant int table[4] = {3, 1, 4, 1};

/* ---- outside, global ---- */
// want: out-of-bounds
kernel void global_read_after(global int *y, global const int *x) { int g = get_global_id(0); y[g] = x[g + 1]; }
// want: out-of-bounds
kernel void global_read_before(global int *y, global const int *x) { int g = get_global_id(0); y[g] = x[g - 1]; }
// want: out-of-bounds
kernel void global_write_after(global int *y) { int g = get_global_id(0); y[g + 1] = g; }
// want: out-of-bounds
kernel void global_write_before(global int *y) { int g = get_global_id(0); y[g - 1] = g; }
// want: out-of-bounds
kernel void global_far(global int *y, global const int *x, int n) { y[get_global_id(0)] = x[n * 1000000]; }
// want: out-of-bounds
kernel void global_pointer(global int *y, global const int *x) { global const int *p = x + get_global_id(0); y[get_global_id(0)] = *(p + 1); }
// want: out-of-bounds
kernel void global_moved(global int *y, global const int *x) { global const int *p = x; int s = 0; for (int k = 0; k <= 64; k++) s += *p++; y[get_global_id(0)] = s; }
// want: out-of-bounds
kernel void global_update(global int *y) { int g = get_global_id(0); y[g] = g; if (g == 63) y[g + 1] += 1; }
// want: out-of-bounds
kernel void global_step(global int *y) { int g = get_global_id(0); y[g] = g; if (g == 63) y[g + 1]++; }
// want: out-of-bounds
kernel void global_vector(global int4 *v) { int g = get_global_id(0); if (g < 17) v[g] = (int4)(g); }
// want: out-of-bounds
kernel void global_component(global int4 *v) { int g = get_global_id(0); if (g < 17) v[g].y = g; }
// want: out-of-bounds
kernel void global_vload(global int *y, global const int *x) { int g = get_global_id(0); y[g] = vload4(g, x).x; }
// want: out-of-bounds
kernel void global_vload_offset(global int *y, global const int *x) { int g = get_global_id(0); y[g] = vload4(0, x + g).w; }
// want: out-of-bounds
kernel void global_vstore(global int *y) { int g = get_global_id(0); if (g < 17) vstore4((int4)(g), g, y); }
// want: out-of-bounds
kernel void global_atomic(global int *y) { int g = get_global_id(0); y[g] = g; barrier(CLK_GLOBAL_MEM_FENCE); if (g == 63) atomic_inc(&y[64]); }
// want: out-of-bounds
kernel void global_second2(global int *y, global const int *x) { int a = get_global_id(0), b = get_global_id(1); y[b * 16 + a] = x[(b + 1) * 16 + a]; }
// want: out-of-bounds
kernel void global_third3(global int *y, global const int *x) { int g = (get_global_id(2) * 4 + get_global_id(1)) * 8 + get_global_id(0); y[g] = x[g + 8]; }
int read_next(global const int *p, int at) { return p[at + 1]; }
// want: out-of-bounds
kernel void global_helper(global int *y, global const int *x) { int g = get_global_id(0); y[g] = read_next(x, g); }
// want: out-of-bounds
kernel void global_early(global int *y, global const int *x, int n) { int g = get_global_id(0); if (g > n) return; y[g] = x[g] + x[n]; }
// want: out-of-bounds
kernel void global_record(global int *y, global const int *x) { global const record *r = (global const record *)x; int g = get_global_id(0); y[g] = r[g].a; }
// want: out-of-bounds
kernel void global_index_of_index(global int *y, global const int *x) { int g = get_global_id(0); y[g] = x[x[g] + 1]; }

// want: out-of-bounds
kernel void global_wrapped(global int *y, global const int *x, int n) { int g = get_global_id(0); y[g] = x[(g + 1) * 0x7fffffc0]; }
// want: out-of-bounds
kernel void global_unsigned(global int *y, global const int *x) { uint g = get_global_id(0); y[g] = x[g - 1]; }
/* The groups at the borders of a picture look at a neighbour that is not there: a stencil that tests for the
 * picture's border after it has read. */
// want: out-of-bounds
kernel void global_border2(global int *y, global const int *x) { int a = get_global_id(0), b = get_global_id(1); local int up[4]; if (get_local_id(1) == 0) { up[get_local_id(0)] = x[b * 16 + a - 16]; if (get_group_id(1) == 0) up[get_local_id(0)] = x[a]; } barrier(CLK_LOCAL_MEM_FENCE); y[b * 16 + a] = up[get_local_id(0)]; }

/* ---- outside, local, private and constant ---- */
// want: out-of-bounds
kernel void local_write(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; t[l + 1] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[0] * 0; }
// want: out-of-bounds
kernel void local_read(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l + 1]; }
// want: out-of-bounds
kernel void local_argument(global int *y, local int *t) { int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[16 - l]; }
// want: out-of-bounds
kernel void local_row2(global int *y) { local int t[4][4]; int a = get_local_id(0), b = get_local_id(1); t[b][a] = a; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(1) * 16 + get_global_id(0)] = t[b + 1][a]; }
// want: out-of-bounds
kernel void local_next_array(global int *y) { local int s[16]; local int t[16]; int l = get_local_id(0); s[l] = t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = s[16 + l] + t[l]; }
// want: out-of-bounds
kernel void private_read(global int *y) { int a[4] = {1, 2, 3, 4}; y[get_global_id(0)] = a[get_local_id(0) & 7]; }
// want: out-of-bounds
kernel void private_write(global int *y) { int a[4] = {1, 2, 3, 4}; a[get_local_id(0) & 7] = 0; y[get_global_id(0)] = a[0]; }
// want: out-of-bounds
kernel void private_loop(global int *y) { int a[4], s = 0; for (int k = 0; k <= 4; k++) a[k] = k; for (int k = 0; k < 4; k++) s += a[k]; y[get_global_id(0)] = s; }
// want: out-of-bounds
kernel void private_pointer(global int *y) { int a[4] = {1, 2, 3, 4}; int *p = a; y[get_global_id(0)] = p[get_local_id(0)]; }
// want: out-of-bounds
kernel void private_record(global int *y) { record r; r.a = 1; for (int k = 0; k < 8; k++) r.b[k] = k; y[get_global_id(0)] = r.a; }
void fill(int *p, int count) { for (int k = 0; k < count; k++) p[k] = k; }
// want: out-of-bounds
kernel void private_helper(global int *y) { int a[4]; fill(a, 5); y[get_global_id(0)] = a[3]; }
// want: out-of-bounds
kernel void constant_table(global int *y) { y[get_global_id(0)] = table[get_local_id(0)]; }
// want: out-of-bounds
kernel void constant_argument(global int *y, constant int *c) { y[get_global_id(0)] = c[get_local_id(0) + 1]; }
// want: out-of-bounds
kernel void constant_negative(global int *y, constant int *c) { y[get_global_id(0)] = c[(int)get_local_id(0) - 1]; }

/* ---- never written ---- */
// want: uninitialized-read
kernel void unwritten_private(global int *y) { int a[4]; a[0] = 1; y[get_global_id(0)] = a[get_local_id(0) & 1]; }
// want: uninitialized-read
kernel void unwritten_private_vector(global int *y) { float4 a[2]; a[0] = (float4)(1); y[get_global_id(0)] = (int)a[1].x; }
// want: uninitialized-read
kernel void unwritten_private_pointer(global int *y) { int a[4]; int *p = a + 1; p[0] = 1; y[get_global_id(0)] = p[1]; }
// want: uninitialized-read
kernel void unwritten_local(global int *y) { local int t[16]; int l = get_local_id(0); if (l) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[15 - l]; }
// want: uninitialized-read
kernel void unwritten_local_argument(global int *y, local int *t) { int l = get_local_id(0); if (l < 8) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l]; }
// want: uninitialized-read
kernel void unwritten_local_scalar(global int *y) { local int s; y[get_global_id(0)] = s; }
// want: uninitialized-read
kernel void unwritten_output(global int *y, global int *w) { int g = get_global_id(0); y[g] = w[g]; }
// want: uninitialized-read
kernel void unwritten_local2(global int *y) { local int t[4][5]; t[get_local_id(1)][get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(1) * 16 + get_global_id(0)] = t[get_local_id(1)][4]; }

/* ---- data races ---- */
// want: data-race
kernel void race_local_read(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; y[get_global_id(0)] = t[l ^ 1]; }
// want: data-race
kernel void race_local_write(global int *y) { local int t[16]; int l = get_local_id(0); t[l / 2] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[l / 2] * 0; }
// want: data-race
kernel void race_local_scalar(global int *y) { local int s; s = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = s * 0; }
// want: data-race
kernel void race_local_loop(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 0; k < 2; k++) { int s = t[15 - l]; t[l] = s; barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)] = t[l] * 0; }
// want: data-race
kernel void race_local_fence(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_GLOBAL_MEM_FENCE); y[get_global_id(0)] = t[15 - l]; }
// want: data-race
kernel void race_global(global int *y) { int g = get_global_id(0); y[g] = g; y[g ^ 1] = g; }
// want: data-race
kernel void race_global_fence(global int *y, global int *z) { int g = get_global_id(0); z[g] = g; barrier(CLK_LOCAL_MEM_FENCE); y[g] = z[g ^ 1]; }
// want: data-race
kernel void race_sum(global int *y) { local int s; if (!get_local_id(0)) s = 0; barrier(CLK_LOCAL_MEM_FENCE); s += 1; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = s * 0; }
// want: data-race
kernel void race_local2(global int *y) { local int t[4][4]; int a = get_local_id(0), b = get_local_id(1); t[b][a] = a; y[get_global_id(1) * 16 + get_global_id(0)] = t[a][b]; }
void put(local int *p, int at, int value) { p[at] = value; }
// want: data-race
kernel void race_helper(global int *y) { local int t[16]; int l = get_local_id(0); put(t, l, l); y[get_global_id(0)] = t[15 - l]; }
// want: data-race
kernel void race_vector(global int *y, global int4 *v) { int g = get_global_id(0); v[g / 4] = (int4)(g); y[g] = g; }
// want: data-race-of-groups
kernel void race_groups_write(global int *y) { int g = get_global_id(0); y[g] = g; if (!get_local_id(0)) y[0] = (int)get_group_id(0); }
// want: data-race-of-groups
kernel void race_groups_read(global int *y, global int *z) { int g = get_global_id(0); z[g] = g; barrier(CLK_GLOBAL_MEM_FENCE); y[g] = z[63 - g]; }
// want: data-race-of-groups
kernel void race_groups_2(global int *y) { int g = get_global_id(1) * 16 + get_global_id(0); y[g] = g; if (!get_local_id(0) && !get_local_id(1)) y[63] = g; }
// want: data-race-of-groups
kernel void race_neighbour(global int *y, global int *z) { int g = get_global_id(0); z[g] = g; barrier(CLK_GLOBAL_MEM_FENCE); y[g] = g ? z[g - 1] : 0; }

/* ---- barriers ---- */
// want: divergent-barrier
kernel void barrier_if(global int *y) { if (get_local_id(0) < 8) barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 1; }
// want: divergent-barrier
kernel void barrier_return(global int *y) { if (get_local_id(0) == 15) return; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 1; }
// want: divergent-barrier
kernel void barrier_loop(global int *y) { for (int k = 0; k < (int)get_local_id(0); k++) barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 1; }
// want: divergent-barrier
kernel void barrier_else(global int *y) { if (get_local_id(0) & 1) y[get_global_id(0)] = 1; else { barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 2; } }
// want: divergent-barrier
kernel void barrier_data(global int *y, global const int *x) { if (x[get_global_id(0)] & 1) barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = 1; }
// want: divergent-barrier
kernel void barrier_while(global int *y) { int k = get_local_id(0); while (k > 0) { barrier(CLK_LOCAL_MEM_FENCE); k -= 4; } y[get_global_id(0)] = k; }

/* A half of the work-items goes one way each, and both ways have barriers: a triangle is solved row by row. */
// want: divergent-barrier
kernel void barrier_halves(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); if (l < 8) { for (int k = 0; k < l; k++) { barrier(CLK_LOCAL_MEM_FENCE); t[l] += t[k] & 0; } } else { for (int k = 8; k < l; k++) { barrier(CLK_LOCAL_MEM_FENCE); t[l] += t[k] & 0; } } y[get_global_id(0)] = t[l]; }
/* Work-items without an element leave before the others load a table together. */
// want: divergent-barrier
kernel void barrier_leave(global int *y, global const int *x, int n) { local int t[16]; int g = get_global_id(0); if (g >= n - 5) return; if (get_local_id(0) < 8) t[get_local_id(0)] = x[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); y[g] = t[g & 7]; }

/* ---- others ---- */
// want: write-to-input
kernel void input_written(global int *y, global int *i) { int g = get_global_id(0); y[g] = i[g]; i[g] = 0; }
// want: write-to-input
kernel void input_added(global int *y, global int *i) { int g = get_global_id(0); y[g] = 0; atomic_inc(&i[g]); }
// want: division-by-zero
kernel void division(global int *y, global const int *x) { int g = get_global_id(0); y[g] = 100 / x[g]; }
// want: division-by-zero
kernel void remainder_of(global int *y, global const int *x, int n) { int g = get_global_id(0); y[g] = g % (n - 64); }
// want: shift-too-far
kernel void shift(global int *y) { int g = get_global_id(0); y[g] = 1 << g; }

/* ---- right ones ---- */
// want: nothing
kernel void right_copy(global int *y, global const int *x, int n) { int g = get_global_id(0); if (g < n) y[g] = x[g]; }
// want: nothing
kernel void right_tile2(global int *y, global const int *x) { local int t[4][5]; int a = get_local_id(0), b = get_local_id(1); t[b][a] = x[get_global_id(1) * 16 + get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(1) * 16 + get_global_id(0)] = t[a][b]; }
// want: nothing
kernel void right_reduction(global int *y, local int *t) { int l = get_local_id(0); t[l] = l; for (int s = 8; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; } y[get_global_id(0)] = l ? 0 : t[0]; }
// want: nothing
kernel void right_flag(global int *y, global int *z) { int g = get_global_id(0); y[g] = g; if (g > 3) z[0] = 1; }
// want: nothing
kernel void right_atomic(global int *y) { local int s; int l = get_local_id(0); if (!l) s = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&s, l); barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = s; }
// want: nothing
kernel void right_uniform_branch(global int *y, int n) { local int t[16]; int l = get_local_id(0); t[l] = l; if (get_group_id(0) < n) { barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[15 - l]; } }
// want: nothing
kernel void right_private(global int *y) { int a[8]; fill(a, 8); y[get_global_id(0)] = a[get_local_id(0) & 7]; }
// want: nothing
kernel void right_swap(global int *y) { local int t[2][16]; int l = get_local_id(0); t[0][l] = l; for (int k = 0; k < 4; k++) { barrier(CLK_LOCAL_MEM_FENCE); t[1 - (k & 1)][l] = t[k & 1][15 - l]; } y[get_global_id(0)] = t[0][l]; }
// want: nothing
kernel void right_vector(global int *y, global int4 *v) { int g = get_global_id(0); if (g < 16) { v[g] = (int4)(g); v[g].z = 3; y[g] = v[g].w; } }
// want: nothing
kernel void right_async(global int *y, global const int *x, local int *t) { event_t e = async_work_group_copy(t, x + get_group_id(0) * 16, 16, 0); wait_group_events(1, &e); y[get_global_id(0)] = t[15 - get_local_id(0)]; }
// want: nothing
kernel void right_constant(global int *y, constant int *c) { y[get_global_id(0)] = c[get_local_id(0)] + table[get_local_id(0) & 3]; }
// want: nothing
kernel void right_tables(global int *y) { int a[4] = {1, 2, 3, 4}, s = 0; for (int k = 0; k < 4; k++) { s += a[k] + table[3 - k]; a[k] = s; } y[get_global_id(0)] = s + a[3]; }
// want: nothing
kernel void right_record(global int *y) { record r = {1, {2, 3, 4}}; record s = r; s.b[get_local_id(0) % 3] = 5; y[get_global_id(0)] = s.a + (int)s.b[1]; }
// want: nothing
kernel void right_groups(global int *y, global int *z) { int g = get_global_id(0); z[g] = g; barrier(CLK_GLOBAL_MEM_FENCE); y[g] = z[g ^ 1]; }
// want: nothing
kernel void right_comma(global int *y, local int *t) { int l = get_local_id(0); t[l] = l; y[get_global_id(0)] = (barrier(CLK_LOCAL_MEM_FENCE), t[15 - l]); }
// want: nothing
kernel void right_break(global int *y, global const int *x, local int *t) { int l = get_local_id(0), s = 0; for (int k = 0; k < 9; k++) { if (x[l] % 5 == k) break; s += k; } t[l] = s; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[15 - l]; }
// want: nothing
kernel void right_search(global int *y, global const int *x, int n) { int g = get_global_id(0); n /= 4; y[g] = -1; for (int k = 0; k < n; k++) if (x[k] % 7 == g % 9) { y[g] = k; return; } y[g] = g; if (g % 3 == 0) { y[g] += n; return; } y[g] *= 2; }
