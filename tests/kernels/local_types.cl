// SPDX-License-Identifier: BSD-3-Clause
// Types that are declared inside functions: with variables and without, named and not, packed, nested.
// local 16 global 64
struct base { int s; };
inline int mix(int v, int s)
{
    union { int i; float f; } old, new; // both
    struct s { struct base b; int y; } own = {{s}, 3};
    old.i = v & 0xFFFF;
    new.f = (float)old.i + 0.5f;
    return (new.i >> 3) + own.b.s * own.y;
}
kernel void k(global const int *in, global int *out, int n)
{
    typedef struct {
        int x;
        short y[2];
    } pair;
    enum { ONE = 1, TWO }; /* numbers */
    struct point { int x, y; } p = {1, 2}, *q = &p;
    const struct __attribute__((packed)) { char c; int i; } tight = {3, 4};
    int g = get_global_id(0);
    pair t;
    t.x = in[g] + TWO;
    t.y[0] = q->x + p.y * tight.c;
    if (g % 3 == 0) {
        typedef uint word;
        word w = t.x;
        t.x = rotate(w, (word)ONE);
    }
    for (int i = 0; i < 4; i++) {
        union { uint u; int s; } z;
        z.u = in[g + i] + t.x;
        t.x ^= mix(z.s, i);
    }
    out[g] = t.x + t.y[0] + sizeof(struct point) + sizeof tight;
}
