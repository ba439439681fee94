/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices of a study, in a worker: the supervisor itself never opens OpenCL. */
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "base/temporary.h"
#include "base/text.h"
#include "opencl/traits.h"
#include "supervisor/loop.h"
#include "supervisor/peaks.h"
#include "supervisor/supervisor.h"

#define ATTEMPTS 3

static enum clopt_status choose_devices(const struct clopt_study *study,
                                        const struct clopt_device_info *all, size_t count,
                                        struct clopt_device_info *devices, size_t *ordinals,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < study->device_count; i++) {
        size_t index;
        enum clopt_status status = clopt_study_choose_device(study, i, all, count, &index, error);
        if (status)
            return status;
        devices[i] = all[index];
        ordinals[i] = clopt_device_ordinal(all, index);
    }
    return CLOPT_OK;
}

/* Whether a worker was lost, be it killed from outside. */
static bool is_lost(enum clopt_status status)
{
    return status == CLOPT_CRASHED || status == CLOPT_OUT_OF_RESOURCES;
}

/* Asks a worker for the devices. One that was killed meanwhile says nothing about them. */
static enum clopt_status ask_devices(struct clopt_loop *loop, struct clopt_device_info **all,
                                     size_t *count, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_CRASHED;
    for (int attempt = 0; attempt < ATTEMPTS && is_lost(status); attempt++)
        status = clopt_loop_list_devices(loop, all, count, error);
    return status;
}

/* Lists all devices, of Oclgrind where `oclgrind` is its path. The caller frees the list. */
static enum clopt_status list_devices(const struct clopt_study *study,
                                      const struct clopt_supervisor_options *options,
                                      const char *oclgrind, struct clopt_device_info **all,
                                      size_t *count, struct clopt_error *error)
{
    struct clopt_temporary scratch;
    enum clopt_status status = clopt_temporary_create(&scratch, error);
    if (status)
        return status;
    struct clopt_process_settings settings =
        clopt_supervisor_process_settings(study, options, scratch.path);
    settings.oclgrind = oclgrind;
    struct clopt_loop loop;
    status = clopt_loop_init(&loop, &settings, &study->limits, 1, error);
    if (!status) {
        status = ask_devices(&loop, all, count, error);
        clopt_loop_fini(&loop);
    }
    clopt_temporary_remove(&scratch);
    return status;
}

enum clopt_status clopt_supervisor_find_devices(const struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_device_info **devices,
                                                size_t **ordinals, struct clopt_error *error)
{
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    enum clopt_status status = list_devices(study, options, NULL, &all, &count, error);
    if (status)
        return status;
    *devices = calloc(study->device_count, sizeof **devices);
    *ordinals = calloc(study->device_count, sizeof **ordinals);
    status = *devices && *ordinals ? choose_devices(study, all, count, *devices, *ordinals, error)
                                   : clopt_fail_memory(error);
    if (status) {
        free(*devices);
        free(*ordinals);
    }
    free(all);
    return status;
}

/* Measures one device after the other. */
static enum clopt_status measure_each(struct clopt_loop *loop,
                                      struct clopt_measured_device *measured, size_t count,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < count && !status; i++) {
        measured[i].info = loop->devices[i].info;
        measured[i].peaks = clopt_peaks_unknown();
        if (clopt_peaks_make_sense(&measured[i].info))
            status = clopt_peaks_find(loop, i, NULL, &measured[i].peaks, &measured[i].cause, error);
        loop->open_failures = 0; /* of another device */
    }
    return status;
}

/* Lists and measures in workers of one loop. */
static enum clopt_status measure_all(struct clopt_loop *loop,
                                     struct clopt_measured_device **measured, size_t *count,
                                     struct clopt_error *error)
{
    struct clopt_device_info *infos = NULL;
    enum clopt_status status = ask_devices(loop, &infos, count, error);
    if (status)
        return status;
    struct clopt_loop_device *devices = calloc(*count, sizeof *devices);
    *measured = calloc(*count, sizeof **measured);
    if (!devices || !*measured)
        status = clopt_fail_memory(error);
    for (size_t i = 0; i < *count && !status; i++)
        devices[i] = (struct clopt_loop_device){infos[i], clopt_device_ordinal(infos, i), NULL};
    loop->devices = devices;
    if (!status)
        status = measure_each(loop, *measured, *count, error);
    free(devices);
    free(infos);
    return status;
}

enum clopt_status clopt_supervisor_measure_devices(const struct clopt_supervisor_options *options,
                                                   struct clopt_measured_device **measured,
                                                   size_t *count, struct clopt_error *error)
{
    static const struct clopt_limits limits = {
        .setup_s = 60, .build_s = 60, .launch_s = 60, .trial_s = 60};
    struct clopt_temporary scratch;
    *measured = NULL;
    enum clopt_status status = clopt_temporary_create(&scratch, error);
    if (status)
        return status;
    struct clopt_process_settings settings = {.plugin_path = options->plugin_path,
                                              .kernel_path = options->kernel_path,
                                              .scratch = scratch.path,
                                              .pin = true};
    struct clopt_loop loop;
    status = clopt_loop_init(&loop, &settings, &limits, 1, error);
    if (!status) {
        status = measure_all(&loop, measured, count, error);
        clopt_loop_fini(&loop);
    }
    clopt_temporary_remove(&scratch);
    return status;
}

enum clopt_status clopt_supervisor_find_oclgrind(const struct clopt_study *study,
                                                 const struct clopt_supervisor_options *options,
                                                 char **program, struct clopt_device_info *device,
                                                 struct clopt_error *error)
{
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    *program = clopt_program_find("oclgrind");
    if (!*program)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: [measure] verify = oclgrind: there is no program oclgrind in PATH; "
                          "install it, or say verify = results",
                          study->path);
    enum clopt_status status = list_devices(study, options, *program, &all, &count, error);
    if (!status && (count != 1 || !clopt_traits_find(all[0].platform)->checks_accesses))
        status = clopt_fail(error, CLOPT_FAILED, "%s: not the device of Oclgrind",
                            count ? all[0].platform : "no device");
    if (status) {
        clopt_fail_within(error, "%s: [measure] verify = oclgrind", study->path);
        free(*program);
        *program = NULL;
    } else {
        *device = all[0];
    }
    free(all);
    return status;
}
