/* SPDX-License-Identifier: BSD-3-Clause */
/* A good kernel beside some that have no result. */
kernel void set(float s) { }
kernel void hello(void) { printf("%d\n", (int)get_global_id(0)); }
kernel void good(global float *x, int n)
{
    int i = get_global_id(0);
    if (i < n)
        x[i] = x[i] * 2;
}
