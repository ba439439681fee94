/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of blocks of four-bit numbers times a vector, a row for each work-item. */
#define QK 32
typedef struct {
    float d;
    uchar qs[QK / 2];
} block_q4;

kernel void mul_vec_q4(global const block_q4 *x, global const float *y, global float *dst,
                       int blocks, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        global const block_q4 *block = x + row * blocks + b;
        float part = 0;
        for (int j = 0; j < QK / 2; j++) {
            part += ((block->qs[j] & 15) - 8) * y[b * QK + j];
            part += ((block->qs[j] >> 4) - 8) * y[b * QK + j + QK / 2];
        }
        sum += block->d * part;
    }
    dst[row] = sum;
}
