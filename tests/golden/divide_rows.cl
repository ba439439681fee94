// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --loops=divide=16,reassociate=yes,loops=all
kernel void k(global const float *restrict in, global float *restrict out, int n, int m)
{
    int row = get_global_id(0);
    if (row < n) {
        // softmax of a row
        float most = in[row * m], sum = 0;
        for (int j = 1; j < m; j++)
            most = fmax(most, in[row * m + j]);
        for (int j = 0; j < m; j++) {
            float e = exp(in[row * m + j] - most);
            out[row * m + j] = e;
            sum += e;
        }
        for (int j = 0; j < m; j++)
            out[row * m + j] /= sum;
    }
}
