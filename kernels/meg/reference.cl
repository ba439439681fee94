/* SPDX-License-Identifier: BSD-3-Clause */
/* What eval.cl, grad.cl and hesse.cl are to compute, by one work-item in double precision, with
 * sums whose rounding is made good (A. Neumaier, Zeitschrift fuer angewandte Mathematik und
 * Mechanik 54, 1974). */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifndef REAL
#define REAL float
#endif

struct sum {
    double value;
    double lost;
};

void add(struct sum *sum, double term)
{
    double value = sum->value + term;
    sum->lost +=
        fabs(sum->value) >= fabs(term) ? (sum->value - value) + term : (term - value) + sum->value;
    sum->value = value;
}

double multiply(__global const REAL *row, __global const REAL *x, int k)
{
    struct sum sum = {0, 0};
    for (int j = 0; j < k; j++) {
        double product = (double)row[j] * (double)x[j];
        add(&sum, product);
        add(&sum, fma((double)row[j], (double)x[j], -product));
    }
    return sum.value + sum.lost;
}

/* z = l^T h, on top of what `own` gives each column. */
#define ADD_COLUMNS(own)                                                                           \
    for (int j = 0; j < k; j++) {                                                                  \
        struct sum sum = {own, 0};                                                                 \
        for (int i = 0; i < rows; i++)                                                             \
            add(&sum, h[i] * (double)l[i * k + j]);                                                \
        z[j] = (REAL)(sum.value + sum.lost);                                                       \
    }

__kernel void eval(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                   __global REAL *dense, __global REAL *sparse, double lambda, double p, int rows,
                   int k)
{
    for (int i = 0; i < rows; i++)
        dense[i] = (REAL)pow(fabs(multiply(l + i * k, x, k) - (double)b[i]), p);
    for (int j = 0; j < k; j++)
        sparse[j] = (REAL)pow(fabs(lambda * (double)x[j]), p);
}

__kernel void grad(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                   __global REAL *dense, __global REAL *sparse, __global REAL *z, double lambda,
                   double p, int rows, int k)
{
    double h[128];
    for (int i = 0; i < rows; i++) {
        double residual = multiply(l + i * k, x, k) - (double)b[i];
        dense[i] = (REAL)pow(fabs(residual), p);
        h[i] = p * pow(fabs(residual), p) / residual;
    }
    for (int j = 0; j < k; j++)
        sparse[j] = (REAL)pow(fabs(lambda * (double)x[j]), p);
    ADD_COLUMNS(p * pow(fabs(lambda * (double)x[j]), p) / (double)x[j])
}

__kernel void hesse(__global const REAL *l, __global const REAL *x, __global const REAL *y,
                    __global const REAL *b, __global REAL *z, double lambda, double p, int rows,
                    int k)
{
    double h[128];
    for (int i = 0; i < rows; i++) {
        double residual = multiply(l + i * k, x, k) - (double)b[i];
        double change = multiply(l + i * k, y, k);
        h[i] = p * (p - 1) * pow(fabs(residual), p) / (residual * residual) * change;
    }
    ADD_COLUMNS(p * (p - 1) * pow(fabs(lambda * (double)x[j]), p) / ((double)x[j] * (double)x[j]) *
                (double)y[j])
}
