// SPDX-License-Identifier: BSD-3-Clause
// Functions that clang does not declare where it should: those of half in memory, which are OpenCL's own, on devices without
// cl_khr_fp16, and those of cl_intel_subgroups and its companions for chars, shorts and longs, as their specifications declare
// them. CLOPT_EACH(V) has V(TYPE) for each type, CLOPT_VECTORS(V) for its vectors, too.
#define CLOPT_F __attribute__((overloadable))
#define CLOPT_C __attribute__((overloadable, convergent))
#define CLOPT_EACH(V) V(char) V(uchar) V(short) V(ushort) V(int) V(uint) V(long) V(ulong) V(float)
#define CLOPT_VECTORS(V)                                                                             \
    CLOPT_EACH(V) V(char2) V(char3) V(char4) V(char8) V(char16) V(uchar2) V(uchar3) V(uchar4) V(uchar8) \
    V(uchar16) V(short2) V(short3) V(short4) V(short8) V(short16) V(ushort2) V(ushort3) V(ushort4)   \
    V(ushort8) V(ushort16) V(int2) V(int3) V(int4) V(int8) V(int16) V(uint2) V(uint3) V(uint4) V(uint8) \
    V(uint16) V(long2) V(long3) V(long4) V(long8) V(long16) V(ulong2) V(ulong3) V(ulong4) V(ulong8)  \
    V(ulong16) V(float2) V(float3) V(float4) V(float8) V(float16)
#define CLOPT_COLLECT(P, T)                                                                          \
    T CLOPT_C P##_broadcast(T, uint);                                                                \
    T CLOPT_C P##_reduce_add(T);                                                                     \
    T CLOPT_C P##_reduce_min(T);                                                                     \
    T CLOPT_C P##_reduce_max(T);                                                                     \
    T CLOPT_C P##_scan_exclusive_add(T);                                                             \
    T CLOPT_C P##_scan_exclusive_min(T);                                                             \
    T CLOPT_C P##_scan_exclusive_max(T);                                                             \
    T CLOPT_C P##_scan_inclusive_add(T);                                                             \
    T CLOPT_C P##_scan_inclusive_min(T);                                                             \
    T CLOPT_C P##_scan_inclusive_max(T);
#if defined(cl_intel_subgroups)
#define CLOPT_SHUFFLE(T)                                                                             \
    T CLOPT_C intel_sub_group_shuffle(T, uint);                                                      \
    T CLOPT_C intel_sub_group_shuffle_down(T, T, uint);                                              \
    T CLOPT_C intel_sub_group_shuffle_up(T, T, uint);                                                \
    T CLOPT_C intel_sub_group_shuffle_xor(T, uint);
