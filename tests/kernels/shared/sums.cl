// SPDX-License-Identifier: BSD-3-Clause
// local 8x4 global 16x8
// Results of several kinds, in a loop that ends at a value in memory and with fewer iterations than
// work-groups; work-items past the end; long and float vectors; what follows the loop reads results.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), width = n / 1200;
    if (x < width && y < 7) {
        int sum = in[n - 1 - x], all = -1, at = y * 16 + x;
        float product = 1.0f;
        uint most = 3, even = 0;
        long far = 1l << 40;
        float4 four = (float4)(1, 2, 3, 4);
        for (int i = 0; i < (in[y] & 127); i++) {
            sum += in[y * 64 + x + 2 * i];
            all &= in[i] | x;
            most = max(most, (uint)in[i * 3 + y] & 1023);
            product *= in[x + i] & 1 ? 2.0f : 0.5f;
            far += (long)in[i] << 20;
            four += convert_float4(vload4(i, in + x));
            if (in[i] % 2 == 0)
                even++;
        }
        out[at] = sum ^ all;
        out[128 + at] = (int)most + (int)even + (int)(clamp(product, 0.001f, 1000.0f) * 1024);
        out[256 + 2 * at] = (int)(far >> 32);
        out[257 + 2 * at] = (int)far;
        vstore4(convert_int4(four), at, out + 512);
        for (int i = 0; i < sum % 5 + 9; i++)
            out[1024 + at * 16 + i] = in[i] + sum;
    }
}
