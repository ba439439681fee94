/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search of a graph, level by level (thesis, section 6.5).
 *
 *     kernel1   the nodes of this level give their neighbours a level
 *     kernel2   the nodes that got one are visited, and make the next level
 *
 * One work-item a node. The host launches both until kernel2 finds no node more. Several work-items
 * may store to one element at the same time, but all of them store the same value. */

/* A node's edges are g_graph_edges[starting] and those behind it. */
typedef struct {
    int starting;
    int no_of_edges;
} node;

__kernel void kernel1(__global const node *g_graph_nodes, __global const int *g_graph_edges,
                      __global char *g_graph_mask, __global char *g_updating_graph_mask,
                      __global const char *g_graph_visited, __global int *g_cost, int no_of_nodes)
{
    int tid = get_global_id(0);

    if (tid < no_of_nodes && g_graph_mask[tid]) {
        int max = g_graph_nodes[tid].starting + g_graph_nodes[tid].no_of_edges;
        int i;

        g_graph_mask[tid] = 0;
        for (i = g_graph_nodes[tid].starting; i < max; i++) {
            int id = g_graph_edges[i];

            if (!g_graph_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating_graph_mask[id] = 1;
            }
        }
    }
}

__kernel void kernel2(__global char *g_graph_mask, __global char *g_updating_graph_mask,
                      __global char *g_graph_visited, __global int *g_over, int no_of_nodes)
{
    int tid = get_global_id(0);

    if (tid < no_of_nodes && g_updating_graph_mask[tid]) {
        g_graph_mask[tid] = 1;
        g_graph_visited[tid] = 1;
        g_updating_graph_mask[tid] = 0;
        *g_over = 1;
    }
}
