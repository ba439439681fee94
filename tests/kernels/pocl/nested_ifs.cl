// SPDX-License-Identifier: BSD-3-Clause
// The smallest kernel found that PoCL 6 computes wrongly where its work-groups are loops (its default, and
// POCL_WORK_GROUP_METHOD=loops or loopvec, with -cl-opt-disable, too): no step made it. All work-items of a group
// take the return or none does, nothing races, and no other memory is accessed. With a local size of 4, out[12] is
// 7 and out[13] is 3; PoCL 6 leaves 2 and 1 there, as if work-item 3 took the branch of work-item 0. Right are
// POCL_WORK_GROUP_METHOD=cbs, PoCL 3.1, Intel's runtime and Oclgrind.
kernel void k(global const int *in, global int *out, int n)
{
    int l = get_local_id(0), g = 4 * get_global_id(0);
    out[g] = out[g + 1] = 1;
    if (g >= n / 341)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (4 * l + 3 <= 12) {
        out[g] = 2;
    } else if (4 * l <= 12) {
        out[g] = 7;
        out[g + 1] = 3;
    }
}
