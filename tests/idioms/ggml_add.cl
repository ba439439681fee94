/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of tensors of four dimensions, whose strides are in bytes: the second one is repeated. */
kernel void add(global char *src0, ulong offset0, global char *src1, ulong offset1,
                global char *dst, ulong offsetd, int ne00, ulong nb00, ulong nb01, int ne10,
                ulong nb10, ulong nb11, int ne0, ulong nb0, ulong nb1)
{
    src0 = src0 + offset0;
    src1 = src1 + offset1;
    dst = dst + offsetd;
    int i01 = get_group_id(0);
    global char *row0 = src0 + i01 * nb01;
    global char *row1 = src1 + i01 * nb11;
    global char *out = dst + i01 * nb1;
    for (int i0 = get_local_id(0); i0 < ne0; i0 += get_local_size(0)) {
        const int i10 = i0 % ne10;
        *((global float *)(out + i0 * nb0)) =
            *((global float *)(row0 + i0 * nb00)) + *((global float *)(row1 + i10 * nb10));
    }
}
