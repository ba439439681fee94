/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the device that a pattern means, never another one instead; counts devices. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* FNM_CASEFOLD, strcasestr() */
#endif
#include "opencl/device.h"

#include <fnmatch.h>
#include <strings.h>

#include "text/text.h"

static bool matches(const char *pattern, const char *name)
{
    if (!pattern || !*pattern)
        return true;
    if (!strpbrk(pattern, "*?["))
        return strcasestr(name, pattern) != NULL;
    return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
}

static bool device_matches(const struct clopt_device_info *device,
                           const struct clopt_device_pattern *pattern)
{
    bool right_type =
        !pattern->type || !*pattern->type || strcasecmp(pattern->type, device->type) == 0;
    bool right_word = matches(pattern->any, device->platform) ||
                      matches(pattern->any, device->name) ||
                      strcasecmp(pattern->any, device->type) == 0;
    return right_type && right_word && matches(pattern->platform, device->platform) &&
           matches(pattern->name, device->name);
}

static void append_field(struct clopt_text *text, const char *field, const char *value)
{
    if (value && *value)
        clopt_text_printf(text, "%s%s = %s", text->length ? ", " : "", field, value);
}

/* Writes a pattern as a study has it. */
static void append_pattern(struct clopt_text *text, const struct clopt_device_pattern *pattern)
{
    append_field(text, "platform", pattern->platform);
    append_field(text, "name", pattern->name);
    append_field(text, "type", pattern->type);
    if (pattern->any && *pattern->any)
        clopt_text_printf(text, "%s%s", text->length ? ", " : "", pattern->any);
    if (text->length == 0)
        clopt_text_append(text, "any");
}

/* Tells whether one pattern for everything means this device alone. */
static bool singles_out(const struct clopt_device_info *devices, size_t count, const char *any,
                        size_t index)
{
    struct clopt_device_pattern pattern = {.any = any};
    for (size_t i = 0; i < count; i++)
        if (device_matches(&devices[i], &pattern) != (i == index))
            return false;
    return true;
}

/* Writes how one gets a device: by one word, or by the keys of a study. */
static void append_choice(struct clopt_text *text, const struct clopt_device_info *devices,
                          size_t count, size_t index, bool by_word)
{
    const struct clopt_device_info *device = &devices[index];
    if (by_word && singles_out(devices, count, device->platform, index))
        clopt_text_printf(text, "\n  -d \"%s\" (%s)", device->platform, device->name);
    else if (by_word && singles_out(devices, count, device->name, index))
        clopt_text_printf(text, "\n  -d \"%s\" (%s)", device->name, device->platform);
    else
        clopt_text_printf(text, "\n  platform = %s, name = %s, type = %s", device->platform,
                          device->name, device->type);
    size_t number = 0, equal = 0; /* the number of a device among those that are equal */
    for (size_t i = 0; i < count; i++) {
        number += i < index && clopt_device_are_equal(&devices[i], device);
        equal += clopt_device_are_equal(&devices[i], device);
    }
    if (equal > 1 && !by_word)
        clopt_text_printf(text, ", number = %zu", number);
}

/* Says what there is; `advice` is on how to choose one of those that match, NULL: none does. */
static enum clopt_status report(const struct clopt_device_info *devices, size_t count,
                                const struct clopt_device_pattern *pattern, const char *advice,
                                struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) text = {0};
    bool by_word = pattern->any != NULL;
    append_pattern(&text, pattern);
    size_t matching = 0;
    for (size_t i = 0; i < count; i++)
        matching += device_matches(&devices[i], pattern);
    if (advice)
        clopt_text_printf(&text, ": %zu devices match; %s:", matching,
                          by_word ? "choose one with -d" : advice);
    else
        clopt_text_printf(&text, ": no device matches; there is:%s", count ? "" : " none");
    for (size_t i = 0; i < count; i++)
        if (!advice || device_matches(&devices[i], pattern))
            append_choice(&text, devices, count, i, by_word);
    return clopt_fail(error, CLOPT_INVALID, "device %s", text.data);
}

enum clopt_status clopt_device_choose(const struct clopt_device_info *devices, size_t count,
                                      const struct clopt_device_pattern *pattern, size_t *index,
                                      struct clopt_error *error)
{
    size_t matching = 0, chosen = 0, first = 0;
    bool equal = true;
    for (size_t i = 0; i < count; i++) {
        if (!device_matches(&devices[i], pattern))
            continue;
        first = matching ? first : i;
        equal = equal && clopt_device_are_equal(&devices[first], &devices[i]);
        if (!pattern->numbered || matching == pattern->number)
            chosen = i;
        matching++;
    }
    if (!matching || !equal || (!pattern->numbered && matching > 1))
        return report(devices, count, pattern,
                      !matching ? NULL
                      : equal   ? "say which by its number, or count = all"
                                : "say more of platform, name or type",
                      error);
    if (pattern->numbered && pattern->number >= matching)
        return clopt_fail(error, CLOPT_INVALID,
                          "number = %zu: there are %zu such devices, numbered from 0",
                          pattern->number, matching);
    *index = chosen;
    return CLOPT_OK;
}

bool clopt_device_are_equal(const struct clopt_device_info *one,
                            const struct clopt_device_info *other)
{
    return strcmp(one->platform, other->platform) == 0 && strcmp(one->name, other->name) == 0 &&
           strcmp(one->type, other->type) == 0;
}

size_t clopt_device_ordinal(const struct clopt_device_info *devices, size_t index)
{
    size_t ordinal = 0;
    for (size_t i = 0; i < index; i++)
        ordinal += strcmp(devices[i].platform, devices[index].platform) == 0;
    return ordinal;
}
