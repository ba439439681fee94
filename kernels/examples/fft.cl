/* SPDX-License-Identifier: BSD-3-Clause */
/* A stage of fast Fourier transforms, in place: a work-item does a butterfly. Results are in bit-reversed order. */
__kernel void fft(__global float2 *data, int span)
{
    int id = get_global_id(0);
    int j = id % span;
    int at = id / span * 2 * span + j;
    float2 a = data[at], b = data[at + span], difference = a - b;
    float angle = -M_PI_F * j / span, c = cos(angle), s = sin(angle);
    data[at] = a + b;
    data[at + span] =
        (float2)(difference.x * c - difference.y * s, difference.x * s + difference.y * c);
}

/* The same of 256 points by the definition: a work-item does a transform. */
__kernel void fourier(__global float2 *data)
{
    float2 in[256], powers[256];
    __global float2 *out = data + 256 * get_global_id(0);
    for (int i = 0; i < 256; i++) {
        in[i] = out[i];
        powers[i] = (float2)(cos(-M_PI_F * i / 128), sin(-M_PI_F * i / 128));
    }
    for (int k = 0; k < 256; k++) {
        float2 sum = 0;
        int reversed = 0;
        for (int i = 0; i < 256; i++) {
            float2 power = powers[i * k % 256];
            sum += (float2)(in[i].x * power.x - in[i].y * power.y,
                            in[i].x * power.y + in[i].y * power.x);
        }
        for (int bit = 0; bit < 8; bit++)
            reversed |= (k >> bit & 1) << (7 - bit);
        out[reversed] = sum;
    }
}
