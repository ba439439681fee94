/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search over offsets and edges, level by level. */
kernel void bfs(global const int *offsets, global const int *edges, global int *levels,
                global int *changed, int level, int num_nodes)
{
    int v = get_global_id(0);
    if (v >= num_nodes || levels[v] != level)
        return;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
        int u = edges[e];
        if (levels[u] > level + 1) {
            atomic_min(&levels[u], level + 1);
            *changed = 1;
        }
    }
}
