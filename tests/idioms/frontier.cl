/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search: nodes say where their edges start. */
typedef struct {
    int starting;
    int degree;
} node;

__kernel void expand(__global const node *nodes, __global const int *edges,
                     __global char *frontier, __global char *updating, __global char *visited,
                     __global int *cost, int node_count)
{
    int tid = get_global_id(0);
    if (tid < node_count && frontier[tid]) {
        frontier[tid] = 0;
        for (int i = nodes[tid].starting; i < nodes[tid].starting + nodes[tid].degree; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                updating[id] = 1;
            }
        }
    }
}
