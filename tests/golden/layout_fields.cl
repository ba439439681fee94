/* SPDX-License-Identifier: BSD-3-Clause */
// --memory=layout=soa:bodies --memory=layout=aos:moved
__kernel void k(__global float *moved, __global const float *bodies, int n, float step)
{
    int i = get_global_id(0);
    if (i < n) {
        moved[i] = bodies[6 * i] + step * bodies[6 * i + 3];
        moved[n + i] = bodies[6 * i + 1] + step * bodies[6 * i + 4];
        moved[2 * n + i] = bodies[6 * i + 2] + step * bodies[6 * i + 5];
    }
}
