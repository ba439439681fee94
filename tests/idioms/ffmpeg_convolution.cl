/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of numbers that goes over an image. */
__kernel void convolution_global(__write_only image2d_t dst, __read_only image2d_t src,
                                 int coef_matrix_dim, __constant float *coef_matrix, float div,
                                 float bias)
{
    const sampler_t sampler =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const int half_matrix_dim = coef_matrix_dim / 2;
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    float4 pix = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int y = -half_matrix_dim; y <= half_matrix_dim; y++)
        for (int x = -half_matrix_dim; x <= half_matrix_dim; x++) {
            float4 px = read_imagef(src, sampler, loc + (int2)(x, y));
            pix += px * coef_matrix[(y + half_matrix_dim) * coef_matrix_dim + x + half_matrix_dim];
        }
    write_imagef(dst, loc, pix * div + bias);
}