CLOPT_VECTORS(CLOPT_SHUFFLE)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
CLOPT_SHUFFLE(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
CLOPT_SHUFFLE(double)
#endif
#define CLOPT_BLOCK(S, T, N, A)                                                                      \
    T##N CLOPT_C intel_sub_group_block_read##S##N(const A T *);                                      \
    void CLOPT_C intel_sub_group_block_write##S##N(A T *, T##N);
#define CLOPT_BLOCKS(S, T, A)                                                                        \
    CLOPT_BLOCK(S, T, , A) CLOPT_BLOCK(S, T, 2, A) CLOPT_BLOCK(S, T, 4, A) CLOPT_BLOCK(S, T, 8, A)
#define CLOPT_IMAGE(S, T, N)                                                                         \
    T##N CLOPT_C intel_sub_group_block_read##S##N(read_only image2d_t, int2);                        \
    void CLOPT_C intel_sub_group_block_write##S##N(write_only image2d_t, int2, T##N);
#define CLOPT_IMAGES(S, T) CLOPT_IMAGE(S, T, ) CLOPT_IMAGE(S, T, 2) CLOPT_IMAGE(S, T, 4) CLOPT_IMAGE(S, T, 8)
#define CLOPT_SPACE(A)                                                                               \
    CLOPT_BLOCKS(, uint, A) CLOPT_BLOCKS(_ui, uint, A) CLOPT_BLOCKS(_us, ushort, A)                  \
    CLOPT_BLOCK(_us, ushort, 16, A) CLOPT_BLOCKS(_uc, uchar, A) CLOPT_BLOCK(_uc, uchar, 16, A)       \
    CLOPT_BLOCKS(_ul, ulong, A)
CLOPT_SPACE(global)
CLOPT_SPACE(local)
CLOPT_IMAGES(, uint) CLOPT_IMAGES(_ui, uint) CLOPT_IMAGES(_us, ushort) CLOPT_IMAGES(_uc, uchar)
CLOPT_IMAGES(_ul, ulong)
CLOPT_COLLECT(intel_sub_group, char)
CLOPT_COLLECT(intel_sub_group, uchar)
CLOPT_COLLECT(intel_sub_group, short)
CLOPT_COLLECT(intel_sub_group, ushort)
#endif
#if defined(cl_intel_subgroups) || defined(cl_khr_subgroups) || defined(__opencl_c_subgroups)
#if !(defined(cl_khr_subgroups) || defined(__opencl_subgroup_builtins)) || \
    (!defined(__OPENCL_CPP_VERSION__) && __OPENCL_C_VERSION__ < 200)
uint CLOPT_F get_sub_group_size(void);
uint CLOPT_F get_max_sub_group_size(void);
uint CLOPT_F get_num_sub_groups(void);
uint CLOPT_F get_sub_group_id(void);
uint CLOPT_F get_sub_group_local_id(void);
int CLOPT_C sub_group_all(int);
int CLOPT_C sub_group_any(int);
#if __OPENCL_C_VERSION__ >= 200
uint CLOPT_F get_enqueued_num_sub_groups(void);
#endif
void CLOPT_C sub_group_barrier(uint);
#define CLOPT_SUM(T) CLOPT_COLLECT(sub_group, T)
CLOPT_SUM(int) CLOPT_SUM(uint) CLOPT_SUM(long) CLOPT_SUM(ulong) CLOPT_SUM(float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
CLOPT_SUM(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
CLOPT_SUM(double)
#endif
#endif
#endif
#ifdef cl_khr_subgroup_rotate
#define CLOPT_ROTATE(T)                                                                              \
    T CLOPT_C sub_group_rotate(T, int);                                                              \
    T CLOPT_C sub_group_clustered_rotate(T, int, uint);
CLOPT_EACH(CLOPT_ROTATE)
#endif
#ifndef cl_khr_fp16
#define CLOPT_LOAD(A, N)                                                                             \
    float##N CLOPT_F vload_half##N(size_t, const A half *);                                          \
    float##N CLOPT_F vloada_half##N(size_t, const A half *);
#define CLOPT_ROUNDED(A, T, N, R)                                                                    \
    void CLOPT_F vstore_half##N##R(T##N, size_t, A half *);                                          \
    void CLOPT_F vstorea_half##N##R(T##N, size_t, A half *);
#define CLOPT_STORE(A, T, N)                                                                         \
    CLOPT_ROUNDED(A, T, N, ) CLOPT_ROUNDED(A, T, N, _rte) CLOPT_ROUNDED(A, T, N, _rtz)               \
    CLOPT_ROUNDED(A, T, N, _rtp) CLOPT_ROUNDED(A, T, N, _rtn)
#define CLOPT_WIDTHS(V, ...) V(__VA_ARGS__, ) V(__VA_ARGS__, 2) V(__VA_ARGS__, 3) V(__VA_ARGS__, 4) V(__VA_ARGS__, 8) V(__VA_ARGS__, 16)
#ifdef cl_khr_fp64
#define CLOPT_HALVES(A) CLOPT_WIDTHS(CLOPT_LOAD, A) CLOPT_WIDTHS(CLOPT_STORE, A, float) CLOPT_WIDTHS(CLOPT_STORE, A, double)
#else
#define CLOPT_HALVES(A) CLOPT_WIDTHS(CLOPT_LOAD, A) CLOPT_WIDTHS(CLOPT_STORE, A, float)
#endif
CLOPT_WIDTHS(CLOPT_LOAD, __constant)
CLOPT_HALVES(__global)
CLOPT_HALVES(__local)
CLOPT_HALVES(__private)
#if __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_generic_address_space)
CLOPT_HALVES()
#endif
#endif
