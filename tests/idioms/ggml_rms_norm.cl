/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows divided by their root mean square, summed in local memory that the host gives. */
kernel void rms_norm(global void *src0, ulong offset0, global float *dst, ulong offsetd, int ne00,
                     ulong nb01, float eps, local float *sum)
{
    src0 = (global void *)((global char *)src0 + offset0);
    dst = (global float *)((global char *)dst + offsetd);
    global float *x = (global float *)((global char *)src0 + get_group_id(0) * nb01);
    float part = 0;
    for (int i = get_local_id(0); i < ne00; i += get_local_size(0))
        part += x[i] * x[i];
    sum[get_local_id(0)] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (get_local_id(0) < i)
            sum[get_local_id(0)] += sum[get_local_id(0) + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float mean = sum[0] / ne00, factor = 1.0f / sqrt(mean + eps);
    global float *y = dst + get_group_id(0) * ne00;
    for (int i = get_local_id(0); i < ne00; i += get_local_size(0))
        y[i] = x[i] * factor;
}
