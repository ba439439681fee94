// SPDX-License-Identifier: BSD-3-Clause
// Both sides store to the same place.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0), s = 1;
    global float *floats = (global float *)(out + 512);
    global char *bytes = (global char *)(out + 1024);
    if (in[g] > 500) {
        s = in[g] - 500;
        t[l] = s;
    } else {
        t[l] = s + 3;
        s--;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[15 - l];
    if (g % 3) {
        out[g] += s; // what it was, too
    } else
        out[g] = 4;
    if (g % 5) {
        floats[g] = s;
        bytes[g] = 300 + g;
    } else {
        int u = s * 2;
        floats[g] = u / 7.0f;
        bytes[g] = u;
    }
}
