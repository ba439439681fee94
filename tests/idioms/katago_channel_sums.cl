/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of planes of channels: the local index has three digits. */
kernel void channel_sums(global const float *input, global float *output, int nSize, int cSize,
                         int xySize)
{
    local float partial[TOTAL];
    const int x = get_local_id(0), c = get_global_id(1), n = get_global_id(2);
    const int id = (get_local_id(2) * CSTRIDE + get_local_id(1)) * XSTRIDE + x;
    float sum = 0;
    if (n < nSize && c < cSize)
        for (int i = x; i < xySize; i += XSTRIDE)
            sum += input[(n * cSize + c) * xySize + i];
    partial[id] = sum;
    for (int span = XSTRIDE / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x < span)
            partial[id] += partial[id + span];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n < nSize && c < cSize && x == 0)
        output[n * cSize + c] = partial[id];
}
