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

/* functions.cl as a string: functions that clang does not declare. They take time. */
static const char functions[] =
#include "engine/frontend/functions_text.h"
    ;

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
    if (strstr(program, "sub_group") || strstr(program, "half") || strstr(program, "include"))
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
