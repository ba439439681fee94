/* SPDX-License-Identifier: BSD-3-Clause */
/* Clustering: each point with some features to the nearest of some centres. */
__kernel void assign(__global const float *feature, __global const float *clusters,
                     __global int *membership, int npoints, int nclusters, int nfeatures)
{
    unsigned int point = get_global_id(0);
    int index = 0;
    float best = FLT_MAX;
    if (point >= npoints)
        return;
    for (int i = 0; i < nclusters; i++) {
        float distance = 0;
        for (int l = 0; l < nfeatures; l++) {
            float d = feature[l * npoints + point] - clusters[i * nfeatures + l];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            index = i;
        }
    }
    membership[point] = index;
}
