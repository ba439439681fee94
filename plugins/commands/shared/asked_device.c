/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that a command line names, for what is read before anything runs there. */
#include "commands/shared/asked_device.h"

#include "pool/query.h"

enum clopt_status clopt_choose_device(const struct clopt_study *study, const char *wanted,
                                      const struct clopt_device_info *devices, size_t count,
                                      size_t *index, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) labels = {0};
    for (size_t i = 0; study && i < study->device_count; i++) {
        const char *label = study->devices[i].label;
        if (wanted ? strcmp(label, wanted) == 0 : study->device_count == 1) {
            size_t members[CLOPT_MOST_MEMBERS], member_count;
            enum clopt_status status =
                clopt_study_choose_members(study, i, devices, count, members, &member_count, error);
            *index = status ? *index : members[0];
            return status;
        }
        clopt_text_printf(&labels, "%s%s", labels.length ? ", " : "", label);
    }
    const struct clopt_device_pattern pattern = {.any = wanted ? wanted : ""};
    return study && !wanted
               ? clopt_fail(error, CLOPT_INVALID, "%s has several devices: %s; choose one with -d",
                            study->path, clopt_text_string(&labels))
               : clopt_device_choose(devices, count, &pattern, index, error);
}

enum clopt_status clopt_ask_device(const struct clopt_global_options *global, const char *pattern,
                                   struct clopt_device_info **device, struct clopt_error *error)
{
    static const struct clopt_limits limits = {
        .setup_s = 60, .build_s = 60, .launch_s = 60, .trial_s = 60};
    const struct clopt_process_settings settings = {.plugin_path = global->plugin_path,
                                                    .kernel_path = global->kernel_path};
    CLOPT_OWNED(clopt_query) query = {0};
    size_t index = 0;
    *device = NULL;
    if (!pattern)
        return CLOPT_OK;
    CLOPT_TRY(clopt_query_open(&query, &settings, &limits, error));
    CLOPT_TRY(clopt_choose_device(NULL, pattern, query.devices, query.count, &index, error));
    *device = clopt_calloc(1, sizeof **device);
    **device = query.devices[index];
    return CLOPT_OK;
}
