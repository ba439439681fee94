/* SPDX-License-Identifier: BSD-3-Clause */
__kernel void merge_first(__global float4 *input, __global float4 *result, const int listsize)
{
    unsigned int bx = get_group_id(0);
    if (bx * get_local_size(0) + get_local_id(0) < listsize / 4) {
        float4 r = input[bx * get_local_size(0) + get_local_id(0)];
        result[bx * get_local_size(0) + get_local_id(0)] = r;
    }
}
