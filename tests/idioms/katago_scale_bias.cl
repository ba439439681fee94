/* SPDX-License-Identifier: BSD-3-Clause */
/* Scale, bias, mask and ReLU of planes of channels. */
kernel void scale_bias(global const float *input, global float *output,
                       global const float *scale, global const float *bias,
                       global const float *mask, int nSize, int cSize, int xySize)
{
    const int xy = get_global_id(0), nc = get_global_id(1);
    if (xy < xySize && nc < nSize * cSize) {
        const int c = nc % cSize, n = nc / cSize;
        const int at = nc * xySize + xy;
        float result = input[at] * scale[c] + bias[c];
        output[at] = fmax(result, 0.0f) * mask[n * xySize + xy];
    }
}
