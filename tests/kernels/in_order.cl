// SPDX-License-Identifier: BSD-3-Clause
// Values that go from iteration to iteration by one statement, whose order counts: sums and
// products of floating-point numbers, functions, what is chosen, and what only integers do.
// local 16 global 64
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), m = 13 + (g & 3), least = 7;
    float sum = 0, product = 1, walk = 1, fused = 0, chosen = 0, two = 0;
    uint hash = g;
    for (int i = 0; i < m; i++) {
        float x = in[g + i] * 0.37f;
        sum += x;
        product *= 1.0f + in[i] * 1e-4f * x;
        walk = walk * 0.7f + (x - in[2 * i] * 0.5f);
        fused = fma(x, (float)in[i + g], fused);
        chosen = chosen > 40 ? chosen - in[i + g + 1] * 0.1f : chosen + (i > 2 ? in[g + i - 3] : 9.5f) * 0.3f;
        hash = hash * 33u ^ (uint)in[i + g + 5];
        least = least > in[i + g] % 11 ? in[i + g] % 11 + i : least;
        out[64 * i + g + 1024] = in[i + g] + i;
    }
    for (int i = 0; i < 16; i++)
        two -= in[i + g] * 0.1f - in[i] * (0.2f * in[16 - i]);
    out[g] = as_int(sum);
    out[64 + g] = as_int(product);
    out[128 + g] = as_int(walk);
    out[192 + g] = as_int(fused);
    out[256 + g] = as_int(chosen);
    out[320 + g] = (int)hash + least;
    out[384 + g] = as_int(two);
}
