/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortest paths: one pass over a square matrix, whose width comes along. */
__kernel void floyd(__global uint *path_distance, __global uint *path, const unsigned int nodes,
                    const unsigned int pass)
{
    int x = get_global_id(0), y = get_global_id(1), k = pass;
    int old = path_distance[y * nodes + x];
    int weight = path_distance[y * nodes + k] + path_distance[k * nodes + x];
    if (weight < old) {
        path_distance[y * nodes + x] = weight;
        path[y * nodes + x] = k;
    }
}
