/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of constants, copied to local memory by all work-items of a group. */
__constant uint c_sbox[256] = {1, 3, 5, 7, 11, 13};

__kernel void encrypt(__global const uint *in, __global uint *out, const uint gid_max)
{
    const uint gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0);
    __local uint s_sbox[256];
    for (uint i = lid; i < 256; i += lsz)
        s_sbox[i] = c_sbox[i] ^ (i * 2654435761u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gid >= gid_max)
        return;
    uint v = in[gid];
    for (uint r = 0; r < 8; r++)
        v = rotate(v, 9u) ^ s_sbox[v & 255] ^ s_sbox[(v >> 8) & 255];
    out[gid] = v;
}
