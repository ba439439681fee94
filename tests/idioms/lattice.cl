/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of cells with nineteen values each, in a padded layout. */
#define SIZE_X 16
#define SIZE_Y 16
#define PADDED_X (SIZE_X + 8)
#define PLANE (PADDED_X * SIZE_Y)
__kernel void stream(__global const float *src, __global float *dst)
{
    int x = get_local_id(0), y = get_group_id(0), z = get_group_id(1);
    int at = x + y * PADDED_X + z * PLANE;
    int cells = PLANE * get_num_groups(1);
    float rho = 0;
    for (int e = 0; e < 19; e++)
        rho += src[e * cells + at];
    for (int e = 0; e < 19; e++)
        dst[e * cells + at] = src[e * cells + at] - 0.1f * rho;
}
