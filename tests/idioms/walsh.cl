/* SPDX-License-Identifier: BSD-3-Clause */
/* A butterfly: pairs that are `step` apart. */
__kernel void walsh(__global float *t_array, const int step)
{
    unsigned int tid = get_global_id(0);
    const unsigned int group = tid % step, pair = 2 * step * (tid / step) + group;
    const unsigned int match = pair + step;
    float t1 = t_array[pair], t2 = t_array[match];
    t_array[pair] = t1 + t2;
    t_array[match] = t1 - t2;
}
