/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recorded spaces to learn from. */
#include "advice/lesson.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Writes the name of a variant from the numbers of its steps; NULL where they are none. */
static char *write_name(const json_t *document, const json_t *numbers)
{
    const json_t *steps = json_object_get(document, "steps");
    struct clopt_text name = {0};
    size_t index;
    const json_t *number;
    bool good = json_is_array(numbers), macro = false;
    json_array_foreach(numbers, index, number)
    {
        json_int_t wanted = json_is_integer(number) ? json_integer_value(number) : -1;
        const char *step =
            wanted < 0 ? NULL : json_string_value(json_array_get(steps, (size_t)wanted));
        bool next = step && !strchr(step, '(');
        clopt_text_append(&name, index ? (macro && next ? "," : "+") : "");
        clopt_text_append_printable(&name, step ? step : "");
        good = good && step;
        macro = next;
    }
    if (!name.length)
        clopt_text_append(&name, "initial code");
    char *taken = clopt_text_take(&name);
    if (good)
        return taken;
    free(taken);
    return NULL;
}

static double read_ms(const json_t *variant)
{
    const json_t *time = json_array_get(variant, 1);
    return json_is_number(time) && json_number_value(time) > 0 ? json_number_value(time) : NAN;
}

static double find_initial_ms(const json_t *variants)
{
    size_t index;
    const json_t *variant;
    json_array_foreach(variants, index, variant) if (json_array_size(json_array_get(variant, 0)) ==
                                                     0) return read_ms(variant);
    return NAN;
}

static enum clopt_status read_variants(struct clopt_lesson *lesson, const json_t *document,
                                       struct clopt_error *error)
{
    const json_t *variants = json_object_get(document, "variants"), *variant;
    double initial_ms = find_initial_ms(variants);
    size_t index;
    if (isnan(initial_ms))
        return clopt_fail(error, CLOPT_INVALID, "its initial code has no time");
    lesson->variants = calloc(json_array_size(variants), sizeof *lesson->variants);
    if (!lesson->variants)
        return clopt_fail_memory(error);
    json_array_foreach(variants, index, variant)
    {
        double ms = read_ms(variant);
        char *name = write_name(document, json_array_get(variant, 0));
        if (!name)
            return clopt_fail(error, CLOPT_INVALID,
                              "its variant number %zu is not [[number of a step, ...], ms, s]",
                              index + 1);
        struct clopt_lesson_variant *next = &lesson->variants[lesson->count];
        *next = (struct clopt_lesson_variant){name, log2(initial_ms / ms)};
        if (isnan(ms)) {
            free(name);
            continue;
        }
        if (next->gain > lesson->variants[lesson->best].gain)
            lesson->best = lesson->count;
        lesson->count++;
    }
    return CLOPT_OK;
}

static char *read_text(const json_t *object, const char *key)
{
    struct clopt_text text = {0};
    const char *value = json_string_value(json_object_get(object, key));
    clopt_text_append_printable(&text, value ? value : "");
    return clopt_text_take(&text);
}

static void read_device(struct clopt_lesson_device *device, const json_t *json)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    snprintf(device->type, sizeof device->type, "%s", type ? type : "");
    device->compute_units = fmax(json_number_value(json_object_get(json, "compute_units")), 1);
    device->peaks = clopt_peaks_from_json(json_object_get(json, "peaks"));
}

enum clopt_status clopt_lesson_init(struct clopt_lesson *lesson, const json_t *document,
                                    struct clopt_error *error)
{
    const json_t *version = json_object_get(document, "version");
    *lesson = (struct clopt_lesson){0};
    if (!json_is_array(json_object_get(document, "variants")))
        return clopt_fail(error, CLOPT_INVALID,
                          "it is no recorded space of clopt (which has an array \"variants\")");
    if (json_integer_value(version) != 1)
        return clopt_fail(error, CLOPT_INVALID, "it is a recorded space of another version than 1");
    if (!clopt_profile_from_json(json_object_get(document, "profile"), &lesson->profile))
        return clopt_fail(error, CLOPT_INVALID,
                          "it has no profile of its kernel: run its study again");
    lesson->kernel = read_text(document, "kernel_name");
    lesson->app = read_text(document, "app");
    lesson->problem = read_text(document, "problem");
    lesson->device_name = read_text(document, "device_name");
    read_device(&lesson->device, json_object_get(document, "device"));
    enum clopt_status status =
        lesson->kernel && lesson->app && lesson->problem && lesson->device_name
            ? read_variants(lesson, document, error)
            : clopt_fail_memory(error);
    if (status)
        clopt_lesson_fini(lesson);
    return status;
}

void clopt_lesson_fini(struct clopt_lesson *lesson)
{
    for (size_t i = 0; i < lesson->count; i++)
        free(lesson->variants[i].name);
    free(lesson->variants);
    free(lesson->kernel);
    free(lesson->app);
    free(lesson->problem);
    free(lesson->device_name);
    *lesson = (struct clopt_lesson){0};
}
