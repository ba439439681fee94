/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the forward algorithm of hidden Markov models: a work-item does a state of a sequence. */
__kernel void markov(__global const float *before, __global float *after,
                     __global const float *transitions, __global const float *emissions,
                     __global const int *seen, int states)
{
    int state = get_global_id(0), sequence = get_global_id(1);
    float sum = 0;
    for (int from = 0; from < states; from++)
        sum += before[sequence * states + from] * transitions[from * states + state];
    after[sequence * states + state] = sum * emissions[seen[sequence] * states + state];
}
