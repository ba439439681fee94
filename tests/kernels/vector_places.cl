// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Indices that memory has: of tables, of lists in a loop, behind a choice, and of what is written.
kernel void k(global const int *in, global int *out, int n)
{
    int gid = get_global_id(0);
    int found = in[in[gid] & 255], other = found & 1 ? in[in[gid + 1] & 127] : 3, sum = 0;
    for (int i = 0; i < 5; i++)
        sum += in[(in[i * 64 + gid] + i) & 511];
    out[(in[gid] & 1) * 64 + gid] = found + other;
    out[128 + (in[gid] & 7) * 64 + gid] = sum;
    if (in[gid] & 2)
        out[1024 + gid] = in[in[gid + 3] & 63];
    out[1088 + gid] = gid;
    out[1088 + gid] += in[(in[gid] + out[1088 + gid]) & 31];
}
