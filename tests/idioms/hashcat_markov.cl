/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates that are made from a number and tables of likely letters. */
typedef struct {
    uint key;
    uint length;
} pw_t;

__kernel void generate(__global pw_t *pws, __global const uchar *root, const uint length,
                       const uint off, const uint gid_max)
{
    const uint gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    ulong val = off + gid;
    uint key = 0;
    for (uint i = 0; i < length; i++) {
        key = rotate(key, 8u) ^ root[val % 64];
        val /= 64;
    }
    pws[gid].key = key;
    pws[gid].length = length;
}
