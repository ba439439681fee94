// SPDX-License-Identifier: BSD-3-Clause
// local 16x2 global 64x8
// Several updates of parts of the buffer, at offsets added to the pointer.
kernel void k(global const int *in, volatile global int *out, int n)
{
    uint v = in[get_global_id(1) * 64 + get_global_id(0)];
    atomic_xor(out + (v >> 5) % 16, n ^ v);
    atomic_xor(out + 16 + min(v, 40u), v);
    atomic_xor(&out[get_global_id(1) & 7], v << 3);
}
