// SPDX-License-Identifier: BSD-3-Clause
// Divergence through a pointer to private memory.
// local 16 global 32
kernel void k(global const int *in, global int *out, int n)
{
    int x = 4, y = 5, z = 6;
    int *p = &x;
    if (n > 3)
        p = &y;
    *p = get_global_id(0);
    int *q = &z;
    *q += x;
    (*q)++;
    int a[4] = {1, 2, 3, 4};
    int *r = a + 1;
    r[1] = x + y;
    *(r + 2) += 7;
    out[get_global_id(0)] = x * 1000 + y * 100 + z;
    out[64 + get_global_id(0)] = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7;
}
