/* SPDX-License-Identifier: BSD-3-Clause */
/* A plane whose parameters are a structure in constant memory. */
struct params {
    int width;
    int height;
    float gain;
};
kernel void gain(global const float *in, global float *out, constant struct params *p)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < p->width && y < p->height)
        out[y * p->width + x] = in[y * p->width + x] * p->gain;
}
