/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix Q of a magnetic resonance image that was not sampled on a grid: each work-item adds up,
 * for one voxel, the waves of all samples. A sample is x, y, z in k-space and its magnitude. */
__kernel void mriQ(__global float *real, __global float *imaginary, __global const float *x,
                   __global const float *y, __global const float *z,
                   __global const float4 *samples, int sample_count, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float own_x = x[i];
    float own_y = y[i];
    float own_z = z[i];
    float sum_real = 0;
    float sum_imaginary = 0;
    for (int k = 0; k < sample_count; k++) {
        float4 sample = samples[k];
        float angle = 6.2831853f * (sample.x * own_x + sample.y * own_y + sample.z * own_z);
        sum_real += sample.w * cos(angle);
        sum_imaginary += sample.w * sin(angle);
    }
    real[i] = sum_real;
    imaginary[i] = sum_imaginary;
}
