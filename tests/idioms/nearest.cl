/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances to records of two numbers. */
typedef struct {
    float latitude;
    float longitude;
} place;

__kernel void nearest(__global place *places, __global float *distances, const int records,
                      const float latitude, const float longitude)
{
    int id = get_global_id(0);
    if (id < records) {
        __global place *at = places + id;
        distances[id] = sqrt((latitude - at->latitude) * (latitude - at->latitude) +
                             (longitude - at->longitude) * (longitude - at->longitude));
    }
}
