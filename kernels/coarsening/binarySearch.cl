/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks keys up in a sorted table: each work-item finds the first entry that is not below its key.
 * Work-items go different ways at every step, so that coarsening replicates the whole loop. */
__kernel void binarySearch(__global int *positions, __global const int *keys,
                           __global const int *table, int count, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int key = keys[i];
    int begin = 0;
    int end = count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (table[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    positions[i] = begin;
}
