// SPDX-License-Identifier: BSD-3-Clause
// The kernels that peaks are measured with.
//
// Arithmetic: a work-item has several chains of x = x * factor + term, long enough to keep a device busy that takes
// many cycles for each. Factor and term are 1, which the compiler cannot know: so the sum of all that the chains have
// grown by counts the multiply-adds that were really done. It is exact in single precision, too, while it stays below
// 2^24. The options name the types of the wide kernels: -D SINGLE=float16 -D SINGLE_SUM=SUM16, and so on for DOUBLE
// (where there is one) and INTEGER.
//
// Memory: each work-group reads a part of a buffer that `peak_fill` has filled with a multiple of the index: so the sum
// of all that was read is known.
#define SUM1(v) (v)
#define SUM2(v) ((v).x + (v).y)
#define SUM4(v) SUM2((v).lo + (v).hi)
#define SUM8(v) SUM4((v).lo + (v).hi)
#define SUM16(v) SUM8((v).lo + (v).hi)
#define STEP(x) x = x * factor + term;
#define STEPS STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)
#define STEPS8 STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS
#define ARITHMETIC(name, scalar, type, SUM)                                                 \
    __kernel void name(__global scalar *grown, __global const scalar *starts,               \
                       scalar factor, scalar term, uint rounds)                             \
    {                                                                                       \
        __global const type *start =                                                        \
            (__global const type *)starts + (get_global_id(0) & 1);                         \
        type x0 = start[0], x1 = start[1], x2 = start[2], x3 = start[3];                    \
        type x4 = start[4], x5 = start[5], x6 = start[6], x7 = start[7];                    \
        for (uint round = 0; round < rounds; round++) {                                     \
            STEPS8 STEPS8 STEPS8 STEPS8                                                     \
        }                                                                                   \
        type sum = (x0 - start[0]) + (x1 - start[1]) + (x2 - start[2]) +                    \
                   (x3 - start[3]) + (x4 - start[4]) + (x5 - start[5]) +                    \
                   (x6 - start[6]) + (x7 - start[7]);                                       \
        grown[get_global_id(0)] = SUM(sum);                                                 \
    }
ARITHMETIC(peak_single, float, float, SUM1)
ARITHMETIC(peak_single_wide, float, SINGLE, SINGLE_SUM)
ARITHMETIC(peak_integer, uint, uint, SUM1)
ARITHMETIC(peak_integer_wide, uint, INTEGER, INTEGER_SUM)
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
ARITHMETIC(peak_double, double, double, SUM1)
ARITHMETIC(peak_double_wide, double, DOUBLE, DOUBLE_SUM)
#endif
#define READ(name, type, SUM)                                                               \
    __kernel void name(__global uint *sums, __global const type *from, ulong steps,         \
                       ulong first)                                                         \
    {                                                                                       \
        size_t stride = get_local_size(0);                                                  \
        type sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;                                        \
        from += first + get_group_id(0) * stride * steps + get_local_id(0);                 \
        for (ulong i = 0; i < steps; i += 4, from += 4 * stride) {                          \
            sum0 += from[0];                                                                \
            sum1 += from[stride];                                                           \
            sum2 += from[2 * stride];                                                       \
            sum3 += from[3 * stride];                                                       \
        }                                                                                   \
        sum0 += sum1 + sum2 + sum3;                                                         \
        sums[get_global_id(0)] = SUM(sum0);                                                 \
    }
READ(peak_read, uint4, SUM4)
READ(peak_read_wide, uint16, SUM16)
__kernel void peak_fill(__global uint16 *to, ulong steps, ulong count)
{
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (ulong i = 0, at = get_global_id(0) * steps; i < steps; i++, at++)
        if (at < count)
            to[at] = ((uint)at * 16 + lanes) * HASH;
}
