/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix whose shape is a structure. */
typedef struct {
    int rows;
    int cols;
} shape_t;

kernel void twice(global const float *a, global float *o, shape_t shape)
{
    int i = get_global_id(0);
    if (i >= shape.rows)
        return;
    float sum = 0;
    for (int k = 0; k < shape.cols; k++)
        sum += a[i * shape.cols + k];
    o[i] = sum;
}
