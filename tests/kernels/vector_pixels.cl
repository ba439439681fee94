// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Short vectors that neighbours store next to each other, or not.
kernel void k(global const int *in, global uchar4 *out, int n)
{
    int gid = get_global_id(0);
    int v = in[gid];
    out[gid] = (uchar4)(convert_uchar_sat(v), (uchar)gid, 7, (uchar)(v >> 2));
    out[64 + 2 * gid] = (uchar4)(1, 2, 3, (uchar)v);
    out[192 + gid] = out[gid];
    out[257 + gid] = (uchar4)((uchar)v);
}
