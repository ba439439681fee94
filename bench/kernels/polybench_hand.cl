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

/* Eight copies of the bins in local memory, 16 bytes a load. */
kernel void histogram_hand(global const uchar *in, global uint *bins, int n)
{
    local uint part[256 * 8];
    int lid = get_local_id(0), copy = lid % 8;
    for (int b = lid; b < 256 * 8; b += get_local_size(0))
        part[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n / 16; i += get_global_size(0)) {
        uint words[4];
        vstore4(((global const uint4 *)in)[i], 0, words);
#pragma unroll
        for (int w = 0; w < 4; w++)
#pragma unroll
            for (int shift = 0; shift < 32; shift += 8)
                atomic_inc(&part[(words[w] >> shift & 255) * 8 + copy]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = lid; b < 256; b += get_local_size(0)) {
        uint sum = 0;
        for (int c = 0; c < 8; c++)
            sum += part[b * 8 + c];
        atomic_add(&bins[b], sum);
    }
}

/* Most values are below what was seen already: reading is cheaper than an atomic. */
void raise(local int *most, int value)
{
    if (*(volatile local int *)most < value)
        atomic_max(most, value);
}

kernel void largest_hand(global const int4 *key, global const int4 *value, global int *most, int n)
{
    local int part[1000];
    int lid = get_local_id(0);
    for (int b = lid; b < 1000; b += get_local_size(0))
        part[b] = INT_MIN;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n / 4; i += get_global_size(0)) {
        int4 k = key[i], v = value[i];
        raise(&part[k.x], v.x);
        raise(&part[k.y], v.y);
        raise(&part[k.z], v.z);
        raise(&part[k.w], v.w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = lid; b < 1000; b += get_local_size(0))
        if (part[b] > INT_MIN)
            atomic_max(&most[b], part[b]);
}

/* 128 x 128 scores a work-group, 8 x 8 a work-item, 16 of the 64 numbers at a time; squares that
 * are masked as a whole are only written; the local size is 16 x 16. */
kernel void scores_hand(global const float *q, global const float *k, global float *s, int n)
{
    local float4 rows[16][33], columns[16][33];
    int x = get_local_id(0), y = get_local_id(1), lid = 16 * y + x;
    int first = 128 * get_group_id(1), from = 128 * get_group_id(0), head = get_global_id(2) * n;
    int part = lid % 4;
    float4 left[8], right[8];
#pragma unroll
    for (int r = 0; r < 8; r++)
        left[r] = right[r] = 0;
    for (int d = 0; d < 64 && from < first + 128; d += 16) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = lid / 4; r < 128; r += 64) {
            float4 a = ((global const float4 *)q)[((head + first + r) * 64 + d) / 4 + part];
            float4 b = ((global const float4 *)k)[((head + from + r) * 64 + d) / 4 + part];
            local float *to = (local float *)rows[4 * part] + r;
            to[0] = a.x, to[132] = a.y, to[264] = a.z, to[396] = a.w;
            to = (local float *)columns[4 * part] + r;
            to[0] = b.x, to[132] = b.y, to[264] = b.z, to[396] = b.w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int c = 0; c < 16; c++) {
            float a[8];
            vstore4(rows[c][y], 0, a);
            vstore4(rows[c][16 + y], 1, a);
            float4 b0 = columns[c][x], b1 = columns[c][16 + x];
#pragma unroll
            for (int r = 0; r < 8; r++) {
                left[r] += a[r] * b0;
                right[r] += a[r] * b1;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int i = first + r / 4 * 64 + 4 * y + r % 4;
        int4 j = from + 4 * x + (int4)(0, 1, 2, 3);
        global float4 *to = (global float4 *)(s + (head + i) * n + from + 4 * x);
        to[0] = j > i ? (float4)(-INFINITY) : left[r] * 0.125f;
        to[16] = j + 64 > i ? (float4)(-INFINITY) : right[r] * 0.125f;
    }
}

/* A work-group a product, both matrices in local memory, 4 x 4 a work-item; the local size is
 * 8 x 8. */
kernel void batch_hand(global const float4 *a, global const float4 *b, global float4 *c)
{
    local float4 left[256], right[256];
    int x = get_local_id(0), y = get_local_id(1), first = 256 * get_global_id(2);
    for (int i = 8 * y + x; i < 256; i += 64) {
        left[i] = a[first + i];
        right[i] = b[first + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 sums[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float4 b0 = right[32 * k + x], b1 = right[32 * k + 8 + x];
        float4 b2 = right[32 * k + 16 + x], b3 = right[32 * k + 24 + x];
#pragma unroll
        for (int r = 0; r < 4; r++) {
            float4 v = left[(4 * y + r) * 8 + k];
            sums[r] += v.x * b0 + v.y * b1 + v.z * b2 + v.w * b3;
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
        c[first + (4 * y + r) * 8 + x] = sums[r];
}

/* Four columns and four rows; borders are asked once a row or column of them. */
kernel void depthwise_hand(global const float *in, global const float *filter, global float *out,
                           int size)
{
    int x = 4 * get_global_id(0), y = 4 * get_global_id(1), channel = get_global_id(2);
    float taps[9];
#pragma unroll
    for (int t = 0; t < 9; t++)
        taps[t] = filter[channel * 9 + t];
    float4 sums[4] = {0, 0, 0, 0};
#pragma unroll
    for (int r = 0; r < 6; r++) {
        if (y + r < 1 || y + r > size)
            continue;
        global const float *row = in + (channel * size + y + r - 1) * size + x;
        float4 b = *(global const float4 *)row;
        float4 a = (float4)(x > 0 ? row[-1] : 0, b.s012);
        float4 c = (float4)(b.s123, x + 4 < size ? row[4] : 0);
#pragma unroll
        for (int o = 0; o < 4; o++)
            if (r >= o && r < o + 3) {
                float4 left = taps[3 * (r - o)] * a, right = taps[3 * (r - o) + 2] * c;
                left.x = x > 0 ? left.x : 0; /* also where the tap is no number */
                right.w = x + 4 < size ? right.w : 0;
                sums[o] += left + taps[3 * (r - o) + 1] * b + right;
            }
    }
#pragma unroll
    for (int o = 0; o < 4; o++)
        *(global float4 *)(out + (channel * size + y + o) * size + x) = sums[o];
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

/* A work-group of 256 a row of 4096, which it keeps in registers. */
kernel void layernorm_hand(global const float4 *in, global float4 *out, int n, int m)
{
    local float part[256];
    int at = get_group_id(0) * 1024 + get_local_id(0);
    float4 v[4], sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = in[at + 256 * i];
        sum += v[i];
    }
    float mean = group_sum(sum.x + sum.y + sum.z + sum.w, part) / m;
    sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] -= mean;
        sum += v[i] * v[i];
    }
    float scale = rsqrt(group_sum(sum.x + sum.y + sum.z + sum.w, part) / m + 1e-5f);
#pragma unroll
    for (int i = 0; i < 4; i++)
        out[at + 256 * i] = v[i] * scale;
}

/* A work-group a row of at most 8192, which it keeps in local memory; what is masked is far below
 * all else. */
kernel void masked_softmax_hand(global const float4 *in, global const uchar4 *mask,
                                global float4 *out, int n, int m)
{
    local float4 kept[2048];
    local float part[256];
    int first = get_group_id(0) * (m / 4), lid = get_local_id(0), size = get_local_size(0);
    float4 most = -INFINITY, sum = 0;
    for (int j = lid; j < m / 4; j += size) {
        float4 v = convert_int4(mask[first + j]) != 0 ? in[first + j] : (float4)(-INFINITY);
        kept[j] = v;
        most = fmax(most, v);
    }
    float top = group_most(fmax(fmax(most.x, most.y), fmax(most.z, most.w)), part);
    for (int j = lid; j < m / 4; j += size) {
        float4 v = exp(kept[j] - top);
        kept[j] = v;
        sum += v;
    }
    float scale = 1 / group_sum(sum.x + sum.y + sum.z + sum.w, part);
    for (int j = lid; j < m / 4; j += size)
        out[first + j] = convert_int4(mask[first + j]) != 0 ? kept[j] * scale : 0;
}

/* Four elements; the step is a multiple of four. */
kernel void scan_step_hand(global const float4 *in, global float4 *out, int step, int n)
{
    int i = get_global_id(0);
    out[i] = i >= step / 4 ? in[i] + in[i - step / 4] : in[i];
}

/* Eight elements a work-item, so that 32 of them have one of the blocks of 256. */
kernel void block_scan_hand(global const int4 *in, global int4 *out, local int *shared, int n)
{
    int i = get_global_id(0), lid = get_local_id(0), lane = lid % 32, now = 0;
    int4 a = in[2 * i], b = in[2 * i + 1];
    a.y += a.x, a.z += a.y, a.w += a.z;
    b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
    int sum = b.w;
    shared[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 32; step *= 2) {
        if (lane >= step)
            sum += shared[now + lid - step];
        now = 128 - now;
        shared[now + lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int before = sum - b.w;
    out[2 * i] = a + before;
    out[2 * i + 1] = b + before;
}

/* Four elements a load; the same elements a work-group; the local size is 256. */
kernel void reduction_hand(global const float4 *in, global float *out, local float *part, int n)
{
    int lid = get_local_id(0), grid = get_global_size(0) / 4;
    int at = get_group_id(0) * 64 + lid % 64 + lid / 64 * grid;
    float4 sum = 0;
#pragma unroll 8
    for (int r = 0; r < n / (16 * grid); r++)
        sum += in[at + 4 * r * grid];
    float whole = group_sum(sum.x + sum.y + sum.z + sum.w, part);
    if (lid == 0)
        out[get_group_id(0)] = whole;
}

/* Four loads, all in registers, one division an equation. */
kernel void solve4_hand(global const float4 *a, global const float4 *b, global float4 *x,
                        float shift, int n)
{
    int s = get_global_id(0);
    float4 r0 = a[4 * s], r1 = a[4 * s + 1], r2 = a[4 * s + 2], r3 = a[4 * s + 3], v = b[s];
    r0.x += shift, r1.y += shift, r2.z += shift, r3.w += shift;
    float inverse = 1 / r0.x, f1 = r1.x * inverse, f2 = r2.x * inverse, f3 = r3.x * inverse;
    r1 -= f1 * r0, r2 -= f2 * r0, r3 -= f3 * r0;
    v.y -= f1 * v.x, v.z -= f2 * v.x, v.w -= f3 * v.x;
    float inverse1 = 1 / r1.y;
    f2 = r2.y * inverse1, f3 = r3.y * inverse1;
    r2 -= f2 * r1, r3 -= f3 * r1;
    v.z -= f2 * v.y, v.w -= f3 * v.y;
    float inverse2 = 1 / r2.z;
    f3 = r3.z * inverse2;
    r3 -= f3 * r2;
    v.w -= f3 * v.z;
    v.w /= r3.w;
    v.z = (v.z - r2.w * v.w) * inverse2;
    v.y = (v.y - r1.z * v.z - r1.w * v.w) * inverse1;
    v.x = (v.x - r0.y * v.y - r0.z * v.z - r0.w * v.w) * inverse;
    x[s] = v;
}

/* Four particles a work-item: the grid is too large for local memory. */
kernel void deposit_hand(global const float4 *px, global const float4 *py, global int *grid,
                         int size, int n)
{
    float4 x = px[get_global_id(0)] * (size - 1), y = py[get_global_id(0)] * (size - 1);
    int4 ix = convert_int4(x), iy = convert_int4(y);
    float4 fx = x - convert_float4(ix), fy = y - convert_float4(iy);
    int at[4], a[4], b[4], c[4], d[4];
    vstore4(iy * size + ix, 0, at);
    vstore4(convert_int4((1 - fx) * (1 - fy) * 256), 0, a);
    vstore4(convert_int4(fx * (1 - fy) * 256), 0, b);
    vstore4(convert_int4((1 - fx) * fy * 256), 0, c);
    vstore4(convert_int4(fx * fy * 256), 0, d);
#pragma unroll
    for (int p = 0; p < 4; p++) {
        atomic_add(&grid[at[p]], a[p]);
        atomic_add(&grid[at[p] + 1], b[p]);
        atomic_add(&grid[at[p] + size], c[p]);
        atomic_add(&grid[at[p] + size + 1], d[p]);
    }
}

/* Four pixels. */
kernel void grey4_hand(global const uchar16 *in, global uchar4 *out, int width, int height)
{
    int i = get_global_id(1) * (width / 4) + get_global_id(0);
    uchar16 p = in[i];
    out[i] = convert_uchar4(0.299f * convert_float4(p.s048c) + 0.587f * convert_float4(p.s159d) +
                            0.114f * convert_float4(p.s26ae));
}

/* 128 x 128 a work-group, 8 x 8 a work-item, 16 deep, in float from local memory on; the local
 * size is 16 x 16. */
kernel void half_product_hand(global const half *a, global const half *b, global float *c, int n)
{
    local float4 rows[16][33], columns[16][33];
    int x = get_local_id(0), y = get_local_id(1), lid = 16 * y + x;
    int first = 128 * get_group_id(1), from = 128 * get_group_id(0);
    float4 left[8], right[8];
#pragma unroll
    for (int r = 0; r < 8; r++)
        left[r] = right[r] = 0;
    for (int k = 0; k < n; k += 16) {
        float8 u = vloada_half8(((first + lid / 2) * n + k) / 8 + lid % 2, a);
        float8 v = vloada_half8(((k + y) * n + from) / 8 + x, b);
        local float *to = (local float *)rows[lid % 2 * 8] + lid / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        to[0] = u.s0, to[132] = u.s1, to[264] = u.s2, to[396] = u.s3;
        to[528] = u.s4, to[660] = u.s5, to[792] = u.s6, to[924] = u.s7;
        columns[y][2 * x] = v.lo;
        columns[y][2 * x + 1] = v.hi;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int d = 0; d < 16; d++) {
            float p[8];
            vstore4(rows[d][y], 0, p);
            vstore4(rows[d][16 + y], 1, p);
            float4 q0 = columns[d][x], q1 = columns[d][16 + x];
#pragma unroll
            for (int r = 0; r < 8; r++) {
                left[r] += p[r] * q0;
                right[r] += p[r] * q1;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int i = first + r / 4 * 64 + 4 * y + r % 4;
        global float4 *row = (global float4 *)(c + i * n + from);
        row[x] = left[r];
        row[16 + x] = right[r];
    }
}

/* As half_product_hand, in int. */
kernel void int8_product_hand(global const char *a, global const char *b, global int *c, int n)
{
    local int4 rows[16][33], columns[16][33];
    int x = get_local_id(0), y = get_local_id(1), lid = 16 * y + x;
    int first = 128 * get_group_id(1), from = 128 * get_group_id(0);
    int4 left[8], right[8];
#pragma unroll
    for (int r = 0; r < 8; r++)
        left[r] = right[r] = 0;
    for (int k = 0; k < n; k += 16) {
        int at = lid / 2 * n + k + lid % 2 * 8;
        int8 u = convert_int8(*(global const char8 *)(a + first * n + at));
        int8 v = convert_int8(*(global const char8 *)(b + from * n + at));
        local int *to = (local int *)rows[lid % 2 * 8] + lid / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        to[0] = u.s0, to[132] = u.s1, to[264] = u.s2, to[396] = u.s3;
        to[528] = u.s4, to[660] = u.s5, to[792] = u.s6, to[924] = u.s7;
        to = (local int *)columns[lid % 2 * 8] + lid / 2;
        to[0] = v.s0, to[132] = v.s1, to[264] = v.s2, to[396] = v.s3;
        to[528] = v.s4, to[660] = v.s5, to[792] = v.s6, to[924] = v.s7;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int d = 0; d < 16; d++) {
            int p[8];
            vstore4(rows[d][y], 0, p);
            vstore4(rows[d][16 + y], 1, p);
            int4 q0 = columns[d][x], q1 = columns[d][16 + x];
#pragma unroll
            for (int r = 0; r < 8; r++) {
                left[r] += p[r] * q0;
                right[r] += p[r] * q1;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int i = first + r / 4 * 64 + 4 * y + r % 4;
        global int4 *row = (global int4 *)(c + i * n + from);
        row[x] = left[r];
        row[16 + x] = right[r];
    }
}

/* 32 x 32 pixels a work-group from local memory; what is beyond the border differs so much that
 * its weight is 0; the local size is 32 x 8. */
kernel void bilateral_hand(global const float *in, global float *out, int n)
{
    local float part[38][39];
    int x = get_local_id(0), y = get_local_id(1);
    int left = 32 * get_group_id(0), top = 32 * get_group_id(1);
    for (int i = 32 * y + x; i < 38 * 38; i += 256) {
        int u = left + i % 38 - 3, v = top + i / 38 - 3;
        part[i / 38][i % 38] = u < 0 || v < 0 || u >= n || v >= n ? 1e15f : in[v * n + u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = y; r < 32; r += 8) {
        float centre = part[r + 3][x + 3], sum = 0, weights = 0;
#pragma unroll
        for (int dy = -3; dy <= 3; dy++)
#pragma unroll
            for (int dx = -3; dx <= 3; dx++) {
                float value = part[r + 3 + dy][x + 3 + dx], difference = value - centre;
                float weight = exp(-0.05f * (dx * dx + dy * dy) - 8 * difference * difference);
                sum += weight * value;
                weights += weight;
            }
        out[(top + r) * n + left + x] = sum / weights;
    }
}

/* 256 bodies at a time in local memory; the local size is 256. */
kernel void nbody_hand(global const float4 *body, global float4 *force, int n)
{
    local float4 others[256];
    int lid = get_local_id(0);
    float4 me = body[get_global_id(0)];
    float3 sum = 0;
    for (int first = 0; first < n; first += 256) {
        barrier(CLK_LOCAL_MEM_FENCE);
        others[lid] = body[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
        for (int j = 0; j < 256; j++) {
            float3 d = others[j].xyz - me.xyz;
            float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            sum += d * (others[j].w * inverse * inverse * inverse);
        }
    }
    force[get_global_id(0)] = (float4)(sum, 0);
}

/* Four columns, of which two have the colour. */
kernel void red_black_hand(global float *u, global const float *f, int n, int colour)
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

/* Four pairs; the distance is a multiple of four. */
kernel void bitonic_hand(global int4 *data, int distance, int block)
{
    int t = get_global_id(0), step = distance / 4;
    int i = t / step * 2 * step + t % step;
    int4 a = data[i], b = data[i + step];
    int up = (4 * i & block) == 0;
    data[i] = up ? min(a, b) : max(a, b);
    data[i + step] = up ? max(a, b) : min(a, b);
}

/* Two rows; loads of several elements are on their way at once. */
kernel void ellpack_hand(global const int2 *columns, global const float2 *values,
                         global const float *x, global float2 *y, int n)
{
    int row = get_global_id(0);
    float2 sum = 0;
#pragma unroll 8
    for (int k = 0; k < 32; k++) {
        int2 column = columns[k * (n / 2) + row];
        float2 value = values[k * (n / 2) + row];
        sum.x += column.x >= 0 ? value.x * x[column.x] : 0;
        sum.y += column.y >= 0 ? value.y * x[column.y] : 0;
    }
    y[row] = sum;
}

/* Eight work-items a row; the local size is 256. */
kernel void spmv_hand(global const int *rows, global const int *columns, global const float *values,
                      global const float *x, global float *y, int n)
{
    local float part[256];
    int lid = get_local_id(0), row = get_global_id(0) / 8, lane = lid % 8;
    int end = rows[row + 1];
    float sum = 0;
#pragma unroll 4
    for (int k = rows[row] + lane; k < end; k += 8)
        sum += values[k] * x[columns[k]];
    part[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        for (int i = 1; i < 8; i++)
            sum += part[lid + i];
        y[row] = sum;
    }
}

/* Four outputs a work-item from local memory; taps are constant; the local size is 128. */
kernel void fir_hand(global const float4 *in, constant float *taps, global float4 *out, int n)
{
    local float4 part[128 + 16];
    int lid = get_local_id(0);
    part[lid] = in[get_global_id(0)];
    if (lid < 16)
        part[128 + lid] = in[get_global_id(0) + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 a = part[lid], sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        float4 b = part[lid + k + 1];
        sum += taps[4 * k] * a + taps[4 * k + 1] * (float4)(a.yzw, b.x) +
               taps[4 * k + 2] * (float4)(a.zw, b.xy) + taps[4 * k + 3] * (float4)(a.w, b.xyz);
        a = b;
    }
    out[get_global_id(0)] = sum;
}

/* Attention of 64 positions a work-group: 32 others at a time in local memory, which all read as
 * float4; what is a work-item's own in registers, scaled once for eight others. */
void attend(global const float *q, global const float *k, global const float *v, global float *o,
            int n, bool causal, local float4 *keys, local float4 *values)
{
    int i = get_global_id(0), lid = get_local_id(0), begin = get_global_id(1) * n;
    int end = causal ? i - lid + 64 : n;
    global const float4 *k4 = (global const float4 *)k + begin * 16;
    global const float4 *v4 = (global const float4 *)v + begin * 16;
    float4 own[16], sums[16];
    float most = -INFINITY, all = 0;
#pragma unroll
    for (int d = 0; d < 16; d++) {
        own[d] = ((global const float4 *)q)[(begin + i) * 16 + d] * 0.125f;
        sums[d] = 0;
    }
    for (int first = 0; first < end; first += 32) {
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int e = 0; e < 8; e++) {
            keys[lid + 64 * e] = k4[first * 16 + lid + 64 * e];
            values[lid + 64 * e] = v4[first * 16 + lid + 64 * e];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 32; j += 8) {
            float scores[8], now = most;
#pragma unroll
            for (int e = 0; e < 8; e++) {
                float4 sum = 0;
#pragma unroll
                for (int d = 0; d < 16; d++)
                    sum += own[d] * keys[(j + e) * 16 + d];
                scores[e] =
                    causal && first + j + e > i ? -INFINITY : sum.x + sum.y + (sum.z + sum.w);
                now = fmax(now, scores[e]);
            }
            float scale = native_exp(most - now);
            most = now;
            all *= scale;
#pragma unroll
            for (int d = 0; d < 16; d++)
                sums[d] *= scale;
#pragma unroll
            for (int e = 0; e < 8; e++) {
                float weight = native_exp(scores[e] - most);
                all += weight;
#pragma unroll
                for (int d = 0; d < 16; d++)
                    sums[d] += weight * values[(j + e) * 16 + d];
            }
        }
    }
#pragma unroll
    for (int d = 0; d < 16; d++)
        ((global float4 *)o)[(begin + i) * 16 + d] = sums[d] / all;
}

kernel void attention_hand(global const float *q, global const float *k, global const float *v,
                           global float *o, int n)
{
    local float4 keys[512], values[512];
    attend(q, k, v, o, n, false, keys, values);
}

kernel void causal_hand(global const float *q, global const float *k, global const float *v,
                        global float *o, int n)
{
    local float4 keys[512], values[512];
    attend(q, k, v, o, n, true, keys, values);
}
