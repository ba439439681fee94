// SPDX-License-Identifier: BSD-3-Clause
// Functions: of OpenCL on vectors and lane by lane, one's own, with and without the identity.
// local 8x2 global 16x4
float polynomial(float x, float y)
{
    float square = x * x;
    return square * y + 0.5f * x;
}
int ask(int a)
{
    return get_global_id(0) * 3 + a;
}
void put(global int *out, int at, int what)
{
    if (what > 3)
        out[at] = what;
    else
        out[at] = -what;
}
int sum_to(int a)
{
    int sum = 0;
    for (int i = 0; i < a; i++)
        sum += i;
    return sum;
}
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int g = y * get_global_size(0) + x;
    int far = g;
    far += sum_to(y);
    out[576 + g] = in[far] + sum_to(in[g] & 7);
    float f = in[g], h = in[g + 1] - 300;
    float p = polynomial(f, h);
    out[g] = as_int(p);
    out[64 + g] = as_int(fma(f, h, 2.0f)) ^ as_int(mad(f, h, f)) ^ as_int(fmin(f, fabs(h)));
    out[128 + g] = as_int(sqrt(f)) + (int)floor(h * 0.3f) + (int)clamp(f, 10.0f, h);
    out[192 + g] = min(in[g], 300) + max(x, y) + abs(y - x) + mad24(x, 3, y) + mul24(x, in[g]);
    out[256 + g] = as_int(exp(f * 0.01f)) + as_int(f / h) + as_int(native_recip(f + 1.0f));
    out[320 + g] = ask(in[g]) + ask(1) + (int)get_local_id(0) + (int)get_local_size(0);
    put(out, 384 + g, in[g] % 9);
    out[448 + g] = select(in[g], x, y > x) + isgreater(f, h) + popcount(in[g]) + rotate(x, 3);
    out[512 + g] = as_int(pow(f, 2.0f)) + (int)step(f, h) + hadd(x, in[g]);
}
