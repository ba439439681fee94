// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --variant='geometry(serial=yes)'
kernel void k(global const int *in, global int *out, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return; // past the end
    int sum = in[x];
    // the first ones
    if (sum < 0) {
        out[x] = 0;
        return;
    } else if (sum == 0) {
        out[x] = 1;
    } else {
        if (in[x] > 9)
            return;
        sum++;
    }
    sum *= 2;
    out[x] += sum;
}
