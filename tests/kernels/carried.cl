// SPDX-License-Identifier: BSD-3-Clause
// A loop-carried value that starts uniform and diverges in the second turn.
// local 32 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int a = 1, b = 2, c = 3;
    for (int i = 0; i < 6; i++) {
        out[i * 64 + get_global_id(0)] = c;
        c = b + i;
        b = a;
        a = a + (int)get_global_id(0);
    }
    out[1024 + get_global_id(0)] = a ^ b ^ c;
}
