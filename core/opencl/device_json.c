/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts devices to JSON and back, by one table of the fields. */
#include "opencl/device.h"

#include "text/text.h"

enum field_kind { FIELD_TEXT, FIELD_BOOL, FIELD_UINT32, FIELD_UINT64, FIELD_SIZE, FIELD_SIZES };

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;
    size_t bytes;
};

#define FIELD(name, kind)                                                                          \
    {                                                                                              \
#name, kind, offsetof(struct clopt_device_info, name),                                     \
            sizeof(((struct clopt_device_info *)NULL)->name)                                       \
    }

static const struct field fields[] = {
    FIELD(platform, FIELD_TEXT),
    FIELD(name, FIELD_TEXT),
    FIELD(vendor, FIELD_TEXT),
    FIELD(type, FIELD_TEXT),
    FIELD(opencl_version, FIELD_TEXT),
    FIELD(driver_version, FIELD_TEXT),
    FIELD(platform_version, FIELD_TEXT),
    FIELD(extensions, FIELD_TEXT),
    FIELD(available, FIELD_BOOL),
    FIELD(compiler_available, FIELD_BOOL),
    FIELD(compute_units, FIELD_UINT32),
    FIELD(clock_mhz, FIELD_UINT32),
    FIELD(max_work_group_size, FIELD_SIZE),
    FIELD(max_work_item_sizes, FIELD_SIZES),
    FIELD(local_memory_bytes, FIELD_UINT64),
    FIELD(global_memory_bytes, FIELD_UINT64),
    FIELD(max_allocation_bytes, FIELD_UINT64),
    FIELD(max_constant_bytes, FIELD_UINT64),
    FIELD(preferred_vector_width_float, FIELD_UINT32),
    FIELD(preferred_vector_width_double, FIELD_UINT32),
    FIELD(preferred_vector_width_int, FIELD_UINT32),
    FIELD(native_vector_width_float, FIELD_UINT32),
    FIELD(native_vector_width_double, FIELD_UINT32),
    FIELD(native_vector_width_int, FIELD_UINT32),
    FIELD(base_address_alignment_bits, FIELD_UINT32),
    FIELD(timer_resolution_ns, FIELD_UINT64),
};

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

/* JSON's integers are signed: what is beyond them is "no limit" anyway. */
static json_t *number_to_json(uint64_t number)
{
    return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

static json_t *sizes_to_json(const size_t *sizes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < 3; i++)
        json_array_append_new(array, number_to_json(sizes[i]));
    return array;
}

static json_t *field_to_json(const struct field *field, const void *value)
{
    switch (field->kind) {
    case FIELD_TEXT: {
        json_t *text = json_string(value);
        return text ? text : json_string("?"); /* a driver's text need not be UTF-8 */
    }
    case FIELD_BOOL:
        return json_boolean(*(const bool *)value);
    case FIELD_UINT32:
        return number_to_json(*(const uint32_t *)value);
    case FIELD_UINT64:
        return number_to_json(*(const uint64_t *)value);
    case FIELD_SIZE:
        return number_to_json(*(const size_t *)value);
    case FIELD_SIZES:
        return sizes_to_json(value);
    }
    return NULL;
}

json_t *clopt_device_to_json(const struct clopt_device_info *device)
{
    json_t *object = json_object();
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        json_t *value = field_to_json(&fields[i], (const char *)device + fields[i].offset);
        if (json_object_set_new(object, fields[i].name, value) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static bool number_from_json(const json_t *json, uint64_t most, uint64_t *number)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0 ||
        (uint64_t)json_integer_value(json) > most)
        return false;
    *number = (uint64_t)json_integer_value(json);
    return true;
}

static bool text_from_json(const json_t *json, char *text, size_t size)
{
    if (!json_is_string(json) || json_string_length(json) >= size)
        return false;
    memcpy(text, json_string_value(json), json_string_length(json) + 1);
    return true;
}

static bool sizes_from_json(const json_t *json, size_t *sizes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!number_from_json(json_array_get(json, i), SIZE_MAX, &number))
            return false;
        sizes[i] = (size_t)number;
    }
    return json_array_size(json) == 3;
}

/* Returns whether the value has the field's type and range. */
static bool field_from_json(const struct field *field, const json_t *json, void *value)
{
    uint64_t number = 0;
    switch (field->kind) {
    case FIELD_TEXT:
        return text_from_json(json, value, field->bytes);
    case FIELD_BOOL:
        *(bool *)value = json_is_true(json);
        return json_is_boolean(json);
    case FIELD_UINT32:
        if (!number_from_json(json, UINT32_MAX, &number))
            return false;
        *(uint32_t *)value = (uint32_t)number;
        return true;
    case FIELD_UINT64:
        return number_from_json(json, UINT64_MAX, value);
    case FIELD_SIZE:
        if (!number_from_json(json, SIZE_MAX, &number))
            return false;
        *(size_t *)value = (size_t)number;
        return true;
    case FIELD_SIZES:
        return sizes_from_json(json, value);
    }
    return false;
}

enum clopt_status clopt_device_from_json(const json_t *json, struct clopt_device_info *device,
                                         struct clopt_error *error)
{
    struct clopt_device_info read = {0};
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const json_t *value = json_object_get(json, fields[i].name);
        if (!value)
            return clopt_fail(error, CLOPT_FAILED, "device: field %s is missing", fields[i].name);
        if (!field_from_json(&fields[i], value, (char *)&read + fields[i].offset))
            return clopt_fail(error, CLOPT_FAILED, "device: field %s has a wrong value",
                              fields[i].name);
    }
    *device = read;
    return CLOPT_OK;
}
