/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices of a study, in a worker: the supervisor itself never opens OpenCL. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "supervisor/loop.h"
#include "supervisor/supervisor.h"

#define ATTEMPTS 3

static enum clopt_status choose_devices(const struct clopt_study *study,
                                        const struct clopt_device_info *all, size_t count,
                                        struct clopt_device_info *devices, size_t *ordinals,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < study->device_count; i++) {
        const struct clopt_study_device *wanted = &study->devices[i];
        struct clopt_device_pattern pattern = {
            .platform = wanted->platform, .name = wanted->name, .type = wanted->type};
        size_t index;
        if (clopt_device_choose(all, count, &pattern, &index, error))
            return clopt_fail_within(error, "%s: [device %s]", study->path, wanted->label);
        devices[i] = all[index];
        ordinals[i] = clopt_device_ordinal(all, index);
    }
    return CLOPT_OK;
}

/* Makes a folder for what the worker prints. */
static enum clopt_status make_scratch(char **scratch, struct clopt_error *error)
{
    const char *folder = getenv("TMPDIR");
    *scratch = clopt_path_join(folder && *folder ? folder : "/tmp", "clopt-XXXXXX");
    if (!*scratch)
        return clopt_fail_memory(error);
    if (mkdtemp(*scratch))
        return CLOPT_OK;
    clopt_fail(error, CLOPT_FAILED, "%s: %s", *scratch, strerror(errno));
    free(*scratch);
    *scratch = NULL;
    return CLOPT_FAILED;
}

enum clopt_status clopt_supervisor_find_devices(const struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_device_info **devices,
                                                size_t **ordinals, struct clopt_error *error)
{
    char *scratch;
    enum clopt_status status = make_scratch(&scratch, error);
    if (status)
        return status;
    struct clopt_process_settings settings =
        clopt_supervisor_process_settings(study, options, scratch);
    struct clopt_loop loop;
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    *devices = NULL;
    *ordinals = NULL;
    status = clopt_loop_init(&loop, &settings, &study->limits, 1, error);
    if (!status) {
        /* A worker that was killed meanwhile says nothing about the devices. */
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            status = clopt_loop_list_devices(&loop, &all, &count, error);
            if (status != CLOPT_CRASHED)
                break;
        }
        clopt_loop_fini(&loop);
    }
    if (!status) {
        *devices = calloc(study->device_count, sizeof **devices);
        *ordinals = calloc(study->device_count, sizeof **ordinals);
        status = *devices && *ordinals
                     ? choose_devices(study, all, count, *devices, *ordinals, error)
                     : clopt_fail_memory(error);
    }
    if (status) {
        free(*devices);
        free(*ordinals);
    }
    free(all);
    clopt_folder_remove(scratch);
    free(scratch);
    return status;
}
