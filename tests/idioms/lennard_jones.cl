/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours of atoms in a list with a row for each neighbour. */
__kernel void forces(__global float4 *force, __global const float4 *position, const int neigh_count,
                     __global const int *neigh_list, const float cutsq, const float lj1,
                     const float lj2, const int inum)
{
    uint idx = get_global_id(0);
    if (idx >= inum)
        return;
    float4 at = position[idx], f = (float4)(0);
    for (int j = 0; j < neigh_count; j++) {
        int other = neigh_list[j * inum + idx];
        float4 d = at - position[other];
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
        if (r2 < cutsq) {
            float inv = 1 / r2, inv6 = inv * inv * inv;
            f += d * (inv * inv6 * (lj1 * inv6 - lj2));
        }
    }
    force[idx] = f;
}
