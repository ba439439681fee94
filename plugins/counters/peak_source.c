/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that peaks are measured with.
 *
 * Arithmetic: a work-item has several chains of x = x * factor + term, long enough to keep a
 * device busy that takes many cycles for each. Factor and term are 1, which the compiler cannot
 * know: so the sum of all that the chains have grown by counts the multiply-adds that were really
 * done. It is exact in single precision, too, while it stays below 2^24. The options name the types
 * of the wide kernels: -D SINGLE=float16 -D SINGLE_SUM=SUM16, and so on for DOUBLE (where there is
 * one) and INTEGER.
 *
 * Memory: each work-group reads a part of a buffer that `peak_fill` has filled with a multiple of
 * the index: so the sum of all that was read is known. */
#include "counters/peak_parts.h"

const char clopt_peak_source[] =
    "#define SUM1(v) (v)\n"
    "#define SUM2(v) ((v).x + (v).y)\n"
    "#define SUM4(v) SUM2((v).lo + (v).hi)\n"
    "#define SUM8(v) SUM4((v).lo + (v).hi)\n"
    "#define SUM16(v) SUM8((v).lo + (v).hi)\n"
    "#define STEP(x) x = x * factor + term;\n"
    "#define STEPS STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)\n"
    "#define STEPS8 STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS\n"
    "#define ARITHMETIC(name, scalar, type, SUM)                                           \\\n"
    "    __kernel void name(__global scalar *grown, __global const scalar *starts,         \\\n"
    "                       scalar factor, scalar term, uint rounds)                       \\\n"
    "    {                                                                                 \\\n"
    "        __global const type *start =                                                  \\\n"
    "            (__global const type *)starts + (get_global_id(0) & 1);                   \\\n"
    "        type x0 = start[0], x1 = start[1], x2 = start[2], x3 = start[3];              \\\n"
    "        type x4 = start[4], x5 = start[5], x6 = start[6], x7 = start[7];              \\\n"
    "        for (uint round = 0; round < rounds; round++) {                               \\\n"
    "            STEPS8 STEPS8 STEPS8 STEPS8                                               \\\n"
    "        }                                                                             \\\n"
    "        type sum = (x0 - start[0]) + (x1 - start[1]) + (x2 - start[2]) +              \\\n"
    "                   (x3 - start[3]) + (x4 - start[4]) + (x5 - start[5]) +              \\\n"
    "                   (x6 - start[6]) + (x7 - start[7]);                                 \\\n"
    "        grown[get_global_id(0)] = SUM(sum);                                           \\\n"
    "    }\n"
    "ARITHMETIC(peak_single, float, float, SUM1)\n"
    "ARITHMETIC(peak_single_wide, float, SINGLE, SINGLE_SUM)\n"
    "ARITHMETIC(peak_integer, uint, uint, SUM1)\n"
    "ARITHMETIC(peak_integer_wide, uint, INTEGER, INTEGER_SUM)\n"
    "#ifdef DOUBLE\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "ARITHMETIC(peak_double, double, double, SUM1)\n"
    "ARITHMETIC(peak_double_wide, double, DOUBLE, DOUBLE_SUM)\n"
    "#endif\n"
    "#define READ(name, type, SUM)                                                         \\\n"
    "    __kernel void name(__global uint *sums, __global const type *from, ulong steps,   \\\n"
    "                       ulong first)                                                   \\\n"
    "    {                                                                                 \\\n"
    "        size_t stride = get_local_size(0);                                            \\\n"
    "        type sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;                                  \\\n"
    "        from += first + get_group_id(0) * stride * steps + get_local_id(0);           \\\n"
    "        for (ulong i = 0; i < steps; i += 4, from += 4 * stride) {                    \\\n"
    "            sum0 += from[0];                                                          \\\n"
    "            sum1 += from[stride];                                                     \\\n"
    "            sum2 += from[2 * stride];                                                 \\\n"
    "            sum3 += from[3 * stride];                                                 \\\n"
    "        }                                                                             \\\n"
    "        sum0 += sum1 + sum2 + sum3;                                                   \\\n"
    "        sums[get_global_id(0)] = SUM(sum0);                                           \\\n"
    "    }\n"
    "READ(peak_read, uint4, SUM4)\n"
    "READ(peak_read_wide, uint16, SUM16)\n"
    "__kernel void peak_fill(__global uint16 *to, ulong steps, ulong count)\n"
    "{\n"
    "    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);\n"
    "    for (ulong i = 0, at = get_global_id(0) * steps; i < steps; i++, at++)\n"
    "        if (at < count)\n"
    "            to[at] = ((uint)at * 16 + lanes) * HASH;\n"
    "}\n";
