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
