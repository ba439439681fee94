/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices of a study, in a worker: the supervisor itself never opens OpenCL. */
#include <stdlib.h>

#include "opencl/traits.h"
#include "pool/query.h"
#include "process/program.h"
#include "space/parameters.h"
#include "space/sample.h"
#include "supervisor/supervisor.h"
#include "text/text.h"

/* Opens an query for a study, with the program oclgrind around its workers (NULL: none). */
static enum clopt_status open_query(struct clopt_query *query, const struct clopt_study *study,
                                    const struct clopt_supervisor_options *options,
                                    const char *oclgrind, struct clopt_error *error)
{
    const struct clopt_process_settings settings = {.plugin_path = options->plugin_path,
                                                    .kernel_path = options->kernel_path,
                                                    .pin = study->measure.pin,
                                                    .oclgrind = oclgrind};
    return clopt_query_open(query, &settings, &study->limits, error);
}

/* Adds the members of a device of the study: the first in its own place, others after all. */
static enum clopt_status add_members(struct clopt_study *study, size_t device,
                                     const struct clopt_query *query,
                                     struct clopt_pool_device **devices, size_t *count,
                                     struct clopt_error *error)
{
    size_t members[CLOPT_MOST_MEMBERS], member_count = 0, place = device;
    enum clopt_status status = clopt_study_choose_members(
        study, device, query->devices, query->count, members, &member_count, error);
    struct clopt_pool_device *grown = realloc(*devices, (*count + member_count) * sizeof **devices);
    if (!grown)
        return clopt_fail_memory(error);
    *devices = grown;
    for (size_t i = 0; i < member_count && !status; i++) {
        if (i > 0)
            place = grown[place].next = (*count)++;
        grown[place] =
            (struct clopt_pool_device){.info = query->devices[members[i]],
                                       .ordinal = clopt_device_ordinal(query->devices, members[i]),
                                       .is_member = member_count > 1};
    }
    return status;
}

/* Chooses the study's devices from those that there are. */
static enum clopt_status choose_devices(struct clopt_study *study,
                                        const struct clopt_supervisor_options *options,
                                        const struct clopt_query *query,
                                        struct clopt_pool_device **devices,
                                        struct clopt_error *error)
{
    size_t count = study->device_count + CLOPT_CHECKING_DEVICES;
    *devices = calloc(count, sizeof **devices);
    CLOPT_FREED struct clopt_device_info *infos = calloc(study->device_count, sizeof *infos);
    enum clopt_status status = *devices && infos ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t i = 0; i < study->device_count && !status; i++) {
        status = add_members(study, i, query, devices, &count, error);
        infos[i] = (*devices)[i].info;
    }
    if (!status)
        status = clopt_study_check_rivals(study, infos, options->kernel_path, error);
    if (!status)
        status = clopt_study_find_combinations(study, infos, error);
    if (!status)
        status = clopt_study_draw_samples(study, infos, options->notices, error);
    return status;
}

enum clopt_status clopt_supervisor_find_devices(struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_pool *pool,
                                                struct clopt_pool_device **devices,
                                                struct clopt_error *error)
{
    struct clopt_query query = {.devices = NULL};
    *devices = NULL;
    enum clopt_status status = pool ? clopt_pool_list(pool, &query.devices, &query.count, error)
                                    : open_query(&query, study, options, NULL, error);
    if (!status)
        status = choose_devices(study, options, &query, devices, error);
    clopt_query_close(&query);
    return status;
}

enum clopt_status clopt_supervisor_check_energy(const struct clopt_study *study,
                                                struct clopt_pool *pool, struct clopt_error *error)
{
    const char *objective = clopt_objective_words(study->measure.objective)->name;
    struct clopt_error cause;
    enum clopt_status status = CLOPT_OK;
    if (study->measure.objective == CLOPT_OBJECTIVE_TIME)
        return CLOPT_OK;
    if (study->rival_count)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [measure] objective = %s: programs of [rival] tell their time alone",
                          study->path, objective);
    for (size_t i = 0; i < study->device_count && !status; i++) {
        json_auto_t *none = NULL;
        status = clopt_pool_measure(pool, i, "energy", &none, &cause, error);
        if (!status && cause.status)
            status =
                clopt_fail(error, cause.status == CLOPT_INTERRUPTED ? cause.status : CLOPT_INVALID,
                           "%s: [measure] objective = %s: the energy of [device %s] cannot be "
                           "read: %s; objective = time needs no counter",
                           study->path, objective, study->devices[i].label, cause.message);
    }
    return status;
}

enum clopt_status clopt_supervisor_measure_devices(const struct clopt_supervisor_options *options,
                                                   bool peaks, bool access,
                                                   struct clopt_measured_device **measured,
                                                   size_t *count, struct clopt_error *error)
{
    static const struct clopt_limits limits = {
        .setup_s = 60, .build_s = 60, .launch_s = 60, .trial_s = 60};
    const struct clopt_process_settings settings = {
        .plugin_path = options->plugin_path, .kernel_path = options->kernel_path, .pin = true};
    struct clopt_query query;
    *measured = NULL;
    enum clopt_status status = clopt_query_open(&query, &settings, &limits, error);
    if (status)
        return status;
    *count = query.count;
    *measured = calloc(*count, sizeof **measured);
    if (!*measured)
        status = clopt_fail_memory(error);
    for (size_t i = 0; i < *count && !status; i++) {
        struct clopt_measured_device *device = &(*measured)[i];
        json_t *found = NULL;
        device->info = query.devices[i];
        clopt_query_use(&query, i);
        bool measures = clopt_peaks_make_sense(&device->info);
        if (measures && access)
            status = clopt_pool_measure(&query.pool, 0, "access", &found, &device->cause, error);
        device->access = clopt_access_from_json(found);
        if (clopt_access_any(&device->access))
            clopt_access_keep(&device->info, &device->access);
        json_decref(found);
        found = NULL;
        if (measures && peaks && !status && !device->cause.status)
            status = clopt_pool_measure(&query.pool, 0, "peaks", &found, &device->cause, error);
        device->peaks = clopt_peaks_from_json(found);
        if (found)
            clopt_peaks_keep(&device->info, &device->peaks);
        json_decref(found);
    }
    clopt_query_close(&query);
    return status;
}

enum clopt_status clopt_supervisor_find_oclgrind(const struct clopt_study *study,
                                                 const struct clopt_supervisor_options *options,
                                                 char **program, struct clopt_device_info *device,
                                                 struct clopt_error *error)
{
    struct clopt_query query;
    *program = clopt_program_find("oclgrind");
    if (!*program)
        return clopt_fail(error, CLOPT_FAILED, "the program oclgrind is not in PATH; install it%s",
                          study->measure.verify == CLOPT_VERIFY_OCLGRIND ? ", or say verify = check"
                                                                         : "");
    enum clopt_status status = open_query(&query, study, options, *program, error);
    if (!status) {
        const struct clopt_device_info *found = query.devices;
        if (query.count == 1 && clopt_traits_find(found->platform)->checks_accesses)
            *device = *found;
        else
            status = clopt_fail(error, CLOPT_FAILED, "%s: not the device of Oclgrind",
                                query.count ? found->platform : "no device");
        clopt_query_close(&query);
    }
    return status;
}
