/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels as their definitions say, one result a work-item, behind the guard that people write:
 * what bench/polybench tunes. */

kernel void gemm(global const float *a, global const float *b, global float *c, float alpha,
                 float beta, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < n; k++)
            c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}

kernel void atb(global const float *a, global const float *b, global float *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k * n + i] * b[k * n + j];
        c[i * n + j] = sum;
    }
}

kernel void syrk(global const float *a, global float *c, float alpha, float beta, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < n; k++)
            c[i * n + j] += alpha * a[i * n + k] * a[j * n + k];
    }
}

kernel void gesummv(global const float *a, global const float *b, global const float *x,
                    global float *y, float alpha, float beta, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float left = 0, right = 0;
        for (int j = 0; j < n; j++) {
            left += a[i * n + j] * x[j];
            right += b[i * n + j] * x[j];
        }
        y[i] = alpha * left + beta * right;
    }
}

/* The first half of atax and bicg, and mvt's first. */
kernel void atax(global const float *a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
    }
}

/* The second half of them. */
kernel void bicg(global const float *a, global const float *r, global float *s, int n)
{
    int j = get_global_id(0);
    if (j < n) {
        s[j] = 0;
        for (int i = 0; i < n; i++)
            s[j] += a[i * n + j] * r[i];
    }
}

kernel void jacobi(global const float *in, global float *out, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
        out[i * n + j] = 0.2f * (in[i * n + j] + in[i * n + j - 1] + in[i * n + j + 1] +
                                 in[(i - 1) * n + j] + in[(i + 1) * n + j]);
}

kernel void convolution(global const float *in, global const float *filter, global float *out,
                        int n, int m)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < n && y < n) {
        float sum = 0;
        for (int i = 0; i < 17; i++)
            for (int j = 0; j < 17; j++)
                sum += filter[i * 17 + j] * in[(y + i) * m + x + j];
        out[y * n + x] = sum;
    }
}

kernel void fir(global const float *in, global const float *taps, global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < 64; k++)
            sum += taps[k] * in[i + k];
        out[i] = sum;
    }
}

kernel void softmax(global const float *in, global float *out, int n, int m)
{
    int i = get_global_id(0);
    if (i < n) {
        float most = in[i * m], sum = 0;
        for (int j = 1; j < m; j++)
            most = fmax(most, in[i * m + j]);
        for (int j = 0; j < m; j++)
            sum += exp(in[i * m + j] - most);
        for (int j = 0; j < m; j++)
            out[i * m + j] = exp(in[i * m + j] - most) / sum;
    }
}

kernel void spmv(global const int *rows, global const int *columns, global const float *values,
                 global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0;
        for (int k = rows[i]; k < rows[i + 1]; k++)
            sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
}

kernel void sums(global const float *in, global float *out, int n, int m)
{
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += in[i * m + j];
        out[i] = sum;
    }
}

kernel void abt(global const float *a, global const float *b, global float *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[j * n + k];
        c[i * n + j] = sum;
    }
}

/* The first of 2mm's products. */
kernel void mm2(global const float *a, global const float *b, global float *c, float alpha, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
            c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}

kernel void syr2k(global const float *a, global const float *b, global float *c, float alpha,
                  float beta, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < n; k++)
            c[i * n + j] +=
                alpha * a[i * n + k] * b[j * n + k] + alpha * b[i * n + k] * a[j * n + k];
    }
}

/* gemver's update by two vectors on either side. */
kernel void gemver(global float *a, global const float *u1, global const float *v1,
                   global const float *u2, global const float *v2, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n)
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

/* mvt's second half. */
kernel void mvt(global const float *a, global const float *y, global float *x, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x[i] += a[j * n + i] * y[j];
}

/* Of columns whose mean is 0; both triangles are written, as the definition does. */
kernel void covariance(global const float *data, global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = i; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += data[k * n + i] * data[k * n + j];
            c[i * n + j] = sum / (n - 1);
            c[j * n + i] = c[i * n + j];
        }
}

/* The last of fdtd's three loops. */
kernel void fdtd(global const float *ex, global const float *ey, global float *hz, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n - 1 && j < n - 1)
        hz[i * n + j] -=
            0.7f * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
}

kernel void heat(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
        int i = (z * n + y) * n + x;
        out[i] = in[i] + 0.125f * (in[i - 1] - 2 * in[i] + in[i + 1]) +
                 0.125f * (in[i - n] - 2 * in[i] + in[i + n]) +
                 0.125f * (in[i - n * n] - 2 * in[i] + in[i + n * n]);
    }
}

