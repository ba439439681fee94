/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that are not too small, one after the other. */
kernel void compact(global const int *in, global int *out, global int *count, int n)
{
    int i = get_global_id(0);
    if (i < n && in[i] > 10) {
        int at = atomic_add(count, 1);
        out[at] = in[i];
    }
}
