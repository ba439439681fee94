/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-groups that take jobs from a counter. */
kernel void jobs(global const float *a, global float *o, volatile global int *next, int n)
{
    local int job;
    for (;;) {
        if (get_local_id(0) == 0)
            job = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        int j = job;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j * (int)get_local_size(0) >= n)
            break;
        int i = j * get_local_size(0) + get_local_id(0);
        o[i] = a[i] * 2;
    }
}
