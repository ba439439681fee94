// SPDX-License-Identifier: BSD-3-Clause
// Group-uniform arms with barriers and branches on the work-item's identity.
// local 16 global 64
// refuse groups 0: arms.cl:11: barrier inside a divergent region
kernel void k(global const int *in, global int *out, int n)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0), s = 0;
    t[l] = in[g];
    if (get_group_id(0) % 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 3)
            s = t[4];
    } else {
        if (l == 5)
            s = 9;
    }
    out[g] = s + t[l];
}
