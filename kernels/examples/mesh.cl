/* SPDX-License-Identifier: BSD-3-Clause */
/* What flows between the cells of an unstructured mesh of triangles: a work-item does a cell. */
__kernel void mesh(__global const float *before, __global float *after,
                   __global const int *neighbours, __global const float *lengths, float rate,
                   int cells)
{
    int cell = get_global_id(0);
    if (cell >= cells)
        return;
    float own = before[cell], flow = 0;
    for (int side = 0; side < 3; side++) {
        int other = neighbours[3 * cell + side];
        if (other >= 0)
            flow += lengths[3 * cell + side] * (before[other] - own);
    }
    after[cell] = own + rate * flow;
}
