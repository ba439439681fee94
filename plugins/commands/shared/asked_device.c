/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that a command line names, for what is read before anything runs there. */
#include "commands/shared/asked_device.h"

#include "pool/query.h"
#include "space/study.h"

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
