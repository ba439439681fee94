/* SPDX-License-Identifier: BSD-3-Clause */
/* A convolution of planes with a filter of macros' sizes. */
#define CONV_X 3
#define CONV_Y 3
kernel void conv(global const float *input, global const float *filter, global float *output,
                 int batch, int inChannels, int outChannels, int xSize, int ySize)
{
    const int x = get_global_id(0), y = get_global_id(1), oc = get_global_id(2);
    if (x >= xSize || y >= ySize || oc >= outChannels)
        return;
    for (int n = 0; n < batch; n++) {
        float sum = 0;
        for (int ic = 0; ic < inChannels; ic++)
            for (int dy = 0; dy < CONV_Y; dy++)
                for (int dx = 0; dx < CONV_X; dx++) {
                    const int ix = x + dx - CONV_X / 2, iy = y + dy - CONV_Y / 2;
                    if (ix >= 0 && iy >= 0 && ix < xSize && iy < ySize)
                        sum += input[((n * inChannels + ic) * ySize + iy) * xSize + ix] *
                               filter[((oc * inChannels + ic) * CONV_Y + dy) * CONV_X + dx];
                }
        output[((n * outChannels + oc) * ySize + y) * xSize + x] = sum;
    }
}
