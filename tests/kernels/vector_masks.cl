// SPDX-License-Identifier: BSD-3-Clause
// local 8 global 32
// Truth values of vectors, and conditions that do not hold.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    int g = get_global_id(0), i = in[g] & 7, j = in[g + n / 4] & 7;
    float u = i, v = j;
    out[g] = !i + !!j;
    out[g + 32] = ((i < 3) == (j > 2u)) + !(u < v) * 4;
    out[g + 64] = !(u != v || v > 3) + ~(i < j);
    int s = 0;
    if (!(i < 3) && j)
        s += 4;
    else {
        s -= j;
        if (i > 4)
            s *= 3;
        else
            s++;
    }
    if (!(u >= v))
        s += !((in[g] & 3l) == 2);
    out[g + 96] = s;
    if (!(j < 5))
        return;
    if (!(i == 4))
        out[g] += j * s;
    else
        out[g] *= j;
}
