// SPDX-License-Identifier: BSD-3-Clause
// Shadowed names, and names that replicas would like to have.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0);
    int x_1 = 3, x_2 = 4, x_1_2 = 9;
    {
        int x = 5;
        x_1 += x;
        {
            int x = get_local_id(0);
            x_2 += x;
        }
        x_1 += x;
    }
    for (int x = 0; x < 3; x++)
        x_1 += x;
    if (x > 9) {
        int x = 77;
        x_2 += x;
    }
    out[x] = x + 10 * x_1 + 1000 * x_2 + x_1_2;
}
