// SPDX-License-Identifier: BSD-3-Clause
/* A causal filter over T steps of time, with gaps: T sounds like an index, and is a size. */
kernel void conv1d(global const float *x, global const float *w, global float *y, int T, int Cin, int Cout, int dilation)
{
    int t = get_global_id(0), co = get_global_id(1);
    if (t >= T || co >= Cout) return;
    float s = 0;
    for (int ci = 0; ci < Cin; ci++)
        for (int k = 0; k < 3; k++) {
            int at = t - (2 - k) * dilation;
            if (at >= 0)
                s += x[ci * T + at] * w[(co * Cin + ci) * 3 + k];
        }
    y[co * T + t] = s;
}
