// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --vector=across=4,share=yes,aligned=yes
// Records of three bytes are three vectors; of four floats all but one are read, between which is nothing that
// changes; of what is written, only what the kernel reads; a border takes what is beside it from narrow loads.
__kernel void k(__global const uchar *rgb, __global const float *four, __global float *pairs, __global const float *row,
                __global float *y)
{
    int i = get_global_id(0);
    int luma = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
    float sum = four[4 * i] * four[4 * i + 1] + four[4 * i + 3] + pairs[2 * i] * pairs[2 * i + 1] + pairs[8 * i];
    y[i] = luma + sum + row[i] + row[i + 1] + row[i + 2];
}
