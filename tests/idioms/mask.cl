/* SPDX-License-Identifier: BSD-3-Clause */
/* A mask over padded rows, with dimensions in vectors. */
__kernel void mask(__global uint *output, __global const uint *input, __global const float *weights,
                   const uint2 input_dimensions, const uint2 mask_dimensions)
{
    uint tid = get_global_id(0);
    uint width = input_dimensions.x, height = input_dimensions.y;
    uint x = tid % width, y = tid / width;
    uint vstep = (mask_dimensions.x - 1) / 2, hstep = (mask_dimensions.y - 1) / 2;
    uint left = x < vstep ? 0 : x - vstep, right = x + vstep >= width ? width - 1 : x + vstep;
    uint top = y < hstep ? 0 : y - hstep, bottom = y + hstep >= height ? height - 1 : y + hstep;
    float sum = 0;
    for (uint i = left; i <= right; i++)
        for (uint j = top; j <= bottom; j++)
            sum += input[j * width + i] *
                   weights[(j - (y - hstep)) * mask_dimensions.x + i - (x - vstep)];
    output[tid] = (uint)(sum + 0.5f);
}
