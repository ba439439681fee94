/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of the fast Walsh-Hadamard transform, in place: each work-item replaces two numbers that
 * are `distance` apart by their sum and their difference. The steps have distances 1, 2, 4 ... */
__kernel void fastWalsh(__global float *data, int distance)
{
    int i = get_global_id(0);
    int first = i / distance * 2 * distance + i % distance;
    float a = data[first];
    float b = data[first + distance];
    data[first] = a + b;
    data[first + distance] = a - b;
}
