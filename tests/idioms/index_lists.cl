/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours of rows and columns in lists that the host makes. */
__kernel void diffuse(int ne, int nr, int nc, __global const int *i_n, __global const int *i_s,
                      __global const int *j_e, __global const int *j_w, __global float *d_n,
                      __global float *d_s, __global float *d_w, __global float *d_e,
                      __global const float *image)
{
    int ei = get_global_id(0);
    int row = (ei + 1) % nr - 1, col = (ei + 1) / nr + 1 - 1;
    if ((ei + 1) % nr == 0) {
        row = nr - 1;
        col = col - 1;
    }
    if (ei < ne) {
        float jc = image[ei];
        d_n[ei] = image[i_n[row] + nr * col] - jc;
        d_s[ei] = image[i_s[row] + nr * col] - jc;
        d_w[ei] = image[row + nr * j_w[col]] - jc;
        d_e[ei] = image[row + nr * j_e[col]] - jc;
    }
}
