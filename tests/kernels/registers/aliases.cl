// SPDX-License-Identifier: BSD-3-Clause
// local 8 global 32
// Pointers to global memory that may be equal, and ones that are told apart.
void helper(local int *p) { p[0]++; }
kernel void k(global const int *in, global int *out, int n)
{
    local int t[16], v[16], pairs[8][2];
    int lid = get_local_id(0), gid = get_global_id(0);
    out[gid] = 1;
    for (int i = 0; i < 7; i++) // in may be out
        out[gid] += in[i];
    t[lid] = v[lid] = lid;
    t[lid + 8] = v[lid + 8] = 2;
    for (int i = 0; i < 7; i++) { // kept: another array
        t[lid] += v[lid];
        v[lid + 8] ^= i;
    }
    for (int i = 0; i < 7; i++) { // somebody else
        t[lid] += i;
        helper(&t[lid]);
    }
    for (int i = 0; i < 7; i++) { // kept
        t[lid] *= 3;
        vstore2((int2)(i, t[lid]), 0, pairs[lid]);
    }
    for (uint i = 0; i < 3; i++) // kept: always one further
        t[lid] += t[lid + 8] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] += t[lid] + t[lid + 8] + v[lid + 8] + pairs[lid][1];
}
