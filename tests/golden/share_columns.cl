// SPDX-License-Identifier: BSD-3-Clause
// --local=64x2 --global=64x4 --loops=share=16,reassociate=yes
kernel void k(global const double *restrict a, global double *restrict sums, uint rows)
{
    size_t c = get_global_id(0), plane = get_global_id(1);
    double sum = 0;
    // a column
    for (uint r = 0; r < rows; r++)
        sum += a[(plane * rows + r) * get_global_size(0) + c];
    sums[plane * 64 + c] = sum;
}
