// SPDX-License-Identifier: BSD-3-Clause
// local 8 global 16
// Greatest numbers and the first of equal ones, downwards, from a value that is not known.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int row = get_global_id(0), best = -1, index = -7, least = 1 << 30;
    long far = -1;
    for (int i = in[row] & 255; i >= 0; i -= 3) {
        int value = in[row * 16 + i] & 63;
        if (value > best) {
            best = value;
            index = i;
        }
        if (in[i] < least)
            least = in[i];
        far = max(far, (long)in[i] << 33);
    }
    out[row * 4] = best;
    out[row * 4 + 1] = index;
    out[row * 4 + 2] = least;
    out[row * 4 + 3] = (int)(far >> 33);
}
