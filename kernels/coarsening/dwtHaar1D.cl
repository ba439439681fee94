/* SPDX-License-Identifier: BSD-3-Clause */
/* LEVELS levels of the discrete wavelet transform with Haar's wavelet. Each work-item makes one
 * average and one difference of two samples; then its work-group goes on with the averages in local
 * memory, with half of its work-items at every level. The local size is a multiple of
 * 2^(LEVELS - 1). Differences of a level with `pairs` pairs go to [pairs, 2 * pairs) of the result. */
#ifndef LEVELS
#define LEVELS 5
#endif
#define LARGEST_GROUP 1024
#define NORM 0.70710678f /* keeps the energy of the signal */

__kernel void dwtHaar1D(__global float *averages, __global float *differences,
                        __global const float *samples, int pairs)
{
    __local float part[LARGEST_GROUP];
    int i = get_global_id(0);
    int item = get_local_id(0);
    int count = get_local_size(0);
    float left = samples[2 * i];
    float right = samples[2 * i + 1];
    differences[pairs + i] = (left - right) * NORM;
    part[item] = (left + right) * NORM;
    for (int level = 1; level < LEVELS; level++) {
        pairs /= 2;
        count /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count) {
            left = part[2 * item];
            right = part[2 * item + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count) {
            differences[pairs + get_group_id(0) * count + item] = (left - right) * NORM;
            part[item] = (left + right) * NORM;
        }
    }
    if (item < count)
        averages[get_group_id(0) * count + item] = part[item];
}
