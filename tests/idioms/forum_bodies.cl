/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces between bodies, tile by tile, in local memory of the host's. */
kernel void forces(global const float4 *pos, global float4 *acc, local float4 *tile, int n,
                   float soft)
{
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    float4 p = pos[i], a = (float4)(0);
    for (int t = 0; t < n; t += size) {
        tile[l] = pos[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < size; k++) {
            float4 d = tile[k] - p;
            float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + soft);
            a += tile[k].w * r * r * r * d;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acc[i] = a;
}
