/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device's compiler knows and libclang does not: extension and feature macros, functions. */
#include "frontend/dialect.h"

#include "text/token.h"

/* Macros that libclang (14 to 21) defines for every program, whatever the device has. */
static const char *const extensions[] = {
    "cl_amd_media_ops",
    "cl_amd_media_ops2",
    "cl_arm_integer_dot_product_accumulate_int16",
    "cl_arm_integer_dot_product_accumulate_int8",
    "cl_arm_integer_dot_product_accumulate_saturate_int8",
    "cl_arm_integer_dot_product_int8",
    "cl_ext_float_atomics",
    "cl_ext_image_raw10_raw12",
    "cl_intel_bfloat16_conversions",
    "cl_intel_device_side_avc_motion_estimation",
    "cl_intel_split_work_group_barrier",
    "cl_intel_subgroup_buffer_prefetch",
    "cl_intel_subgroup_local_block_io",
    "cl_intel_subgroups",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_long",
    "cl_intel_subgroups_short",
    "cl_khr_3d_image_writes",
    "cl_khr_depth_images",
    "cl_khr_extended_bit_ops",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_integer_dot_product",
    "cl_khr_kernel_clock",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_srgb_image_writes",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroups",
};

/* The same from OpenCL C 3.0 on. */
static const char *const features[] = {
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_device_enqueue",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_int64",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
};

/* The functions of cl_intel_subgroups and its companions for chars, shorts and longs, as their
 * specifications declare them, where clang declares none of their name. F(TYPE) is for one type,
 * V(TYPE) for one and its vectors. */
static const char functions[] =
    "#define CLOPT_F __attribute__((overloadable))\n"
    "#define CLOPT_C __attribute__((overloadable, convergent))\n"
    "#define CLOPT_EACH(V) V(char) V(uchar) V(short) V(ushort) V(int) V(uint) V(long) V(ulong) "
    "V(float)\n"
    "#define CLOPT_VECTORS(V) CLOPT_EACH(V) V(char2) V(char3) V(char4) V(char8) V(char16) "
    "V(uchar2) V(uchar3) V(uchar4) V(uchar8) V(uchar16) V(short2) V(short3) V(short4) V(short8) "
    "V(short16) V(ushort2) V(ushort3) V(ushort4) V(ushort8) V(ushort16) V(int2) V(int3) V(int4) "
    "V(int8) V(int16) V(uint2) V(uint3) V(uint4) V(uint8) V(uint16) V(long2) V(long3) V(long4) "
    "V(long8) V(long16) V(ulong2) V(ulong3) V(ulong4) V(ulong8) V(ulong16) V(float2) V(float3) "
    "V(float4) V(float8) V(float16)\n"
    "#if defined(cl_intel_subgroups)\n"
    "#define CLOPT_SHUFFLE(T) T CLOPT_C intel_sub_group_shuffle(T, uint); T CLOPT_C "
    "intel_sub_group_shuffle_down(T, T, uint); T CLOPT_C intel_sub_group_shuffle_up(T, T, uint); T "
    "CLOPT_C intel_sub_group_shuffle_xor(T, uint);\n"
    "CLOPT_VECTORS(CLOPT_SHUFFLE)\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "CLOPT_SHUFFLE(half)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#ifdef cl_khr_fp64\n"
    "CLOPT_SHUFFLE(double)\n"
    "#endif\n"
    "#define CLOPT_BLOCK(S, T, N, A) T##N CLOPT_C intel_sub_group_block_read##S##N(const A T *); "
    "void CLOPT_C intel_sub_group_block_write##S##N(A T *, T##N);\n"
    "#define CLOPT_BLOCKS(S, T, A) CLOPT_BLOCK(S, T, , A) CLOPT_BLOCK(S, T, 2, A) CLOPT_BLOCK(S, "
    "T, 4, A) CLOPT_BLOCK(S, T, 8, A)\n"
    "#define CLOPT_IMAGE(S, T, N) T##N CLOPT_C intel_sub_group_block_read##S##N(read_only "
    "image2d_t, int2); void CLOPT_C intel_sub_group_block_write##S##N(write_only image2d_t, int2, "
    "T##N);\n"
    "#define CLOPT_IMAGES(S, T) CLOPT_IMAGE(S, T, ) CLOPT_IMAGE(S, T, 2) CLOPT_IMAGE(S, T, 4) "
    "CLOPT_IMAGE(S, T, 8)\n"
    "#define CLOPT_SPACE(A) CLOPT_BLOCKS(, uint, A) CLOPT_BLOCKS(_ui, uint, A) CLOPT_BLOCKS(_us, "
    "ushort, A) CLOPT_BLOCK(_us, ushort, 16, A) CLOPT_BLOCKS(_uc, uchar, A) CLOPT_BLOCK(_uc, "
    "uchar, 16, A) CLOPT_BLOCKS(_ul, ulong, A)\n"
    "CLOPT_SPACE(global)\n"
    "CLOPT_SPACE(local)\n"
    "CLOPT_IMAGES(, uint) CLOPT_IMAGES(_ui, uint) CLOPT_IMAGES(_us, ushort) CLOPT_IMAGES(_uc, "
    "uchar) CLOPT_IMAGES(_ul, ulong)\n"
    "#define CLOPT_REDUCE(T) T CLOPT_C intel_sub_group_broadcast(T, uint); T CLOPT_C "
    "intel_sub_group_reduce_add(T); T CLOPT_C intel_sub_group_reduce_min(T); T CLOPT_C "
    "intel_sub_group_reduce_max(T); T CLOPT_C intel_sub_group_scan_exclusive_add(T); T CLOPT_C "
    "intel_sub_group_scan_exclusive_min(T); T CLOPT_C intel_sub_group_scan_exclusive_max(T); T "
    "CLOPT_C intel_sub_group_scan_inclusive_add(T); T CLOPT_C "
    "intel_sub_group_scan_inclusive_min(T); T CLOPT_C intel_sub_group_scan_inclusive_max(T);\n"
    "CLOPT_REDUCE(char) CLOPT_REDUCE(uchar) CLOPT_REDUCE(short) CLOPT_REDUCE(ushort)\n"
    "#endif\n"
    "#if defined(cl_intel_subgroups) || defined(cl_khr_subgroups) || "
    "defined(__opencl_c_subgroups)\n"
    "#if !(defined(cl_khr_subgroups) || defined(__opencl_subgroup_builtins)) || "
    "(!defined(__OPENCL_CPP_VERSION__) && __OPENCL_C_VERSION__ < 200)\n"
    "uint CLOPT_F get_sub_group_size(void); uint CLOPT_F get_max_sub_group_size(void); uint "
    "CLOPT_F get_num_sub_groups(void); uint CLOPT_F get_sub_group_id(void); uint CLOPT_F "
    "get_sub_group_local_id(void); int CLOPT_C sub_group_all(int); int CLOPT_C "
    "sub_group_any(int);\n"
    "#if __OPENCL_C_VERSION__ >= 200\n"
    "uint CLOPT_F get_enqueued_num_sub_groups(void);\n"
    "#endif\n"
    "void CLOPT_C sub_group_barrier(uint);\n"
    "#define CLOPT_SUM(T) T CLOPT_C sub_group_broadcast(T, uint); T CLOPT_C "
    "sub_group_reduce_add(T); T CLOPT_C sub_group_reduce_min(T); T CLOPT_C "
    "sub_group_reduce_max(T); T CLOPT_C sub_group_scan_exclusive_add(T); T CLOPT_C "
    "sub_group_scan_exclusive_min(T); T CLOPT_C sub_group_scan_exclusive_max(T); T CLOPT_C "
    "sub_group_scan_inclusive_add(T); T CLOPT_C sub_group_scan_inclusive_min(T); T CLOPT_C "
    "sub_group_scan_inclusive_max(T);\n"
    "CLOPT_SUM(int) CLOPT_SUM(uint) CLOPT_SUM(long) CLOPT_SUM(ulong) CLOPT_SUM(float)\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "CLOPT_SUM(half)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
    "#endif\n"
    "#ifdef cl_khr_fp64\n"
    "CLOPT_SUM(double)\n"
    "#endif\n"
    "#endif\n"
    "#endif\n"
    "#ifdef cl_khr_subgroup_rotate\n"
    "#define CLOPT_ROTATE(T) T CLOPT_C sub_group_rotate(T, int); T CLOPT_C "
    "sub_group_clustered_rotate(T, int, uint);\n"
    "CLOPT_EACH(CLOPT_ROTATE)\n"
    "#endif\n";

