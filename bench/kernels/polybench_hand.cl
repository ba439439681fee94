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

/* Four columns and eight rows; first along rows, then along columns. */
kernel void erosion_hand(global const uchar *in, global uchar *out, int n)
{
    int x = 4 * get_global_id(0);
    int y = 8 * get_global_id(1);
    uchar4 rows[12];
#pragma unroll
    for (int r = 0; r < 12; r++) {
        uchar8 v = eight_bytes(in + clamp(y + r - 2, 0, n - 1) * n, x, n);
        rows[r] = min(min(v.s0123, v.s1234), min(min(v.s2345, v.s3456), v.s4567));
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
        vstore4(min(min(rows[r], rows[r + 1]), min(min(rows[r + 2], rows[r + 3]), rows[r + 4])), 0,
                out + (y + r) * n + x);
}

/* Four columns and eight rows. */
kernel void filter_columns_hand(global const float *in, global const float *taps, global float *out,
                                int n)
{
    int x = 4 * get_global_id(0);
    int y = 8 * get_global_id(1);
    float4 sums[8];
#pragma unroll
    for (int r = 0; r < 8; r++)
        sums[r] = 0;
#pragma unroll
    for (int k = 0; k < 24; k++) {
        float4 v = vload4(0, in + clamp(y + k - 8, 0, n - 1) * n + x);
#pragma unroll
        for (int r = 0; r < 8; r++)
            if (k - r >= 0 && k - r < 17)
                sums[r] += taps[k - r] * v;
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
        vstore4(sums[r], 0, out + (y + r) * n + x);
}

/* A row's part of a work-group in local memory, four columns a work-item; the local size is 64 x 1.
 */
kernel void filter_rows_hand(global const float *in, global const float *taps, global float *out,
                             int n)
{
    local float part[4 * 64 + 16];
    int lid = get_local_id(0);
    int first = 4 * 64 * get_group_id(0);
    int y = get_global_id(1);
    for (int i = lid; i < 4 * 64 + 16; i += 64)
        part[i] = in[y * n + clamp(first + i - 8, 0, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float window[20];
#pragma unroll
    for (int i = 0; i < 20; i++)
        window[i] = part[4 * lid + i];
    float4 sum = 0;
#pragma unroll
    for (int k = 0; k < 17; k++)
        sum += taps[k] * (float4)(window[k], window[k + 1], window[k + 2], window[k + 3]);
    vstore4(sum, 0, out + y * n + first + 4 * lid);
}

/* As filter_rows_hand. */
kernel void smooth_hand(global const float *in, global const float *taps, global float *out, int n)
{
    local float part[4 * 128 + 30];
    int lid = get_local_id(0);
    int first = 4 * 128 * get_group_id(0);
    for (int i = lid; i < 4 * 128 + 30; i += 128)
        part[i] = in[clamp(first + i - 15, 0, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float window[34];
#pragma unroll
    for (int i = 0; i < 34; i++)
        window[i] = part[4 * lid + i];
    float4 sum = 0;
#pragma unroll
    for (int k = 0; k < 31; k++)
        sum += taps[k] * (float4)(window[k], window[k + 1], window[k + 2], window[k + 3]);
    vstore4(sum, 0, out + first + 4 * lid);
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

/* Sums of a work-group in local memory; work-items go through the grid. */
kernel void scatter_add_hand(global const int *index, global const float *value, global float *sum,
                             int n)
{
    local float part[1000];
    int lid = get_local_id(0);
    for (int b = lid; b < 1000; b += get_local_size(0))
        part[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        add_local(&part[index[i]], value[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = lid; b < 1000; b += get_local_size(0))
        if (part[b] != 0)
            add_global(&sum[b], part[b]);
}

kernel void scatter_count_hand(global const int *key, global const int *weight, global int *total,
                               int n)
{
    local int part[1024];
    int lid = get_local_id(0);
    for (int b = lid; b < 1024; b += get_local_size(0))
        part[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n / 4; i += get_global_size(0)) {
        int4 k = vload4(i, key) & 1023, w = vload4(i, weight);
        atomic_add(&part[k.x], w.x);
        atomic_add(&part[k.y], w.y);
        atomic_add(&part[k.z], w.z);
        atomic_add(&part[k.w], w.w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = lid; b < 1024; b += get_local_size(0))
        if (part[b])
            atomic_add(&total[b], part[b]);
}

/* Four elements a work-item; a work-group asks once for the room that it needs. */
kernel void compaction_hand(global const int *in, global int *out, global int *count, int n)
{
    local int kept, first;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        kept = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = vload4(i, in);
    int mine = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
    int place = atomic_add(&kept, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        first = atomic_add(count, kept);
    barrier(CLK_LOCAL_MEM_FENCE);
    place += first;
    if (v.x > 0)
        out[place++] = v.x;
    if (v.y > 0)
        out[place++] = v.y;
    if (v.z > 0)
        out[place++] = v.z;
    if (v.w > 0)
        out[place++] = v.w;
}

/* Four pixels of three bytes each are three vectors. */
kernel void grey3_hand(global const uchar *in, global uchar *out, int width, int height)
{
    int i = get_global_id(1) * (width / 4) + get_global_id(0);
    global const uchar4 *from = (global const uchar4 *)in + 3 * i;
    int4 a = convert_int4(from[0]), b = convert_int4(from[1]), c = convert_int4(from[2]);
    int4 red = (int4)(a.x, a.w, b.z, c.y), green = (int4)(a.y, b.x, b.w, c.z),
         blue = (int4)(a.z, b.y, c.x, c.w);
    ((global uchar4 *)out)[i] = convert_uchar4((77 * red + 150 * green + 29 * blue) >> 8);
}

/* Centres in local memory, which all work-items read at the same time; points in registers. */
kernel void kmeans_hand(global const float8 *points, global const float8 *centres,
                        global int *nearest, int n)
{
    local float8 all[64];
    int i = get_global_id(0);
    if (get_local_id(0) < 64)
        all[get_local_id(0)] = centres[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float8 point = points[i];
    float least = FLT_MAX;
    int best = 0;
    for (int c = 0; c < 64; c++) {
        float8 d = point - all[c];
        float distance = dot(d.lo, d.lo) + dot(d.hi, d.hi);
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    nearest[i] = best;
}

/* Eight neighbours become four sums and four differences. */
kernel void haar_hand(global const float *in, global float *out, int n)
{
    int x = 4 * get_global_id(0);
    global float *row = out + get_global_id(1) * n;
    float8 v = *(global const float8 *)(in + get_global_id(1) * n + 2 * x);
    *(global float4 *)(row + x) = (v.even + v.odd) * 0.70710678f;
    *(global float4 *)(row + n / 2 + x) = (v.even - v.odd) * 0.70710678f;
}

/* A work-group reads both squares of a pair once, and writes both; the local size is 32 x 8. */
kernel void symmetric_hand(global const float *a, global float *s, int n)
{
    local float lower[32][33], upper[32][33];
    int x = get_local_id(0), y = get_local_id(1);
    if (get_group_id(0) > get_group_id(1))
        return;
    int one = 32 * (get_group_id(1) * n + get_group_id(0)) + x;
    int other = 32 * (get_group_id(0) * n + get_group_id(1)) + x;
    for (int r = y; r < 32; r += 8) {
        lower[r][x] = a[one + r * n];
        upper[r][x] = a[other + r * n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = y; r < 32; r += 8) {
        s[one + r * n] = 0.5f * (lower[r][x] + upper[x][r]);
        s[other + r * n] = 0.5f * (upper[r][x] + lower[x][r]);
    }
}

/* Four columns and four rows: each row's threes are sorted once; the median is that of the largest
 * least, the middle one of the middles and the least largest. */
kernel void median_hand(global const uchar *in, global uchar *out, int n)
{
    int x = 4 * get_global_id(0), y = 4 * get_global_id(1);
    uchar4 least[6], middle[6], most[6];
#pragma unroll
    for (int r = 0; r < 6; r++) {
        global const uchar *row = in + clamp(y + r - 1, 0, n - 1) * n;
        uchar4 b = *(global const uchar4 *)(row + x);
        uchar4 a = (uchar4)(row[max(x - 1, 0)], b.s012);
        uchar4 c = (uchar4)(b.s123, row[min(x + 4, n - 1)]);
        least[r] = min(min(a, b), c);
        middle[r] = max(min(a, b), min(max(a, b), c));
        most[r] = max(max(a, b), c);
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        uchar4 a = max(max(least[r], least[r + 1]), least[r + 2]);
        uchar4 b =
            max(min(middle[r], middle[r + 1]), min(max(middle[r], middle[r + 1]), middle[r + 2]));
        uchar4 c = min(min(most[r], most[r + 1]), most[r + 2]);
        uchar4 v = max(min(a, b), min(max(a, b), c));
        global uchar *to = out + (y + r) * n + x;
        if (y + r == 0 || y + r == n - 1)
            continue;
        if (x > 0 && x + 4 < n)
            *(global uchar4 *)to = v;
        else if (x > 0)
            vstore3(v.s012, 0, to);
        else
            vstore3(v.s123, 0, to + 1);
    }
}

/* 64 positions and all 64 numbers a work-group, 16 later positions at a time, of which those that
 * are masked count 0; the local size is 16 x 16. */
kernel void values_hand(global const float *p, global const float *v, global float *o, int n)
{
    local float part[16][65];
    local float4 rows[16][16];
    int x = get_local_id(0), y = get_local_id(1), head = get_global_id(2);
    int first = 64 * get_group_id(1);
    float4 sums[4] = {0, 0, 0, 0};
    for (int j = 0; j < first + 64; j += 16) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = y; r < 64; r += 16)
            part[x][r] = j + x <= first + r ? p[(head * n + first + r) * n + j + x] : 0;
        rows[y][x] = ((global const float4 *)v)[(head * n + j + y) * 16 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                sums[r] += part[k][y + 16 * r] * rows[k][x];
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
        ((global float4 *)o)[(head * n + first + y + 16 * r) * 16 + x] = sums[r];
}
