/* SPDX-License-Identifier: BSD-3-Clause */
// --memory=layout=soa
typedef struct {
    float4 position;
    float charge;
    int box;
    float weights[2];
} particle;
__kernel void k(__global particle *restrict next, __global const particle *now, __global float4 *force,
                __global const int *order)
{
    int i = get_global_id(0);
    __global const particle *own = now + order[i];
    float4 away = own->position - now[i].position;
    /* How far both are. */
    force[i] = away * own->charge;
    force[i].w += own->weights[own->box & 1];
    next[i] = *own;
    next[i].position.x++;
}
