// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Loops that end at what memory holds, as rows of sparse matrices do.
kernel void k(global const int *in, global int *out, int n)
{
    local int ends[16];
    int g = get_global_id(0), l = get_local_id(0), sum = 0, product = 1;
    ends[l] = in[g] & 31;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = in[g + 1] & 7; k < (in[g + 2] & 63); k++)
        sum += in[k] ^ k;
    for (int k = 2; k <= ends[15 - l]; k++)
        product += product * in[k + g];
    for (int k = in[g] & 15; k > (in[g + 3] & 3); k -= 2)
        sum += in[k];
    out[g] = sum + product;
}
