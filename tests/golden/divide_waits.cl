// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --loops=divide=8,reassociate=yes
kernel void k(global const float *a, global float *b, int n)
{
    int g = get_global_id(0);
    float sum = a[g];
    if (n > 3)
        for (int i = 0; i < n; i++)
            sum += a[i];
    b[g + 1] = sum;
}