/* All 27 neighbours, each with a weight of its own. */
kernel void convolution3d(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
        float sum = 0;
        for (int k = -1; k <= 1; k++)
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    sum += (i + 2 * j + 3 * k) * in[((z + k) * n + y + j) * n + x + i];
        out[(z * n + y) * n + x] = sum;
    }
}

kernel void transposition(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

/* ---- of other kinds: written as people write them who have not thought of devices yet ---- */

/* How often each byte occurs. */
kernel void histogram(global const uchar *in, global uint *bins, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_inc(&bins[in[i]]);
}

/* The largest value for each key. */
kernel void largest(global const int *key, global const int *value, global int *most, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_max(&most[key[i]], value[i]);
}

/* Of heads of 64 numbers a position; what comes later is masked. */
kernel void scores(global const float *q, global const float *k, global float *s, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    int head = get_global_id(2);
    float sum = 0;
    for (int d = 0; d < 64; d++)
        sum += q[(head * n + i) * 64 + d] * k[(head * n + j) * 64 + d];
    s[(head * n + i) * n + j] = j > i ? -INFINITY : sum * 0.125f;
}

/* Many products of 32 x 32. */
kernel void batch(global const float *a, global const float *b, global float *c)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int p = get_global_id(2);
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += a[(p * 32 + y) * 32 + k] * b[(p * 32 + k) * 32 + x];
    c[(p * 32 + y) * 32 + x] = sum;
}

/* A 3 x 3 filter of its own for each channel; 0 beyond the border. */
kernel void depthwise(global const float *in, global const float *filter, global float *out,
                      int size)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int channel = get_global_id(2);
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (y + dy >= 0 && y + dy < size && x + dx >= 0 && x + dx < size)
                sum += filter[channel * 9 + (dy + 1) * 3 + dx + 1] *
                       in[(channel * size + y + dy) * size + x + dx];
    out[(channel * size + y) * size + x] = sum;
}

/* Of 3 x 3 pixels, by exchanges. */
kernel void median(global const uchar *in, global uchar *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    uchar v[9];
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            v[dy * 3 + dx] = in[(y + dy - 1) * n + x + dx - 1];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                uchar t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    out[y * n + x] = v[4];
}

kernel void symmetric(global const float *a, global float *s, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    s[y * n + x] = 0.5f * (a[y * n + x] + a[x * n + y]);
}

kernel void layernorm(global const float *in, global float *out, int n, int m)
{
    int row = get_global_id(0);
    float mean = 0, variance = 0;
    if (row >= n)
        return;
    for (int i = 0; i < m; i++)
        mean += in[row * m + i];
    mean /= m;
    for (int i = 0; i < m; i++) {
        float d = in[row * m + i] - mean;
        variance += d * d;
    }
    float scale = rsqrt(variance / m + 1e-5f);
    for (int i = 0; i < m; i++)
        out[row * m + i] = (in[row * m + i] - mean) * scale;
}

