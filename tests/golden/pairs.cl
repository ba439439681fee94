// SPDX-License-Identifier: BSD-3-Clause
// --local=8x8 --memory=stage=a --geometry=pairs=yes
kernel void k(global const float *a, global float *s, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    s[y * n + x] = 0.5f * (a[y * n + x] + a[x * n + y]);
}
