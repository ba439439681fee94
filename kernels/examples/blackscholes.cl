/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices of European options after Black and Scholes, ITEMS of them a work-item; the normal
 * distribution by the polynomial of Abramowitz and Stegun, 26.2.17. */
#ifndef ITEMS
#define ITEMS 4
#endif

float distribution(float x)
{
    float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float sum = t * (0.319381530f +
                     t * (-0.356563782f +
                          t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float tail = 0.39894228f * exp(-0.5f * x * x) * sum;
    return x < 0 ? tail : 1.0f - tail;
}

__kernel void blackscholes(__global float *call, __global float *put,
                           __global const float *price, __global const float *strike,
                           __global const float *years, float rate, float volatility, int n)
{
    for (int k = 0; k < ITEMS; k++) {
        int i = get_global_id(0) * ITEMS + k;
        if (i < n) {
            float spread = volatility * sqrt(years[i]);
            float growth = (rate + 0.5f * volatility * volatility) * years[i];
            float d1 = (log(price[i] / strike[i]) + growth) / spread;
            float discounted = strike[i] * exp(-rate * years[i]);
            float value = price[i] * distribution(d1) - discounted * distribution(d1 - spread);
            call[i] = value;
            put[i] = value - price[i] + discounted;
        }
    }
}
