// SPDX-License-Identifier: BSD-3-Clause
// Structs, unions, constants, enumerations.
// local 16 global 64
typedef struct {
    int a;
    float b[3];
} node;
struct pair { int x, y; };
union word { int i; uchar c[4]; };
enum { ONE = 1, TWO };
constant int table[4] = {3, 1, 4, 1};
int sum(struct pair p) { return p.x + p.y; }
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    node nodes[2] = {{1, {1.0f, 2.0f, 3.0f}}, {2, {4.0f}}};
    struct pair p = {g, 2}, q = {3, 4};
    union word w;
    w.i = g * 257;
    nodes[g & 1].b[2] += 5.0f;
    nodes[1].a = table[g & 3];
    q.y += p.x;
    global const int *r = in + g;
    out[g] = sum(p) * 100 + sum(q) + w.c[1] + TWO + *r + r[1];
    out[64 + g] = nodes[0].a + nodes[1].a * 10 + (int)(nodes[0].b[2] + nodes[1].b[2]);
}
