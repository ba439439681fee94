// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --memory=records=all
/* What of an element is not written stays, so rows are read first. */
kernel void k(global float4 *a)
{
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        a[4 * i + k].x = k;
}
