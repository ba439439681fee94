/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles with integer members: charges in boxes, whose neighbours are listed. */
typedef struct {
    float4 position;
    float charge;
    int box;
} particle;

__kernel void potential(__global const particle *particles, __global float *energy, int count,
                        float cutoff)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    float sum = 0;
    for (int j = 0; j < count; j++) {
        float4 d = particles[i].position - particles[j].position;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < cutoff && particles[j].box == particles[i].box)
            sum += particles[j].charge * exp(-r2);
    }
    energy[i] = sum;
}
