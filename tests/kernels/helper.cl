// SPDX-License-Identifier: BSD-3-Clause
// Divergence through an out-parameter and through a helper that asks for the identity.
// local 16 global 64
#define ID ((int)get_global_id(0))
void both(int x, int *a, int *b)
{
    *a = x * 2;
    *b += x;
}
int mine(int x)
{
    return ID * 3 + x + (int)get_local_size(0) + (int)get_global_size(0);
}
int deeper(int x)
{
    return mine(x) + mine(x + 1);
}
int pure(int x)
{
    return x * x;
}
kernel void k(global const int *in, global int *out, int n)
{
    int a = 1, b = 2, c = 3, d = 4;
    both(5, &a, &b);
    both(ID, &c, &d);
    int e = deeper(a), f = pure(b);
    out[ID] = a + 10 * b + 100 * c + 1000 * d;
    out[ID + 64] = e + f;
}
kernel void other(global int *out)
{
    out[get_global_id(0)] = deeper(1);
}
