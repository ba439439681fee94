/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the one device that a command line means. */
#include "main/choose_device.h"

#include <string.h>

#include "text/text.h"

enum clopt_status clopt_choose_device(const struct clopt_study *study, const char *wanted,
                                      const struct clopt_device_info *devices, size_t count,
                                      size_t *index, struct clopt_error *error)
{
    struct clopt_text labels = {0};
    for (size_t i = 0; study && i < study->device_count; i++) {
        const char *label = study->devices[i].label;
        if (wanted ? strcmp(label, wanted) == 0 : study->device_count == 1) {
            clopt_text_fini(&labels);
            return clopt_study_choose_device(study, i, devices, count, index, error);
        }
        clopt_text_printf(&labels, "%s%s", labels.length ? ", " : "", label);
    }
    const struct clopt_device_pattern pattern = {.any = wanted ? wanted : ""};
    enum clopt_status status =
        study && !wanted
            ? clopt_fail(error, CLOPT_INVALID, "%s has several devices: %s; choose one with -d",
                         study->path, clopt_text_string(&labels))
            : clopt_device_choose(devices, count, &pattern, index, error);
    clopt_text_fini(&labels);
    return status;
}
