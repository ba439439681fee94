// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --memory=stage=all
kernel void k(global const float4 *restrict bodies, global float4 *restrict force, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 own = bodies[i] - bodies[i + 1];
    float sum = 0;
    for (int first = 0; first < n; first += 64)
        for (int j = first; j < first + 64; j++)
            sum += distance(bodies[j], own);
    force[i] = sum;
}
