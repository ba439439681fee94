// SPDX-License-Identifier: BSD-3-Clause
// Permutes a buffer: a work-item copies a tile, so that caches serve rows and columns alike.
#define PERMUTE(bytes, type)                                                          \
    __kernel void permute##bytes(__global const type *from, __global type *to,        \
                                 ulong rows, ulong width, ulong block, ulong back)    \
    {                                                                                 \
        ulong across = (width + 7) / 8;                                               \
        ulong row = get_global_id(0) / across * 8;                                    \
        ulong column = get_global_id(0) % across * 8;                                 \
        for (ulong r = row; r < min(row + 8, rows); r++)                              \
            for (ulong c = column; c < min(column + 8, width); c++) {                 \
                ulong one = r * width + c;                                            \
                ulong other = block ? (r - r % block) * width + c * block + r % block \
                                    : c * rows + r;                                   \
                to[back ? one : other] = from[back ? other : one];                    \
            }                                                                         \
    }
PERMUTE(1, uchar)
PERMUTE(2, ushort)
PERMUTE(4, uint)
PERMUTE(8, ulong)
PERMUTE(16, uint4)

// The nearest half of a float, ties to the even one, by integers: not every device stores half.
static ushort narrowed(uint bits)
{
    uint sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return sign | 0x7e00;
    if (size >= 0x47800000)
        return sign | 0x7c00;
    uint shift = size < 0x38800000 ? 126 - (size >> 23) : 13; // below 2^-14 it has fewer digits
    if (shift > 24)
        return sign;
    size = shift > 13 ? (size & 0x7fffff) | 0x800000 : size - 0x38000000;
    return sign | (size + (1u << (shift - 1)) - 1 + (size >> shift & 1)) >> shift;
}

__kernel void narrow4(__global const uint *from, __global ushort *to, ulong rows, ulong width, ulong block, ulong back)
{
    ulong first = get_global_id(0) * 8;
    for (ulong r = first; r < min(first + 8, rows); r++)
        to[r] = narrowed(from[r]);
}
