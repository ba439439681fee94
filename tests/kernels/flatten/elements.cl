// SPDX-License-Identifier: BSD-3-Clause
// Elements of private arrays.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), a = in[g] & 7, far = g * 0x1000000;
    int p[8], q[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    float4 v[2] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8)};
    for (int i = 0; i < 8; i++)
        p[i] = i;
    if (a > 3) {
        p[a] = g;
        p[a - 4] += p[a];
        q[1][a & 3]++;
        q[0][0] = q[1][2] - a;
    } else {
        p[2] = 9;
        v[a & 1].y *= 2.0f;
    }
    if (g == 0) {
        int t[2] = {a, 4};
        t[far] = p[far] + 1;
        p[far] = t[0];
    }
    for (int i = 0; i < 8; i++)
        out[g * 8 + i] = p[i] + q[i / 4][i % 4] * 100 + (int)v[i / 4].y;
}
