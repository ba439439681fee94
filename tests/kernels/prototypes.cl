// SPDX-License-Identifier: BSD-3-Clause
// A prototype in front of the kernel, parentheses in comments between parameters, types without a
// name in a function's body beside macros.
// local 16 global 64
#define TWO 2
int other(int x)
{
    union { int i; float f; } both;
    struct { int a, b; } pair = {TWO, x};
    both.i = pair.b;
    return both.i * pair.a;
}
kernel void unused(global int *out)
{
    out[0] = other(out[1]);
}
int scaled(int x, /* ) */ int by /* ( */)
{
    return x * by + (int)get_local_id(0) + (int)get_group_id(0);
}
kernel void k(global const int *in, global int *out /* ) */, int n);
kernel void k(global const int *in /* :) */, global int *out, // )
              int n /* ( */)
{
    int g = get_global_id(0);
    out[g] = scaled(in[g], TWO) + (int)get_num_groups(0);
}
