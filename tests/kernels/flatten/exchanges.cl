// SPDX-License-Identifier: BSD-3-Clause
// Exchanges, and what keeps the lesser or the greater one, of integers of all widths; a copy that is not exchanged.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int l = get_local_id(0), g = get_global_id(0), least = in[g], most = -1;
    uchar bytes[5];
    long longs[2] = {in[g], in[g + 1]};
    uint positive = in[g];
    for (int i = 0; i < 5; i++)
        bytes[i] = in[g + i];
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 5; j++)
            if (bytes[j] < bytes[i]) {
                uchar t = bytes[i];
                bytes[i] = bytes[j];
                bytes[j] = t;
            }
    if (longs[l & 1] >= longs[g & 1]) {
        long t = longs[g & 1];
        longs[g & 1] = longs[l & 1];
        longs[l & 1] = t;
    }
    for (int i = 0; i < 4; i++) {
        if (in[g + i] < least)
            least = in[g + i];
        if (most <= in[g + i]) {
            most = in[g + i];
        }
        if (positive > 300u + i)
            positive = 300u + i;
    }
    if (most > 900)
        most = 900;
    if (bytes[l & 3] < l)
        bytes[l & 3] = l;
    out[g] = bytes[0] + 3 * bytes[2] + 7 * bytes[4] + least + 5 * most + positive + 11 * (int)longs[0];
}
