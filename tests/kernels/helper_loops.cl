// SPDX-License-Identifier: BSD-3-Clause
// Loops and branches in helper functions alone: with results, pointers, and functions inside.
// local 16 global 64
int sum_of(global const int *in, int first, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += in[first + i];
    return sum;
}
void fill(global int *out, int n, int value)
{
    for (int i = 0; i < n; i++)
        out[i] = value + i;
}
int clamped(global const int *in, int at)
{
    int value = in[at];
    if (value > 1000)
        value = 1000;
    else
        value += 3;
    return value;
}
int both(global const int *in, int first)
{
    int a = sum_of(in, first, 8);
    int b = sum_of(in, first + 1, first & 7);
    return a * 3 + b;
}
int early(global const int *in, int first)
{
    for (int i = 0; i < 8; i++)
        if (in[first + i] > 10)
            return i;
    return -1;
}
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    int s = both(in, g);
    int c = clamped(in, g);
    fill(out + 8 * g, 8, s + c);
    out[1024 + g] = early(in, g) + sum_of(in, 2, 4);
}
