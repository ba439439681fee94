// SPDX-License-Identifier: BSD-3-Clause
// The kernels by which accesses are measured. All of the matrix are ones, so that it is known what a kernel
// computes. Bytes are those that scalar code accesses: what a wider kernel reads once for several elements counts as
// often.
#define SIDE 4096u
#define LENGTH 1024u
#define LOAD1(o, p) (*(p))
#define STORE1(v, o, p) (*(p) = (v))
#define SUM1(v) (v)
#define SUM2(v) ((v).x + (v).y)
#define SUM4(v) SUM2((v).lo + (v).hi)
#define SUM8(v) SUM4((v).lo + (v).hi)
#define SUM16(v) SUM8((v).lo + (v).hi)
#define DOWN1(p) (*(p))
#define DOWN2(p) (float2)(DOWN1(p), DOWN1((p) + SIDE))
#define DOWN4(p) (float4)(DOWN2(p), DOWN2((p) + 2 * SIDE))
#define DOWN8(p) (float8)(DOWN4(p), DOWN4((p) + 4 * SIDE))
#define DOWN16(p) (float16)(DOWN8(p), DOWN8((p) + 8 * SIDE))
#define HEAD(name) __kernel void name(__global const float *in, __global float *out, uint log)
#define WHERE(W) size_t x = get_global_id(0) * W, y = get_global_id(1), i = y * SIDE + x;
#define WIDE(W, T, LOAD, STORE, SUM)                                                        \
    HEAD(single##W) { WHERE(W) STORE(LOAD(0, in + i), 0, out + i); }                        \
    HEAD(row##W)                                                                            \
    {                                                                                       \
        WHERE(W)                                                                            \
        T sum = 0, factor = (T)(float)x;                                                    \
        for (uint k = 0; k < LENGTH; k++)                                                   \
            sum += in[y * SIDE + k] * factor;                                               \
        STORE(sum, 0, out + i);                                                             \
    }                                                                                       \
    HEAD(column##W)                                                                         \
    {                                                                                       \
        WHERE(W)                                                                            \
        T sum = 0;                                                                          \
        for (uint k = 0; k < LENGTH; k++)                                                   \
            sum += LOAD(0, in + k * SIDE + x);                                              \
        STORE(sum, 0, out + i);                                                             \
    }                                                                                       \
    HEAD(block##W)                                                                          \
    {                                                                                       \
        WHERE(W)                                                                            \
        T sum = 0;                                                                          \
        for (uint r = 0; r < 5; r++)                                                        \
            for (uint c = 0; c < 5; c++)                                                    \
                sum += LOAD(0, in + i + r * SIDE + c);                                      \
        STORE(sum, 0, out + i);                                                             \
    }                                                                                       \
    HEAD(neighbours##W)                                                                     \
    {                                                                                       \
        WHERE(W)                                                                            \
        STORE(LOAD(0, in + i + 1) + LOAD(0, in + i + SIDE) +                                \
              LOAD(0, in + i + SIDE + 2) + LOAD(0, in + i + 2 * SIDE + 1), 0, out + i);     \
    }                                                                                       \
    HEAD(row_within##W)                                                                     \
    {                                                                                       \
        WHERE(1)                                                                            \
        T sum = 0;                                                                          \
        float factor = x;                                                                   \
        for (uint k = 0; k < LENGTH; k += W)                                                \
            sum += LOAD(0, in + y * SIDE + k) * factor;                                     \
        out[i] = SUM(sum);                                                                  \
    }                                                                                       \
    HEAD(column_within##W)                                                                  \
    {                                                                                       \
        WHERE(1)                                                                            \
        T sum = 0;                                                                          \
        for (uint k = 0; k < LENGTH; k += W)                                                \
            sum += DOWN##W(in + k * SIDE + x);                                              \
        out[i] = SUM(sum);                                                                  \
    }                                                                                       \
    HEAD(apart##W)                                                                          \
    {                                                                                       \
        size_t i = get_global_id(1) * SIDE + get_global_id(0);                              \
        T sum = 0;                                                                          \
        for (uint k = 0; k < LENGTH; k += W)                                                \
            sum += LOAD(0, in + i * LENGTH + k);                                            \
        out[i] = SUM(sum);                                                                  \
    }
WIDE(1, float, LOAD1, STORE1, SUM1)
WIDE(2, float2, vload2, vstore2, SUM2)
WIDE(4, float4, vload4, vstore4, SUM4)
WIDE(8, float8, vload8, vstore8, SUM8)
WIDE(16, float16, vload16, vstore16, SUM16)
HEAD(strided1)
{
    WHERE(1)
    size_t parts = (size_t)SIDE * SIDE >> log;
    out[i] = in[((i & (parts - 1)) << log) + i / parts];
}
HEAD(scattered1) { WHERE(1) out[i] = in[(uint)i * 2654435761u & (SIDE * SIDE - 1)]; }
