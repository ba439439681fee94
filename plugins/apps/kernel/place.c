/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a study something is, for messages. */
#include "place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct kernel_place kernel_place_of(const struct clopt_section *section,
                                    const struct clopt_setting *setting)
{
    return (struct kernel_place){.origin = setting ? setting->origin : section->origin,
                                 .section = section->title,
                                 .key = setting ? setting->key : NULL,
                                 .value = setting ? setting->value : ""};
}

enum clopt_status kernel_fail_within(const struct kernel_place *place, struct clopt_error *error)
{
    if (!place->key)
        return clopt_fail_within(error, "%s: [%s]", place->origin, place->section);
    return clopt_fail_within(error, "%s: [%s] %s", place->origin, place->section, place->key);
}

enum clopt_status kernel_fail(const struct kernel_place *place, struct clopt_error *error,
                              const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    clopt_fail(error, CLOPT_INVALID, "%s", message);
    kernel_fail_within(place, error);
    return CLOPT_INVALID;
}

const struct clopt_section *kernel_section(const struct clopt_description *description,
                                           const char *name)
{
    for (size_t i = 0; i < description->count; i++)
        if (strcmp(description->sections[i].name, name) == 0)
            return &description->sections[i];
    return NULL;
}

const struct clopt_setting *kernel_setting(const struct clopt_section *section, const char *key)
{
    for (size_t i = 0; section && i < section->count; i++)
        if (strcmp(section->settings[i].key, key) == 0)
            return &section->settings[i];
    return NULL;
}

enum clopt_status kernel_check_keys(const struct clopt_section *section, const char *const *keys,
                                    struct clopt_error *error)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_setting *setting = &section->settings[i];
        struct kernel_place place = kernel_place_of(section, setting);
        char known[512] = "";
        size_t length = 0;
        bool found = false;
        for (size_t k = 0; keys[k]; k++) {
            found |= strcmp(keys[k], setting->key) == 0;
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", k ? ", " : "",
                                       keys[k]);
        }
        if (!found)
            return kernel_fail(&place, error, "unknown key; there are %s", known);
    }
    return CLOPT_OK;
}

bool kernel_is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}
