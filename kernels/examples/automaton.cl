/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a finite state machine over texts and counts when it accepts: a work-item does a text. */
__kernel void automaton(__global const uchar *text, __global const uchar *next,
                        __global int *accepted, int length, int texts)
{
    int id = get_global_id(0);
    if (id >= texts)
        return;
    int state = 0, count = 0;
    for (int i = 0; i < length; i++) {
        state = next[256 * state + text[id * length + i]];
        if (state == 0)
            count++;
    }
    accepted[id] = count;
}
