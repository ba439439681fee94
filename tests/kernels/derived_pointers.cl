// SPDX-License-Identifier: BSD-3-Clause
// Pointers into one parameter or array: once, moved, stepped, chosen, compared, subtracted, of
// members and of local memory, with indices of all widths; and some that have to stay.
// local 16 global 64
typedef struct {
    int a;
    int b;
} pair;
int total(global const int *from, int count)
{
    int sum = 0;
    for (global const int *at = from, *end = at + count; at < end; at++)
        sum = sum * 3 + *at;
    return sum;
}
kernel void k(global const int *restrict in, global int *restrict out, int n)
{
    local int tile[32];
    int l = get_local_id(0), g = get_global_id(0), s = 0;
    uint u = l;
    uchar c = 250;
    global const int *begin = in, *row = in + g * 4 + 2, *end;
    global const pair *pairs = (global const pair *)in;
    global const pair *own = pairs + g;
    local int *upper = &tile[16];
    local const int *mine = tile + l;
    tile[l] = row[1];
    upper[l] = *row - *(row - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    end = row + 6;
    for (global const int *q = row; q < end; q += 2)
        s += q[0] * q[1u] + (int)(q - begin);
    for (int i = 0; i < 4; i++) {
        s = s * 5 + *row++;
        row[i & 1] > 300 ? s++ : s--;
    }
    s += own->a * 3 + (*own).b + pairs[1].a + mine[0] + mine[15 - l] + upper[-1 - l];
    s ^= (g & 1 ? row : begin)[c] + begin[u + 1] + row[(int)u - l - 1] + (&in[g])[2] + 2 [in];
    if (row != end && end - 2 > row)
        s += *(end - 1u);
    s += total(begin + g, 5) + vload2(0, begin + g).y + (begin == in);
    in += u;
    s = s * 3 + *in + in[3] + begin[1];
    int k = 0;
    while (k < 3)
        s += in[k++];
    out += g;
    *out = s;
    out += 64;
    global int *o = out - g + (ulong)g;
    *o++ = s >> 1;
    o += 63;
    *o-- = s ^ 5;
    o[128L] = sizeof(*o) + sizeof(o[0]);
}
