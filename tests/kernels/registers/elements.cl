// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Elements of arrays in which loops accumulate, some of which something else touches meanwhile.
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    local int row[8][16], own[16][9], one[2];
    local uchar small[16];
    local int4 four[16];
    int lid = get_local_id(0), gid = get_global_id(0), i, j;
    for (i = 0; i < 8; i++)
        row[i][lid] = in[(gid + i) & 63];
    for (i = 0; i < 9; i++)
        own[lid][i] = in[(gid * 3 + i) & 63] & 255;
    small[lid] = lid;
    four[lid] = (int4)(lid, 1, 2, 3);
    if (lid < 2)
        one[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (i = 1; i < 8; i++) // kept: no j is i
        for (j = 0; j < i; j++)
            row[i][lid] -= 3 * row[j][lid];
    for (i = 0; i < 8; i++) { // kept through both statements
        for (j = 0; j < i; j++)
            row[i][lid] -= row[j][lid] ^ j;
        row[i][lid] /= 3;
    }
    for (i = 0; i < 8; i++) // one j is i
        for (j = 0; j <= i; j++)
            row[i][lid] += row[j][lid];
    for (i = 6; i >= 0; i--) // kept: j goes down from above
        for (j = 7; j > i; j--)
            row[i][lid] ^= row[j][lid] + j;

    for (j = 0; j < 7; j++) // j is 3 once
        own[lid][3] += own[lid][j];
    for (j = 0; j < 8; j++) // kept
        own[lid][8] += own[lid][j];
    own[lid][0] = 5; // kept, and begun here
    for (j = 1; j < 9; j++)
        own[lid][0] = own[lid][0] * 7 + own[lid][j];
    for (j = 0; j < 9; j++) { // the element changes
        own[lid][i + 1] += j;
        i = j & 3;
    }
    i = lid & 7;
    for (j = 0; j < 9; j++) // not written in any case
        if (in[j] & 1)
            own[lid][i] += j;
    for (j = 0; j < 9; j++) { // left from the middle
        own[lid][i] += j;
        if (own[lid][i] & 4)
            break;
    }
    local int *other = own[lid];
    for (j = 0; j < 9; j++) // another name for it
        own[lid][i] += other[j];

    for (j = 0; j < (lid == 5 ? 4 : 0); j++) // one work-item comes to it
        one[0] += in[j];
    for (j = lid; j < 1; j++) // kept if it turns
        one[1] += in[j + 3] * j + 1;
    for (j = lid; j < n % 32; j++) { // two are
        own[lid][2] ^= j;
        row[1][lid] += 3;
    }
    for (j = 0; j < 100; j++) // kept: it overflows
        small[lid] += j;
    for (j = 0; j < 5; j++) // parts of it
        four[lid].y = four[lid].x * four[lid].y + j;
    for (j = 0; j < 5; j++) // at a subscript that is in memory
        own[lid][small[lid] & 7] += j;
    barrier(CLK_LOCAL_MEM_FENCE);

    out[gid] = one[0] + one[1] + small[lid] + four[lid].y;
    for (i = 0; i < 8; i++) // kept in memory for a pointer
        out[gid] = out[gid] * 31 + row[i][lid];
    for (i = 0; i < n; i++) // and where it may not turn
        out[gid] = out[gid] * 31 + own[lid][i % 9];
}
