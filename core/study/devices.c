/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [device LABEL]. */
#include "study/sections.h"

#include <stdlib.h>
#include <string.h>

#include "number/number.h"
#include "study/keys.h"
#include "text/array.h"
#include "text/text.h"

#define MOST_DEVICES 256

/* Copies a device's setting, if there is one. */
static enum clopt_status copy_setting(const struct clopt_ini_section *section, const char *key,
                                      char **copy, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    if (!setting)
        return CLOPT_OK;
    *copy = strdup(setting->value);
    return *copy ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status check_device_keys(const struct clopt_ini_section *section,
                                           struct clopt_error *error)
{
    static const char *const names[] = {"platform", "name", "type", "number", "count"};
    const size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        size_t key = 0;
        while (key < count && strcmp(setting->key, names[key]) != 0)
            key++;
        if (key == count)
            return clopt_study_unknown_key(section, setting, names, count, error);
    }
    const struct clopt_ini_setting *type = clopt_ini_setting(section, "type");
    if (type && strcmp(type->value, "cpu") != 0 && strcmp(type->value, "gpu") != 0 &&
        strcmp(type->value, "accelerator") != 0 && strcmp(type->value, "custom") != 0)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s] type = %s: not one of cpu, gpu, accelerator, custom",
                          type->origin, section->name, type->value);
    return CLOPT_OK;
}

/* Reads which one of several equal devices is meant, or how many. */
static enum clopt_status read_number(const struct clopt_ini_section *section, const char *key,
                                     int64_t least, size_t *number, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    bool all = setting && least > 0 && strcmp(setting->value, "all") == 0;
    if (!setting)
        return CLOPT_OK;
    int64_t read = all ? 0 : clopt_number_read(setting->value, least, CLOPT_MOST_MEMBERS);
    if (read < 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s = %s: not a number from %lld to %d%s",
                          setting->origin, section->name, key, setting->value, (long long)least,
                          CLOPT_MOST_MEMBERS, least > 0 ? ", or all" : "");
    *number = (size_t)read;
    return CLOPT_OK;
}

/* Adds a device of which only the label is known. */
static struct clopt_study_device *add_device(struct clopt_study *study, const char *label)
{
    if (!clopt_array_grow(&study->devices, study->device_count, sizeof *study->devices))
        return NULL;
    struct clopt_study_device *device = &study->devices[study->device_count];
    *device = (struct clopt_study_device){
        .label = strdup(label), .number = CLOPT_NO_NUMBER, .count = CLOPT_NO_NUMBER};
    if (!device->label)
        return NULL;
    study->device_count++;
    return device;
}

enum clopt_status clopt_study_read_device(struct clopt_study *study,
                                          const struct clopt_ini_section *section,
                                          const char *label, const struct clopt_registry *registry,
                                          struct clopt_error *error)
{
    (void)registry;
    enum clopt_status status = check_device_keys(section, error);
    if (status)
        return status;
    struct clopt_study_device *device = add_device(study, label);
    if (!device)
        return clopt_fail_memory(error);
    status = copy_setting(section, "platform", &device->platform, error);
    if (status == CLOPT_OK)
        status = copy_setting(section, "name", &device->name, error);
    if (status == CLOPT_OK)
        status = copy_setting(section, "type", &device->type, error);
    if (status == CLOPT_OK)
        status = read_number(section, "number", 0, &device->number, error);
    if (status == CLOPT_OK)
        status = read_number(section, "count", 1, &device->count, error);
    return status;
}

static void fini_device(struct clopt_study_device *device)
{
    free(device->label);
    free(device->platform);
    free(device->name);
    free(device->type);
}

/* Says which devices there are, beside one that there is not. */
static enum clopt_status fail_device(const struct clopt_study *study, const char *origin,
                                     const char *label, struct clopt_error *error)
{
    struct clopt_text known = {0};
    for (size_t i = 0; i < study->device_count; i++)
        clopt_text_printf(&known, "%s%s", i ? ", " : "", study->devices[i].label);
    clopt_fail(error, CLOPT_INVALID,
               "%s: [study] devices = %s: the study has no [device %s]; it has "
               "%s",
               origin, study->chosen_devices, label, clopt_text_string(&known));
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

/* Takes the names for those of devices, since the study has no section for any. */
static enum clopt_status name_devices(struct clopt_study *study, const struct clopt_list *names,
                                      struct clopt_error *error)
{
    fini_device(&study->devices[--study->device_count]);
    for (size_t i = 0; i < names->count; i++) {
        struct clopt_study_device *device = add_device(study, names->items[i]);
        if (!device)
            return clopt_fail_memory(error);
        device->named = true;
    }
    return CLOPT_OK;
}

static bool has_section(const struct clopt_ini *ini)
{
    for (size_t i = 0; i < ini->count; i++)
        if (strncmp(ini->sections[i].name, "device ", strlen("device ")) == 0)
            return true;
    return false;
}

static bool is_device(const struct clopt_study *study, const char *label)
{
    for (size_t i = 0; i < study->device_count; i++)
        if (strcmp(study->devices[i].label, label) == 0)
            return true;
    return false;
}

enum clopt_status clopt_study_choose_devices(struct clopt_study *study, const struct clopt_ini *ini,
                                             struct clopt_error *error)
{
    struct clopt_list chosen = {0};
    size_t kept = 0;
    if (!study->chosen_devices)
        return CLOPT_OK;
    const char *origin = clopt_ini_setting(clopt_ini_section(ini, "study"), "devices")->origin;
    enum clopt_status status =
        clopt_list_parse(study->chosen_devices, CLOPT_TEXT, MOST_DEVICES, &chosen, error);
    if (status)
        clopt_fail_within(error, "%s: [study] devices", origin);
    if (!status && !has_section(ini))
        status = name_devices(study, &chosen, error);
    for (size_t i = 0; i < chosen.count && !status; i++)
        if (!is_device(study, chosen.items[i]))
            status = fail_device(study, origin, chosen.items[i], error);
    for (size_t i = 0; i < study->device_count && !status; i++)
        if (clopt_study_names(&chosen, study->devices[i].label))
            study->devices[kept++] = study->devices[i];
        else
            fini_device(&study->devices[i]);
    if (!status)
        study->device_count = kept;
    clopt_list_fini(&chosen);
    return status;
}

enum clopt_status clopt_study_default_device(struct clopt_study *study, struct clopt_error *error)
{
    if (study->device_count || add_device(study, "default"))
        return CLOPT_OK;
    return clopt_fail_memory(error);
}
