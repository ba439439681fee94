/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over samples in constant memory, by blocks that the host loops over. */
#define K_ELEMS 128
struct sample {
    float kx, ky, kz, phi;
};

__kernel void k_space(int num_k, int grid, __global const float *x, __global const float *y,
                      __global const float *z, __global float *qr, __global float *qi,
                      __constant struct sample *ck)
{
    int at = get_global_id(0);
    float r = qr[at], i = qi[at];
    for (int k = 0; k < K_ELEMS && grid + k < num_k; k++) {
        float arg = 6.2831853f * (ck[k].kx * x[at] + ck[k].ky * y[at] + ck[k].kz * z[at]);
        r += ck[k].phi * cos(arg);
        i += ck[k].phi * sin(arg);
    }
    qr[at] = r;
    qi[at] = i;
}
