// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --memory=stage=a
struct point { float x, y; };
kernel void k(global const float *restrict a, global const struct point *restrict points,
              global float *restrict b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    struct point p = points[i]; // past the end for work-items that stay to help
    float w[2] = {b[i], 2};
    global float *q = b + (int)p.x;
    float own = *q;
    b[i] = a[i] + a[i + 1] + p.y + w[0] + w[1] + own;
}
