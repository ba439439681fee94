// SPDX-License-Identifier: BSD-3-Clause
// Statement expressions: as a generator writes minima in the heads of loops, as values, on the right
// side of assignments, as statements, inside each other, and in conditions.
// local 16 global 64
#define MIN(x, y)                                                                                  \
    ({                                                                                             \
        __typeof__(x) _x = (x);                                                                    \
        __typeof__(y) _y = (y);                                                                    \
        _x < _y ? _x : _y;                                                                         \
    })
#define MAX(x, y) ({ int _x = (x); const int _y = (y); _x > _y ? _x : _y; })
#define SUM(a, n) ({ int _s = 0; for (int _i = 0; _i < n; _i++) _s += a[_i]; _s; })
int twice(int x)
{
    int y = ({ int z = x; z += x; z; });
    return y;
}
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), sum = 0;
    for (int i = 0; i <= MIN(7, n - g - 1); i += 1)
        for (int j = MAX(i - 2, 0); j < MIN(MIN(i + 2, 6), g + 5); j++)
            sum = sum * 3 + in[g + i + j];
    int a = SUM(in, 4), b;
    b = SUM((in + g), 5) * 2;
    if (g & 1)
        b += ({ int t = in[g]; t ^= 5; t; });
    else if (({ int t = b; t &= 3; t; }) == 2)
        b -= 3;
    ({ sum += b; });
    if (sum > 3)
        ({ sum -= a; });
    else
        ({ int t = a; sum += t + 1; });
    for (int i = 0; i < 3; i++)
        sum += ({ int s = i; s += ({ int u = s; u++; u * in[u]; }); s; });
    float4 v = ({ float4 w = (float4)(sum & 7); w.x += 1.0f; w; });
    out[g] = sum + a + b + twice(g) + (int)v.x;
}
