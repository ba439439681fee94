// SPDX-License-Identifier: BSD-3-Clause
/* A diagonal of the longest common subsequence of many pairs; the index of one dimension is tested against n. */
kernel void lcs(global const char *a, global const char *b, global const short *before, global const short *last, global short *now, int d, int n)
{
    int i = get_global_id(0);
    int p = get_global_id(1);
    if (i < 1 || i > n || d - i < 1 || d - i > n)
        return;
    short up = last[p * (n + 1) + i - 1];
    short left = last[p * (n + 1) + i];
    short diag = before[p * (n + 1) + i - 1];
    short best;
    if (a[p * n + i - 1] == b[p * n + d - i - 1])
        best = diag + 1;
    else
        best = up > left ? up : left;
    now[p * (n + 1) + i] = best;
}
