// SPDX-License-Identifier: BSD-3-Clause
/* Adds weighted sums of neighbours in a row. */
#include "weight.h"

kernel void halve(global float *x)
{
    x[get_global_id(0)] *= 0.5f;
}

kernel void blend(global float *restrict out, global const float *restrict in, float factor, int n)
{
    local float row[GROUP];
    int l = get_local_id(0), i = get_global_id(0);
    row[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += row[(l + k) % GROUP] * WEIGHT;
    out[i] = factor * sum + (get_group_id(0) == get_num_groups(0) - 1);
}
