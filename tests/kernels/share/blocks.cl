// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Blocks as unrolled loops leave them, with names of indices that others have, too, and rows by other names.
kernel void k(global const int *in, global int *out, int n)
{
    int gid = get_global_id(0), row = gid + 1, sum = 0, u = 3, other = in[5];
    {
        int u = gid + 1;
        int v = in[u];
        sum += v;
    }
    {
        int u = gid + 2, w = u + 1, t = in[7];
        sum ^= in[u] * 3 - in[w] + in[row] + t;
        {
            int v = in[u + 1] + in[row + 3];
            sum += v;
            u = v & 7;
        }
        sum += in[u] + in[u + 1] + in[u + 2];
    }
    {
        short u = 5;
        int v = gid + u;
        sum += in[v] + in[v - 1] * in[v - 2];
    }
    {
        int o = other & 15;
        other = 2;
        sum -= in[gid + o] * in[gid + other] ^ in[gid + (other & 15)];
    }
    out[gid] = sum + u;
}
