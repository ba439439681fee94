/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels as their definitions say, one result a work-item, behind the guard that people write: what
 * bench/polybench tunes. */

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
            c[i * n + j] += alpha * a[i * n + k] * b[j * n + k] + alpha * b[i * n + k] * a[j * n + k];
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
        hz[i * n + j] -= 0.7f * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
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
kernel void depthwise(global const float *in, global const float *filter, global float *out, int size)
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
