/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search of a graph, level by level (thesis, section 6.5).
 *
 *     kernel1   the nodes of this level give their neighbours a level
 *     kernel2   the nodes that got one are visited, and make the next level
 *
 * One work-item a node. The host launches both until kernel2 finds no node more. Several work-items
 * may store to one element at the same time, but all of them store the same value.
 *
 * With PACKED, masks have a bit for each node, and one work-item a word of them, or in kernel2
 * sixteen. Where most nodes that are left have a neighbour in this level, and each edge leads both
 * ways, kernel1 has the nodes that are left look for it (`gather`; Beamer, Asanovic, Patterson:
 * Direction-optimizing breadth-first search, 2012). */

/* A node's edges are g_graph_edges[starting] and those behind it. */
typedef struct {
    int starting;
    int no_of_edges;
} node;

#if PACKED

__kernel void kernel1(__global const node *g_graph_nodes, __global const int *g_graph_edges,
                      __global const uint *g_graph_mask, __global uint *g_updating_graph_mask,
                      __global const uint *g_graph_visited, __global int *g_cost, int no_of_nodes,
                      int level, int gather)
{
    int word = get_global_id(0);
    uint found = 0;
    uint left;

    if (word >= (no_of_nodes + 31) / 32)
        return;
    left = gather ? ~g_graph_visited[word] : g_graph_mask[word];
    for (; left; left &= left - 1) {
        uint bit = left & -left;
        int tid = 32 * word + 31 - clz(bit);
        int i, max;

        if (tid >= no_of_nodes)
            break;
        i = g_graph_nodes[tid].starting;
        max = i + g_graph_nodes[tid].no_of_edges;
        if (gather) {
            for (; i < max; i++) {
                int id = g_graph_edges[i];

                if (g_graph_mask[id / 32] >> (id % 32) & 1) {
                    g_cost[tid] = level;
                    found |= bit;
                    break;
                }
            }
        } else {
            for (; i < max; i++) {
                int id = g_graph_edges[i];

                if (!(g_graph_visited[id / 32] >> (id % 32) & 1)) {
                    g_cost[id] = level;
                    atomic_or(&g_updating_graph_mask[id / 32], 1u << (id % 32));
                }
            }
        }
    }
    if (gather)
        g_updating_graph_mask[word] = found;
}

/* `g_over` counts the nodes of the next level. */
__kernel void kernel2(__global uint16 *g_graph_mask, __global uint16 *g_updating_graph_mask,
                      __global uint16 *g_graph_visited, __global int *g_over, int no_of_nodes)
{
    int words = get_global_id(0);
    uint16 found;
    uint8 counts;

    if (words >= (no_of_nodes + 511) / 512)
        return;
    found = g_updating_graph_mask[words];
    g_graph_mask[words] = found;
    if (any(found != 0)) {
        g_graph_visited[words] |= found;
        g_updating_graph_mask[words] = 0;
        found = popcount(found);
        counts = found.lo + found.hi;
        counts.lo += counts.hi;
        atomic_add(g_over, (int)(counts.s0 + counts.s1 + counts.s2 + counts.s3));
    }
}

#else

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

#endif
