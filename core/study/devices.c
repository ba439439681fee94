/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [device LABEL]. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strcasestr() */
#endif
#include "study/schema.h"

#define AT(member) offsetof(struct clopt_study_device, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("platform", VALUE, TEXT, NULL, NULL, AT(platform),
              "the platform's name, a part or a pattern of it"),
    CLOPT_KEY("name", VALUE, TEXT, NULL, NULL, AT(name),
              "the device's name, a part or a pattern of it"),
    CLOPT_KEY("type", VALUE, TEXT, "cpu, gpu, accelerator, custom", NULL, AT(type), "what it is"),
    CLOPT_KEY("number", VALUE, INTEGER, "0..32", NULL, AT(number),
              "which one of equal devices, from 0"),
    CLOPT_KEY("count", ALL, INTEGER, "1..32", NULL, AT(count),
              "how many equal devices measure as one, or all"),
    {0},
};

/* Adds a device of which only the label is known. */
static struct clopt_study_device *add_device(struct clopt_study *study, const char *label)
{
    struct clopt_study_device *device =
        clopt_array_add(&study->devices, &study->device_count, sizeof *device);
    device->label = clopt_strdup(label);
    device->number = device->count = CLOPT_NO_NUMBER;
    return device;
}

static enum clopt_status read_device(const struct clopt_study_reading *reading,
                                     const struct clopt_ini_section *section, const char *label)
{
    return clopt_keys_read(keys, section, NULL, add_device(reading->study, label), reading->error);
}

/* Says which devices there are, beside one that there is not. */
static enum clopt_status fail_device(const struct clopt_study_reading *reading, const char *label)
{
    const struct clopt_study *study = reading->study;
    const struct clopt_ini_setting *setting =
        clopt_ini_setting(clopt_ini_section(reading->ini, "study"), "devices");
    CLOPT_OWNED(clopt_text) known = {0};
    for (size_t i = 0; i < study->device_count; i++)
        clopt_text_printf(&known, "%s%s", i ? ", " : "", study->devices[i].label);
    return clopt_fail(reading->error, CLOPT_INVALID,
                      "%s: [study] devices = %s: the study has no [device %s]; it has %s",
                      setting->origin, setting->value, label, clopt_text_string(&known));
}

bool clopt_study_has_device(const struct clopt_study *study, const char *label)
{
    for (size_t i = 0; i < study->device_count; i++)
        if (strcmp(study->devices[i].label, label) == 0)
            return true;
    return false;
}

/* Without sections, the names that the study chooses are parts of those of devices, or of their
 * platforms'; without any, there is one device, which matches all. */
static void add_named(struct clopt_study *study)
{
    const struct clopt_list *names = &study->chosen_devices;
    for (size_t i = 0; i < names->count; i++)
        add_device(study, names->items[i])->named = true;
    if (!study->device_count)
        add_device(study, "default");
}

/* Whether a word means a device: its label or, where that is no device's, a part of its section. */
static bool means(const struct clopt_study *study, const char *word,
                  const struct clopt_study_device *device)
{
    return clopt_study_has_device(study, word)
               ? strcmp(device->label, word) == 0
               : (device->platform && strcasestr(device->platform, word)) ||
                     (device->name && strcasestr(device->name, word));
}

/* Finds the devices that [study] names. */
static enum clopt_status find_chosen(const struct clopt_study_reading *reading, bool *is_chosen)
{
    const struct clopt_study *study = reading->study;
    const struct clopt_list *words = &study->chosen_devices;
    for (size_t w = 0; w < words->count; w++) {
        bool found = false;
        for (size_t i = 0; i < study->device_count; i++) {
            bool meant = means(study, words->items[w], &study->devices[i]);
            is_chosen[i] |= meant;
            found |= meant;
        }
        if (!found)
            return fail_device(reading, words->items[w]);
    }
    return CLOPT_OK;
}

/* Keeps the devices that [study] names, where it names any. */
static enum clopt_status choose_devices(const struct clopt_study_reading *reading)
{
    struct clopt_study *study = reading->study;
    size_t kept = 0;
    if (!study->device_count || !study->chosen_devices.count) {
        add_named(study);
        return CLOPT_OK;
    }
    CLOPT_FREED bool *is_chosen = clopt_calloc(study->device_count, sizeof *is_chosen);
    CLOPT_TRY(find_chosen(reading, is_chosen));
    for (size_t i = 0; i < study->device_count; i++)
        if (is_chosen[i])
            study->devices[kept++] = study->devices[i];
        else
            clopt_study_device_fini(&study->devices[i]);
    study->device_count = kept;
    return CLOPT_OK;
}

const struct clopt_study_section clopt_section_device = {.kind = "device",
                                                         .label = "LABEL",
                                                         .keys = keys,
                                                         .read = read_device,
                                                         .finish = choose_devices};
