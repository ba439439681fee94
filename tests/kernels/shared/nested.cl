// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 32
// Sums over two loops, of which the inner one is shared and the results are united after the outer one.
kernel void k(global const int *in, global int *out, int n)
{
    int channel = get_global_id(0);
    int sum = channel;
    uint squares = 0;
    for (int image = 0; image < 5; image++) {
        int begin = (image * 32 + channel) * 64;
        for (int i = 0; i < 61; i++) {
            sum += in[begin + i];
            squares += (uint)in[begin + i] * (uint)in[begin + i];
        }
    }
    out[channel] = sum;
    out[32 + channel] = (int)(squares / 305u) - sum;
}
