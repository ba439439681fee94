/* SPDX-License-Identifier: BSD-3-Clause */
/* Who finds a digest notes it, at the place that a counter gives. */
__kernel void compare(__global const uint4 *words, __global const uint *digests,
                      __global uint *found, __global uint *results, const uint digests_cnt,
                      const uint gid_max)
{
    const uint gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    uint4 w = words[gid];
    uint h = 0x67452301u;
    h = rotate(h ^ w.x, 3u) + w.y;
    h = rotate(h ^ w.z, 5u) + w.w;
    for (uint i = 0; i < digests_cnt; i++)
        if ((h & 3) == (digests[i] & 3)) {
            uint at = atomic_inc(found);
            if (at < gid_max)
                results[at] = gid;
        }
}
