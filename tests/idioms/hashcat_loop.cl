/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of a hash over what earlier ones have left, in a structure for each password. */
typedef struct {
    uint digest[4];
    uint out[4];
} tmp_t;

__kernel void loop(__global tmp_t *tmps, const uint loop_pos, const uint loop_cnt, const uint gid_max)
{
    const uint gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    uint a = tmps[gid].digest[0], b = tmps[gid].digest[1];
    uint c = tmps[gid].digest[2], d = tmps[gid].digest[3];
    for (uint i = 0; i < loop_cnt; i++) {
        uint f = (b & c) | (~b & d);
        f += a + 0xd76aa478u + i;
        a = d;
        d = c;
        c = b;
        b += rotate(f, 7u);
        tmps[gid].out[i & 3] ^= b;
    }
    tmps[gid].digest[0] = a;
    tmps[gid].digest[1] = b;
    tmps[gid].digest[2] = c;
    tmps[gid].digest[3] = d;
}
