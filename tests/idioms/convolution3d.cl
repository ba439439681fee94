/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil over a volume whose inner points alone are written; the host counts one dimension. */
__kernel void convolve(__global const float *a, __global float *b, int ni, int nj, int nk, int i)
{
    int k = get_global_id(0), j = get_global_id(1);
    if (i < ni - 1 && j < nj - 1 && k < nk - 1 && i > 0 && j > 0 && k > 0)
        b[i * (nk * nj) + j * nk + k] = 0.2f * a[(i - 1) * (nk * nj) + (j - 1) * nk + k - 1] +
                                        0.5f * a[(i + 1) * (nk * nj) + (j + 1) * nk + k + 1];
}
