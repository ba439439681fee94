/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass of a sorting network, over half as many pairs. */
__kernel void bitonic(__global uint *the_array, const uint stage, const uint pass,
                      const uint width, const uint direction)
{
    uint id = get_global_id(0), increasing = direction;
    uint pair = 1 << (stage - pass), block = 2 * pair;
    uint left = id % pair + id / pair * block, right = left + pair;
    uint a = the_array[left], b = the_array[right];
    if (id / (1 << stage) % 2 == 1)
        increasing = 1 - increasing;
    uint greater = max(a, b), lesser = min(a, b);
    the_array[left] = increasing ? lesser : greater;
    the_array[right] = increasing ? greater : lesser;
}
