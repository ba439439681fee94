/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a device is chosen by pattern or not at all, and that JSON keeps every field. */
#include "opencl/device.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "opencl/name.h"

static const struct clopt_device_info devices[] = {
    {.platform = "Portable Computing Language", .name = "pthread-AMD EPYC", .type = "cpu"},
    {.platform = "Intel(R) OpenCL", .name = "AMD EPYC", .type = "cpu"},
    {.platform = "NVIDIA CUDA", .name = "NVIDIA H100", .type = "gpu"},
};

static size_t choose(const char *platform, const char *name, const char *type)
{
    struct clopt_device_pattern pattern = {.platform = platform, .name = name, .type = type};
    struct clopt_error error = {0};
    size_t index = 99;
    enum clopt_status status = clopt_device_choose(devices, 3, &pattern, &index, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, CLOPT_OK);
    return index;
}

static void refuse(size_t count, struct clopt_device_pattern pattern, const char *message)
{
    struct clopt_error error = {0};
    size_t index = 99;
    assert_int_equal(clopt_device_choose(devices, count, &pattern, &index, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    assert_int_equal(index, 99);
}

static void chooses_by_part_of_a_name_without_regard_to_case(void **state)
{
    (void)state;
    assert_int_equal(choose("portable", NULL, NULL), 0);
    assert_int_equal(choose("intel", "", ""), 1);
    assert_int_equal(choose(NULL, "h100", NULL), 2);
    assert_int_equal(choose(NULL, NULL, "GPU"), 2);
}

static void wildcards_match_the_whole_name(void **state)
{
    (void)state;
    assert_int_equal(choose(NULL, "amd*", NULL), 1);
    assert_int_equal(choose("*", "pthread-*", "cpu"), 0);
    assert_int_equal(choose("nvidia [a-c]uda", NULL, NULL), 2);
}

static void no_match_lists_what_there_is(void **state)
{
    (void)state;
    refuse(3, (struct clopt_device_pattern){.platform = "amd", .type = "gpu"},
           "device platform = amd, type = gpu: no device matches; there is:\n"
           "  platform = Portable Computing Language, name = pthread-AMD EPYC, type = cpu\n"
           "  platform = Intel(R) OpenCL, name = AMD EPYC, type = cpu\n"
           "  platform = NVIDIA CUDA, name = NVIDIA H100, type = gpu");
    refuse(0, (struct clopt_device_pattern){.name = "x"},
           "device name = x: no device matches; there is: none");
}

static void ambiguity_lists_the_candidates(void **state)
{
    (void)state;
    refuse(3, (struct clopt_device_pattern){.name = "epyc"},
           "device name = epyc: 2 devices match; say more of platform, name or type:\n"
           "  platform = Portable Computing Language, name = pthread-AMD EPYC, type = cpu\n"
           "  platform = Intel(R) OpenCL, name = AMD EPYC, type = cpu");
    refuse(2, (struct clopt_device_pattern){0},
           "device any: 2 devices match; say more of platform, name or type:\n"
           "  platform = Portable Computing Language, name = pthread-AMD EPYC, type = cpu\n"
           "  platform = Intel(R) OpenCL, name = AMD EPYC, type = cpu");
}

/* One word that names both a platform and another platform's processor means neither. */
static void a_word_that_is_ambiguous_is_answered_with_words_that_are_not(void **state)
{
    (void)state;
    refuse(3, (struct clopt_device_pattern){.any = "amd"},
           "device amd: 2 devices match; choose one with -d:\n"
           "  -d \"Portable Computing Language\" (pthread-AMD EPYC)\n"
           "  -d \"Intel(R) OpenCL\" (AMD EPYC)");
    refuse(2, (struct clopt_device_pattern){.any = "nvidia"},
           "device nvidia: no device matches; there is:\n"
           "  -d \"Portable Computing Language\" (pthread-AMD EPYC)\n"
           "  -d \"Intel(R) OpenCL\" (AMD EPYC)");
    static const struct clopt_device_info duplicates[] = {
        {.platform = "NVIDIA CUDA", .name = "NVIDIA H100", .type = "gpu"},
        {.platform = "NVIDIA CUDA", .name = "NVIDIA T4", .type = "gpu"},
        {.platform = "NVIDIA CUDA", .name = "NVIDIA T4", .type = "gpu"},
    };
    struct clopt_device_pattern pattern = {.any = ""};
    struct clopt_error error = {0};
    size_t index;
    assert_int_equal(clopt_device_choose(duplicates, 3, &pattern, &index, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "device any: 3 devices match; choose one with -d:\n"
                                       "  -d \"NVIDIA H100\" (NVIDIA CUDA)\n"
                                       "  platform = NVIDIA CUDA, name = NVIDIA T4, type = gpu\n"
                                       "  platform = NVIDIA CUDA, name = NVIDIA T4, type = gpu");
}

static const struct clopt_device_info full = {
    .platform = "platform",
    .name = "name",
    .vendor = "vendor",
    .type = "custom",
    .opencl_version = "1.2 something",
    .driver_version = "3.1",
    .platform_version = "OpenCL 3.0",
    .extensions = "cl_khr_fp64",
    .available = true,
    .compiler_available = true,
    .compute_units = 1,
    .clock_mhz = 2,
    .max_work_group_size = 3,
    .max_work_item_sizes = {4, 5, 6},
    .local_memory_bytes = 7,
    .global_memory_bytes = UINT64_C(1) << 40,
    .max_allocation_bytes = 8,
    .max_constant_bytes = 9,
    .preferred_vector_width_float = 10,
    .preferred_vector_width_double = 11,
    .preferred_vector_width_int = 12,
    .native_vector_width_float = 13,
    .native_vector_width_double = 14,
    .native_vector_width_int = 15,
    .base_address_alignment_bits = UINT32_MAX,
    .timer_resolution_ns = 16,
    .opencl_c_features = "__opencl_c_images __opencl_c_fp64",
};

static void json_keeps_every_field(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_device_info back;
    memset(&back, 0xff, sizeof back);
    json_t *json = clopt_device_to_json(&full);
    assert_int_equal(clopt_device_from_json(json, &back, &error), CLOPT_OK);
    json_t *again = clopt_device_to_json(&back);
    assert_true(json_equal(json, again));
    assert_int_equal(json_object_size(json), 27);
    assert_int_equal(back.max_work_item_sizes[2], 6);
    assert_int_equal(back.base_address_alignment_bits, UINT32_MAX);
    assert_string_equal(back.extensions, "cl_khr_fp64");
    assert_string_equal(back.opencl_c_features, "__opencl_c_images __opencl_c_fp64");
    json_decref(json);
    json_decref(again);
}

static void json_is_not_trusted(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    struct clopt_device_info back = {0};
    json_t *json = clopt_device_to_json(&full);
    json_object_set_new(json, "compute_units", json_integer(-1));
    assert_int_equal(clopt_device_from_json(json, &back, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "device: field compute_units has a wrong value");
    json_object_set_new(json, "compute_units", json_integer(1));
    json_object_set_new(json, "type", json_string("a type that is too long"));
    assert_int_equal(clopt_device_from_json(json, &back, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "device: field type has a wrong value");
    json_object_del(json, "platform");
    assert_int_equal(clopt_device_from_json(json, &back, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "device: field platform is missing");
    assert_string_equal(back.name, "");
    json_decref(json);
}

static void codes_have_names(void **state)
{
    (void)state;
    struct clopt_error error = {0};
    assert_string_equal(clopt_cl_error_name(-72), "CL_MAX_SIZE_RESTRICTION_EXCEEDED");
    assert_string_equal(clopt_cl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(clopt_cl_error_name(-20), "unknown OpenCL error");
    assert_int_equal(clopt_fail_cl(&error, "clBuildProgram", -11), CLOPT_FAILED);
    assert_string_equal(error.message, "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)");
    assert_int_equal(clopt_fail_cl(&error, "clFinish", -5), CLOPT_OUT_OF_RESOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_by_part_of_a_name_without_regard_to_case),
        cmocka_unit_test(wildcards_match_the_whole_name),
        cmocka_unit_test(no_match_lists_what_there_is),
        cmocka_unit_test(ambiguity_lists_the_candidates),
        cmocka_unit_test(a_word_that_is_ambiguous_is_answered_with_words_that_are_not),
        cmocka_unit_test(json_keeps_every_field),
        cmocka_unit_test(json_is_not_trusted),
        cmocka_unit_test(codes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
