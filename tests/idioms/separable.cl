/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a convolution: a halo of a radius in local memory, by macros. */
#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#ifndef ROWS_BLOCKDIM_X
#define ROWS_BLOCKDIM_X 16
#endif
#ifndef ROWS_BLOCKDIM_Y
#define ROWS_BLOCKDIM_Y 4
#endif
__kernel __attribute__((reqd_work_group_size(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y, 1)))
void rows(__global float *dst, __global const float *src, __constant float *c_kernel, int image_w,
          int image_h, int pitch)
{
    __local float data[ROWS_BLOCKDIM_Y][3 * ROWS_BLOCKDIM_X];
    const int base_x = get_group_id(0) * ROWS_BLOCKDIM_X + get_local_id(0);
    const int base_y = get_group_id(1) * ROWS_BLOCKDIM_Y + get_local_id(1);
    src += base_y * pitch + base_x;
    dst += base_y * pitch + base_x;
    for (int i = -1; i <= 1; i++) {
        int x = base_x + i * ROWS_BLOCKDIM_X;
        data[get_local_id(1)][get_local_id(0) + (i + 1) * ROWS_BLOCKDIM_X] =
            x >= 0 && x < image_w ? src[i * ROWS_BLOCKDIM_X] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        sum += c_kernel[KERNEL_RADIUS - j] *
               data[get_local_id(1)][get_local_id(0) + ROWS_BLOCKDIM_X + j];
    dst[0] = sum;
}
