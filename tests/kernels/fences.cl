// SPDX-License-Identifier: BSD-3-Clause
// mem_fence, barriers with both flags, async copies.
// local 16 global 64
// refuse groups 0: fences.cl:9: async_work_group_copy with arguments that diverge
kernel void k(global const int *in, global int *out, int n)
{
    local int a[16], b[16];
    int l = get_local_id(0), g = get_global_id(0);
    event_t e = async_work_group_copy(a, in + get_group_id(0) * 16, 16, 0);
    wait_group_events(1, &e);
    b[l] = a[15 - l];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[g] = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] += b[(l + 3) & 15];
}
