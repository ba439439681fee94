// SPDX-License-Identifier: BSD-3-Clause
// --local=256 --memory=stage=all
kernel void k(global const float4 *restrict position, global float4 *restrict force, int n)
{
    int i = get_global_id(0);
    float4 own = position[i], sum = 0;
    for (int first = 0; first < n; first += 256)
        for (int j = first; j < first + 256; j++) {
            float4 way = position[j] - own;
            float distance = way.x * way.x + way.y * way.y + way.z * way.z + 1e-6f;
            sum += way * position[j].w * rsqrt(distance * distance * distance);
        }
    force[i] = sum;
}
