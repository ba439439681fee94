// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --geometry=granularity=2
struct point { int x, y; };
kernel void k(global const int *restrict a, global const struct point *restrict points,
              global int *restrict b, int n)
{
    local int t[16];
    int i = get_global_id(0), l = get_local_id(0), sum = n;
    if (i >= n)
        return;
    int w = a[i];
    const int each = 100 / w; // w is not known to one that has left
    const struct point p = points[i];
    b[i] = each, sum += 2;
    t[l] = p.x + p.y;
    if (n > 9)
        b[i] += l;
    else if (n > 5) {
        barrier(CLK_LOCAL_MEM_FENCE);
        b[i] += t[15 - l];
        sum++;
    }
    for (int k = 0; k < sum; k++) {
        if (k == n - 3)
            break;
        b[i] += t[k & 15];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // the last
    b[i] += each;
}
