/* SPDX-License-Identifier: BSD-3-Clause */
/* Option prices: independent elements, two results. */
float normal_cdf(float x)
{
    float k = 1 / (1 + 0.2316419f * fabs(x));
    float y = 0.3989422804f * exp(-0.5f * x * x) * k * (0.319381530f + k * (-0.356563782f + k * 1.7f));
    return x < 0 ? y : 1 - y;
}

__kernel void options(__global float *d_call, __global float *d_put, __global const float *price,
                      __global const float *strike, __global const float *years, float r, float v,
                      unsigned int opt_n)
{
    for (unsigned int opt = get_global_id(0); opt < opt_n; opt += get_global_size(0)) {
        float root = sqrt(years[opt]) + 0.01f;
        float d1 = (log((price[opt] + 1) / (strike[opt] + 1)) + (r + 0.5f * v * v) * years[opt]) /
                   (v * root);
        float discount = exp(-r * years[opt]);
        d_call[opt] = price[opt] * normal_cdf(d1) - strike[opt] * discount * normal_cdf(d1 - v * root);
        d_put[opt] = d_call[opt] - price[opt] + strike[opt] * discount;
    }
}
