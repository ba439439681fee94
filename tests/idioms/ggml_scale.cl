/* SPDX-License-Identifier: BSD-3-Clause */
/* A tensor times a number; where tensors begin is said in bytes. */
kernel void scale(global float4 *src0, ulong offset0, global float4 *dst, ulong offsetd,
                  float factor)
{
    src0 = (global float4 *)((global char *)src0 + offset0);
    dst = (global float4 *)((global char *)dst + offsetd);
    dst[get_global_id(0)] = src0[get_global_id(0)] * factor;
}
