// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Loads of neighbouring elements that overlap, next to some that must stay where they are.
kernel void k(global const int *in, global int *out, int n)
{
    local int line[24], other[16];
    local short2 pairs[16];
    local float row[2][20];
    int lid = get_local_id(0), gid = get_global_id(0);
    line[lid + 4] = in[gid];
    if (lid < 4)
        line[lid] = line[lid + 20] = lid;
    row[0][lid] = row[1][lid + 2] = in[gid + 8];
    if (lid < 4)
        row[0][lid + 16] = row[1][lid == 3 ? 19 : lid == 2 ? 18 : lid] = 2.5f * lid;
    pairs[lid] = (short2)(lid, 1);
    barrier(CLK_LOCAL_MEM_FENCE);

    int sum = in[gid] - 2 * in[gid + 1] + in[gid + 2];
    sum += line[lid] * line[lid + 8] - line[lid + 4] * line[lid + 3] + line[lid + 5];
    sum = n > 2 ? in[gid + 4] + in[gid + 5] + in[gid + 6] : sum + 1;
    float total = row[0][lid + 1] + row[0][lid] / 3 + row[0][lid + 2] * row[1][lid];
    int x = lid;
    sum ^= line[x];
    sum += line[x + 1];
    sum += line[x + 2] ^ 3 * line[x + 3] ^ line[x + 4] ^ 5 * line[x + 5] ^ line[x + 6] ^ 7 * line[x + 8];
    x += 2;
    sum ^= line[x] - line[x + 1];
    int left = line[lid + 1], middle = line[lid + 2], right = line[lid + 3];
    barrier(CLK_LOCAL_MEM_FENCE);

    line[lid] = left ^ 3 * middle;
    barrier(CLK_LOCAL_MEM_FENCE);
    other[lid] = sum = line[lid] + line[lid + 1] * line[lid + 2];
    sum += line[lid + 4] - right + pairs[lid].x + other[lid];
    out[gid] = sum;
    out[gid] += (int)total + in[gid + 3] + in[gid + 4] + in[gid + 20] - in[gid + 5];
}