/* A row of scores a work-item; those whose mask is 0 count nothing. */
kernel void masked_softmax(global const float *in, global const uchar *mask, global float *out,
                           int n, int m)
{
    int row = get_global_id(0);
    if (row >= n)
        return;
    float most = -INFINITY;
    for (int j = 0; j < m; j++)
        if (mask[row * m + j])
            most = max(most, in[row * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++)
        if (mask[row * m + j])
            sum += exp(in[row * m + j] - most);
    for (int j = 0; j < m; j++)
        out[row * m + j] = mask[row * m + j] ? exp(in[row * m + j] - most) / sum : 0;
}

/* The rows' half of a separable filter of 17 taps; beyond the border is what the border has. */
kernel void filter_rows(global const float *in, global const float *taps, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0;
    for (int k = -8; k <= 8; k++)
        sum += taps[k + 8] * in[y * n + clamp(x + k, 0, n - 1)];
    out[y * n + x] = sum;
}

/* The columns' half. */
kernel void filter_columns(global const float *in, global const float *taps, global float *out,
                           int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0;
    for (int k = -8; k <= 8; k++) {
        int at = y + k;
        if (at < 0)
            at = 0;
        if (at >= n)
            at = n - 1;
        sum += taps[k + 8] * in[at * n + x];
    }
    out[y * n + x] = sum;
}

/* The nearest of 64 centres for points of 8 coordinates. */
kernel void kmeans(global const float *points, global const float *centres, global int *nearest,
                   int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float least = FLT_MAX;
        int best = 0;
        for (int c = 0; c < 64; c++) {
            float distance = 0;
            for (int d = 0; d < 8; d++) {
                float difference = points[i * 8 + d] - centres[c * 8 + d];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        nearest[i] = best;
    }
}

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

kernel void scatter_add(global const int *index, global const float *value, global float *sum,
                        int n)
{
    int i = get_global_id(0);
    if (i < n)
        add_float(&sum[index[i]], value[i]);
}

/* The weights of each of 1024 classes. */
kernel void scatter_count(global const int *key, global const int *weight, global int *total, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    atomic_add(&total[key[i] & 1023], weight[i]);
}

/* Keeps what is positive, in any order. */
kernel void compaction(global const int *in, global int *out, global int *count, int n)
{
    int i = get_global_id(0);
    if (i < n && in[i] > 0)
        out[atomic_inc(count)] = in[i];
}

/* One step of a prefix sum by Hillis and Steele. */
kernel void scan_step(global const float *in, global float *out, int step, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    if (i >= step)
        out[i] = in[i] + in[i - step];
    else
        out[i] = in[i];
}

/* Prefix sums inside of work-groups. */
kernel void block_scan(global const int *in, global int *out, local int *shared, int n)
{
    int lid = get_local_id(0);
    int size = get_local_size(0);
    int i = get_global_id(0);
    shared[lid] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < size; step *= 2) {
        int before = lid >= step ? shared[lid - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[lid] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        out[i] = shared[lid];
}

/* The sum of a work-group by halves; work-items read with the stride of the grid. */
kernel void reduction(global const float *in, global float *out, local float *part, int n)
{
    int lid = get_local_id(0);
    float sum = 0;
    int i = get_global_id(0);
    while (i < n) {
        sum += in[i];
        i += get_global_size(0);
    }
    part[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size >>= 1) {
        if (lid < half_size)
            part[lid] += part[lid + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[get_group_id(0)] = part[0];
}

/* (A + shift I) x = b, a system of four equations a work-item, by Gauss without pivots. */
kernel void solve4(global const float *a, global const float *b, global float *x, float shift,
                   int n)
{
    int s = get_global_id(0);
    if (s >= n)
        return;
    float m[4][5];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            m[i][j] = a[s * 16 + i * 4 + j];
        m[i][i] += shift;
        m[i][4] = b[s * 4 + i];
    }
    for (int k = 0; k < 4; k++)
        for (int i = k + 1; i < 4; i++) {
            float factor = m[i][k] / m[k][k];
            for (int j = k; j < 5; j++)
                m[i][j] -= factor * m[k][j];
        }
    for (int i = 3; i >= 0; i--) {
        float sum = m[i][4];
        for (int j = i + 1; j < 4; j++)
            sum -= m[i][j] * x[s * 4 + j];
        x[s * 4 + i] = sum / m[i][i];
    }
}

/* Charges of particles to the four nearest points of a grid of size x size, in fixed point. */
kernel void deposit(global const float *px, global const float *py, global int *grid, int size,
                    int n)
{
    int p = get_global_id(0);
    if (p >= n)
        return;
    float x = px[p] * (size - 1), y = py[p] * (size - 1);
    int ix = (int)x, iy = (int)y;
    float fx = x - ix, fy = y - iy;
    atomic_add(&grid[iy * size + ix], (int)((1 - fx) * (1 - fy) * 256));
    atomic_add(&grid[iy * size + ix + 1], (int)(fx * (1 - fy) * 256));
    atomic_add(&grid[(iy + 1) * size + ix], (int)((1 - fx) * fy * 256));
    atomic_add(&grid[(iy + 1) * size + ix + 1], (int)(fx * fy * 256));
}

/* Luma of pixels of four bytes. */
kernel void grey4(global const uchar4 *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uchar4 p = in[y * width + x];
    out[y * width + x] = (uchar)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
}

/* Of three bytes, by whole numbers. */
kernel void grey3(global const uchar *in, global uchar *out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < width && y < height) {
        int at = 3 * (y * width + x);
        out[y * width + x] = (77 * in[at] + 150 * in[at + 1] + 29 * in[at + 2]) >> 8;
    }
}

/* Rows of a with rows of b, as a quantized layer has them. */
kernel void int8_product(global const char *a, global const char *b, global int *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[j * n + k];
        c[i * n + j] = sum;
    }
}

/* 7 x 7, what is beyond the border is left out. */
kernel void bilateral(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    float centre = in[y * n + x], sum = 0, weights = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            int u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= n || v >= n)
                continue;
            float value = in[v * n + u];
            float difference = value - centre;
            float weight = exp(-0.05f * (dx * dx + dy * dy) - 8 * difference * difference);
            sum += weight * value;
            weights += weight;
        }
    out[y * n + x] = sum / weights;
}

