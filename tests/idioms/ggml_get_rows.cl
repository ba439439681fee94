/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a table, chosen by integers. */
kernel void get_rows(global float *table, ulong offset0, global int *rows, ulong offset1,
                     global float *dst, ulong offsetd, int ne00)
{
    table = (global float *)((global char *)table + offset0);
    rows = (global int *)((global char *)rows + offset1);
    dst = (global float *)((global char *)dst + offsetd);
    int i10 = get_group_id(0);
    int r = rows[i10];
    for (int i = get_local_id(0); i < ne00; i += get_local_size(0))
        dst[i10 * ne00 + i] = table[r * ne00 + i];
}
