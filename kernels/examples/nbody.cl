/* SPDX-License-Identifier: BSD-3-Clause */
/* The acceleration of bodies by gravity: x, y, z and the mass of each in a float4. */
__kernel void nbody(__global float4 *accelerations, __global const float4 *bodies, float softening,
                    int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 own = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float4 other = bodies[j];
        float dx = other.x - own.x;
        float dy = other.y - own.y;
        float dz = other.z - own.z;
        float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
        float pull = other.w * inverse * inverse * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    accelerations[i] = (float4)(ax, ay, az, 0);
}
