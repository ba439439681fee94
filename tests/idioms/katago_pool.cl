/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and largest value of planes, of which a mask says how large they are. */
kernel void pool(global const float *input, global float *output, global const float *maskSums,
                 int batch, int channels, int xySize)
{
    local float sums[64], tops[64];
    const int id = get_local_id(0), c = get_global_id(1), n = get_global_id(2);
    float sum = 0, top = -1.0f;
    if (n < batch && c < channels)
        for (int i = id; i < xySize; i += 64) {
            float v = input[(n * channels + c) * xySize + i];
            sum += v;
            top = fmax(top, v);
        }
    sums[id] = sum;
    tops[id] = top;
    for (int span = 32; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < span) {
            sums[id] += sums[id + span];
            tops[id] = fmax(tops[id], tops[id + span]);
        }
    }
    if (n < batch && c < channels && id == 0) {
        output[n * channels * 2 + c] = sums[0] / maskSums[n];
        output[n * channels * 2 + channels + c] = tops[0];
    }
}
