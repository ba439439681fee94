/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of what is known of a device: how OpenCL is asked, and JSON made of it and read. */
#include "opencl/device.h"

#include "opencl/device_field.h"

#define FIELD(NAME, KIND, QUERY)                                                                   \
    {                                                                                              \
#NAME, CLOPT_DEVICE_##KIND, QUERY, offsetof(struct clopt_device_info, NAME),               \
            sizeof(((struct clopt_device_info *)NULL)->NAME)                                       \
    }

const struct clopt_device_field clopt_device_fields[] = {
    FIELD(platform, TEXT, 0),
    FIELD(name, TEXT, CL_DEVICE_NAME),
    FIELD(vendor, TEXT, CL_DEVICE_VENDOR),
    FIELD(type, TEXT, 0),
    FIELD(opencl_version, TEXT, 0),
    FIELD(driver_version, TEXT, CL_DRIVER_VERSION),
    FIELD(platform_version, TEXT, 0),
    FIELD(extensions, TEXT, CL_DEVICE_EXTENSIONS),
    FIELD(available, TRUTH, CL_DEVICE_AVAILABLE),
    FIELD(compiler_available, TRUTH, CL_DEVICE_COMPILER_AVAILABLE),
    FIELD(compute_units, NUMBER, CL_DEVICE_MAX_COMPUTE_UNITS),
    FIELD(clock_mhz, NUMBER, CL_DEVICE_MAX_CLOCK_FREQUENCY),
    FIELD(max_work_group_size, NUMBER, CL_DEVICE_MAX_WORK_GROUP_SIZE),
    FIELD(max_work_item_sizes, SIZES, 0),
    FIELD(local_memory_bytes, NUMBER, CL_DEVICE_LOCAL_MEM_SIZE),
    FIELD(global_memory_bytes, NUMBER, CL_DEVICE_GLOBAL_MEM_SIZE),
    FIELD(max_allocation_bytes, NUMBER, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    FIELD(max_constant_bytes, NUMBER, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    FIELD(preferred_vector_width_float, NUMBER, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
    FIELD(preferred_vector_width_double, NUMBER, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
    FIELD(preferred_vector_width_int, NUMBER, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT),
    FIELD(native_vector_width_float, NUMBER, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
    FIELD(native_vector_width_double, NUMBER, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE),
    FIELD(native_vector_width_int, NUMBER, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT),
    FIELD(base_address_alignment_bits, NUMBER, CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    FIELD(timer_resolution_ns, NUMBER, CL_DEVICE_PROFILING_TIMER_RESOLUTION),
    FIELD(opencl_c_features, TEXT, 0),
    {0},
};

/* A number of 4 or 8 bytes. JSON's integers are signed: what is beyond them is "no limit". */
static json_t *number_to_json(const char *value, size_t bytes)
{
    uint32_t small = 0;
    uint64_t number = 0;
    memcpy(bytes == sizeof small ? (void *)&small : &number, value, bytes);
    number |= small;
    return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

static json_t *field_to_json(const struct clopt_device_field *field, const char *value)
{
    json_t *text = NULL;
    switch (field->kind) {
    case CLOPT_DEVICE_TEXT:
        text = json_string(value);
        return text ? text : json_string("?"); /* a driver's text need not be UTF-8 */
    case CLOPT_DEVICE_TRUTH:
        return json_boolean(*(const bool *)value);
    case CLOPT_DEVICE_NUMBER:
        return number_to_json(value, field->bytes);
    case CLOPT_DEVICE_SIZES:
        break;
    }
    json_t *array = json_array();
    for (size_t i = 0; i < field->bytes; i += sizeof(size_t))
        json_array_append_new(array, number_to_json(value + i, sizeof(size_t)));
    return array;
}

json_t *clopt_device_to_json(const struct clopt_device_info *device)
{
    json_t *object = json_object();
    for (const struct clopt_device_field *field = clopt_device_fields; field->name; field++)
        json_object_set_new(object, field->name,
                            field_to_json(field, (const char *)device + field->at));
    return object;
}

static bool number_from_json(const json_t *json, char *value, size_t bytes)
{
    uint64_t number = (uint64_t)json_integer_value(json);
    uint32_t small = (uint32_t)number;
    memcpy(value, bytes == sizeof small ? (void *)&small : &number, bytes);
    return json_is_integer(json) && json_integer_value(json) >= 0 &&
           (bytes > sizeof small || number == small);
}

/* Returns whether the value has the field's type and range. */
static bool field_from_json(const struct clopt_device_field *field, const json_t *json, char *value)
{
    bool right = json_array_size(json) * sizeof(size_t) == field->bytes;
    switch (field->kind) {
    case CLOPT_DEVICE_TEXT:
        right = json_is_string(json) && json_string_length(json) < field->bytes;
        if (right)
            memcpy(value, json_string_value(json), json_string_length(json) + 1);
        return right;
    case CLOPT_DEVICE_TRUTH:
        *(bool *)value = json_is_true(json);
        return json_is_boolean(json);
    case CLOPT_DEVICE_NUMBER:
        return number_from_json(json, value, field->bytes);
    case CLOPT_DEVICE_SIZES:
        break;
    }
    for (size_t i = 0; i < json_array_size(json) && right; i++)
        right =
            number_from_json(json_array_get(json, i), value + i * sizeof(size_t), sizeof(size_t));
    return right;
}

enum clopt_status clopt_device_from_json(const json_t *json, struct clopt_device_info *device,
                                         struct clopt_error *error)
{
    struct clopt_device_info read = {0};
    for (const struct clopt_device_field *field = clopt_device_fields; field->name; field++) {
        const json_t *value = json_object_get(json, field->name);
        if (!value)
            return clopt_fail(error, CLOPT_FAILED, "device: field %s is missing", field->name);
        if (!field_from_json(field, value, (char *)&read + field->at))
            return clopt_fail(error, CLOPT_FAILED, "device: field %s has a wrong value",
                              field->name);
    }
    *device = read;
    return CLOPT_OK;
}