/* Returns the device's macros, with commas; NULL: no device is known. */
static const char *device_macros(const struct clopt_build_options *options)
{
    const char *macros = NULL;
    for (size_t i = 0; i < options->count; i++) {
        const char *value = clopt_option_value(options->words[i], CLOPT_DEVICE_OPTION);
        macros = value ? value : macros;
    }
    return macros;
}

static void undefine(struct clopt_text *text, const char *const *names, size_t count,
                     const char *macros)
{
    for (size_t i = 0; i < count; i++)
        if (!clopt_text_has_word(macros, names[i]))
            clopt_text_printf(text, "#undef %s\n", names[i]);
}

/* Defines what a device has; `feature` chooses between features and extensions. */
static void define(struct clopt_text *text, const char *macros, bool feature)
{
    for (const char *at = macros; *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        bool is_feature = strncmp(at, "__", 2) == 0;
        size_t name = 0;
        while (name < length && clopt_is_name_char(at[name]))
            name++;
        if (length && name == length && is_feature == feature)
            clopt_text_printf(text, "#ifndef %.*s\n#define %.*s 1\n#endif\n", (int)length, at,
                              (int)length, at);
        at += length;
    }
}

void clopt_dialect_print(const char *program, const struct clopt_build_options *options,
                         struct clopt_text *text)
{
    const char *macros = device_macros(options);
    if (macros) {
        undefine(text, extensions, sizeof extensions / sizeof *extensions, macros);
        define(text, macros, false);
        if (strstr(macros, "__opencl_c_")) {
            clopt_text_append(text, "#if __OPENCL_C_VERSION__ >= 300\n");
            undefine(text, features, sizeof features / sizeof *features, macros);
            define(text, macros, true);
            clopt_text_append(text, "#endif\n");
        }
    } else {
        clopt_text_append(text, "#if __OPENCL_C_VERSION__ >= 300 && "
                                "!defined(__opencl_c_work_group_collective_functions)\n"
                                "#define __opencl_c_work_group_collective_functions 1\n"
                                "#endif\n");
    }
    if (strstr(program, "sub_group") || strstr(program, "include")) /* they take time */
        clopt_text_append(text, functions);
}

bool clopt_dialect_defines(const struct clopt_build_options *options, const char *macro)
{
    const char *macros = device_macros(options);
    for (size_t i = 0; !macros && i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(extensions[i], macro) == 0)
            return true;
    return macros && clopt_text_has_word(macros, macro);
}
