// SPDX-License-Identifier: BSD-3-Clause
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void rows(global const float *restrict x, global float *restrict y, int n)
{
    int row = get_group_id(0);
    float s = 0;
    for (int i = get_sub_group_local_id(); i < n; i += get_sub_group_size())
        s += x[row * n + i];
    s = sub_group_reduce_add(s);
    if (get_sub_group_local_id() == 0)
        y[row] = s;
}
kernel void chosen(global const float *restrict x, global float *restrict y, global const int *restrict which)
{
    int g = get_global_id(0);
    float a = x[g], b = 0;
    if (which[g] > 0)
        b = sub_group_reduce_add(a);
    local float t[64];
    t[get_local_id(0)] = a + b;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    y[g] = t[get_local_id(0) - get_sub_group_local_id()] + sub_group_broadcast(a, 1);
}
kernel void all(global const int *restrict x, global int *restrict y)
{
    int g = get_global_id(0), s = 0;
    if (x[g] > 0)
        s = work_group_reduce_add(x[g]);
    y[g] = s;
}
