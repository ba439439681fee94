/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubles numbers, or does what a kernel must not do. */
#if BEHAVIOUR == 3
/* So many signs that a compiler which recurses over them runs out of stack. */
#define M1 - - - - - - - - - - - - - - - -
#define M2 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1
#define M3 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2
#define M4 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3
#define M5 M4 M4 M4 M4 M4 M4 M4 M4
#define SIGNS M5
#else
#define SIGNS
#endif

__kernel void twice(__global const float *input, __global float *output)
{
    size_t i = get_global_id(0);
    float result = SIGNS(2 * input[i]);
#if BEHAVIOUR == 4
    result = no_such_variable;
#elif BEHAVIOUR == 5
    volatile int forever = 1;
    while (forever && get_group_id(0) == 0)
        result += input[i];
#elif BEHAVIOUR == 8
    output[get_global_size(0) + i % 8] = result;
#elif BEHAVIOUR == 9
    result += 1;
#elif BEHAVIOUR == 10
    result = nan(0u);
#elif BEHAVIOUR == 11
    if (i % 64 == 63)
        return;
#elif BEHAVIOUR == 14
    result = as_float(as_int(result) + 1); /* not to the bit what the initial code computes */
#elif BEHAVIOUR == 16
    if (get_local_id(0) + 1 < get_local_size(0))
        output[i + 1] = 0; /* made good where a thread runs the work-items of a group in order */
#elif BEHAVIOUR == 17
    if (input[i + get_global_size(0)] == 12345.0f)
        result = 0;
#endif
    output[i] = result;
}