kernel void nbody(global const float4 *body, global float4 *force, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float4 other = body[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float square = dx * dx + dy * dy + dz * dz + 0.01f;
        float inverse = 1.0f / sqrt(square);
        float s = other.w * inverse * inverse * inverse;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    force[i] = (float4)(ax, ay, az, 0);
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

/* One level of Haar's wavelets, along rows. */
kernel void haar(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int half_n = n / 2;
    if (x < half_n && y < n) {
        float a = in[y * n + 2 * x];
        float b = in[y * n + 2 * x + 1];
        out[y * n + x] = (a + b) * 0.70710678f;
        out[y * n + half_n + x] = (a - b) * 0.70710678f;
    }
}

/* One step of a bitonic sort. */
kernel void bitonic(global int *data, int distance, int block)
{
    int i = get_global_id(0);
    int partner = i ^ distance;
    if (partner > i) {
        int a = data[i];
        int b = data[partner];
        if ((i & block) == 0) {
            if (a > b) {
                data[i] = b;
                data[partner] = a;
            }
        } else {
            if (a < b) {
                data[i] = b;
                data[partner] = a;
            }
        }
    }
}

/* The least of 5 x 5 bytes. */
kernel void erosion(global const uchar *in, global uchar *out, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    uchar least = 255;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = min(max(x + dx, 0), n - 1);
            int v = min(max(y + dy, 0), n - 1);
            uchar value = in[v * n + u];
            if (value < least)
                least = value;
        }
    out[y * n + x] = least;
}

/* Along a signal whose ends repeat. */
kernel void smooth(global const float *in, global const float *taps, global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 31; k++) {
        int at = i + k - 15;
        at = at < 0 ? 0 : at >= n ? n - 1 : at;
        sum += taps[k] * in[at];
    }
    out[i] = sum;
}

/* Rows of equal length, padded, element by element: neighbours read neighbours. */
kernel void ellpack(global const int *columns, global const float *values, global const float *x,
                    global float *y, int n)
{
    int row = get_global_id(0);
    if (row < n) {
        float sum = 0;
        for (int k = 0; k < 32; k++) {
            int column = columns[k * n + row];
            if (column >= 0)
                sum += values[k * n + row] * x[column];
        }
        y[row] = sum;
    }
}

/* Attention's second half: 32 heads, 64 numbers a position. */
kernel void values(global const float *p, global const float *v, global float *o, int n)
{
    int d = get_global_id(0);
    int i = get_global_id(1);
    int head = get_global_id(2);
    float sum = 0;
    for (int j = 0; j <= i; j++)
        sum += p[(head * n + i) * n + j] * v[(head * n + j) * 64 + d];
    o[(head * n + i) * 64 + d] = sum;
}

/* Attention, 16 heads, 64 numbers a position: scores, their softmax and the mean of values in one loop
 * over positions. */
kernel void attention(global const float *q, global const float *k, global const float *v, global float *o,
               int n)
{
    int i = get_global_id(0);
    int head = get_global_id(1);
    float own[64], sums[64], most = -INFINITY, all = 0;
    for (int d = 0; d < 64; d++) {
        own[d] = q[(head * n + i) * 64 + d];
        sums[d] = 0;
    }
    for (int j = 0; j < n; j++) {
        float score = 0;
        for (int d = 0; d < 64; d++)
            score += own[d] * k[(head * n + j) * 64 + d];
        score *= 0.125f;
        float now = fmax(most, score), scale = exp(most - now), weight = exp(score - now);
        all = all * scale + weight;
        for (int d = 0; d < 64; d++)
            sums[d] = sums[d] * scale + weight * v[(head * n + j) * 64 + d];
        most = now;
    }
    for (int d = 0; d < 64; d++)
        o[(head * n + i) * 64 + d] = sums[d] / all;
}

/* Attention, 16 heads, 64 numbers a position: scores, their softmax and the mean of values in one loop
 * over positions, up to its own. */
kernel void causal(global const float *q, global const float *k, global const float *v, global float *o,
               int n)
{
    int i = get_global_id(0);
    int head = get_global_id(1);
    float own[64], sums[64], most = -INFINITY, all = 0;
    for (int d = 0; d < 64; d++) {
        own[d] = q[(head * n + i) * 64 + d];
        sums[d] = 0;
    }
    for (int j = 0; j <= i; j++) {
        float score = 0;
        for (int d = 0; d < 64; d++)
            score += own[d] * k[(head * n + j) * 64 + d];
        score *= 0.125f;
        float now = fmax(most, score), scale = exp(most - now), weight = exp(score - now);
        all = all * scale + weight;
        for (int d = 0; d < 64; d++)
            sums[d] = sums[d] * scale + weight * v[(head * n + j) * 64 + d];
        most = now;
    }
    for (int d = 0; d < 64; d++)
        o[(head * n + i) * 64 + d] = sums[d] / all;
}
