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
