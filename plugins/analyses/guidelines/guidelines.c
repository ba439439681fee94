/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what each optimization alone gives on each device, from many stores. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>

#include "store/cursor.h"

/* ---- devices ---- */

char *clopt_guidelines_keep(struct clopt_guidelines *guidelines, char *text)
{
    char *kept = clopt_arena_copy(&guidelines->arena, text, strlen(text));
    free(text);
    return kept;
}

/* Names a device: a processor after its OpenCL, with more where another has that name, too. */
static void label_devices(struct clopt_guidelines *guidelines)
{
    struct clopt_guideline_device *devices = guidelines->devices;
    for (size_t i = 0; i < guidelines->device_count; i++) {
        const struct clopt_results_device *about = devices[i].about;
        bool pocl = strcmp(about->platform, "Portable Computing Language") == 0;
        devices[i].plain = devices[i].group != CLOPT_DEVICE_CPU ? about->name
                           : pocl                               ? "PoCL"
                                                                : about->platform;
    }
    for (size_t i = 0; i < guidelines->device_count; i++) {
        const struct clopt_results_device *about = devices[i].about;
        bool alone = true;
        for (size_t k = 0; k < guidelines->device_count; k++)
            alone = alone && (k == i || strcmp(devices[i].plain, devices[k].plain) != 0);
        devices[i].label = devices[i].plain;
        if (!alone)
            devices[i].label = clopt_guidelines_keep(
                guidelines,
                clopt_text_format("%s (%s, %lld units)", devices[i].plain, about->driver_version,
                                  (long long)about->compute_units));
    }
}

size_t clopt_guidelines_device(struct clopt_guidelines *guidelines,
                               const struct clopt_results_device *device)
{
    size_t i = 0;
    for (; i < guidelines->device_count; i++) {
        const struct clopt_results_device *known = guidelines->devices[i].about;
        if (strcmp(known->platform, device->platform) == 0 &&
            strcmp(known->name, device->name) == 0 &&
            strcmp(known->driver_version, device->driver_version) == 0 &&
            known->compute_units == device->compute_units)
            return i;
    }
    struct clopt_guideline_device *added =
        clopt_array_add(&guidelines->devices, &guidelines->device_count, sizeof *added);
    *added = (struct clopt_guideline_device){
        .about = device, .group = clopt_device_class(device->type, device->vendor, device->name)};
    return i;
}

/* ---- kernels ---- */

static size_t number_kernel(struct clopt_guidelines *guidelines,
                            const struct clopt_results *results,
                            const struct clopt_results_table *table)
{
    const char *app = results->problems[table->problem].app;
    bool plain = strcmp(app, "kernel") == 0 || strncmp(table->kernel, app, strlen(app)) == 0;
    char *label = clopt_guidelines_keep(
        guidelines, clopt_text_format("%s%s%s", plain ? "" : app, plain ? "" : " ", table->kernel));
    for (size_t i = 0; i < guidelines->kernel_count; i++)
        if (strcmp(guidelines->kernels[i].label, label) == 0)
            return i;
    struct clopt_guideline_kernel *added =
        clopt_array_add(&guidelines->kernels, &guidelines->kernel_count, sizeof *added);
    added->label = label;
    for (size_t f = 0; f < CLOPT_GUIDELINE_FEATURES; f++)
        added->features[f] = NAN;
    return guidelines->kernel_count - 1;
}

/* Takes the profile of the initial code, if the store has one and no other had. */
static enum clopt_status read_profile(struct clopt_guideline_kernel *kernel,
                                      struct clopt_store *store, int64_t problem,
                                      const struct clopt_result *initial, struct clopt_error *error)
{
    if (!initial || !initial->trial.fingerprint || !isnan(*kernel->features))
        return CLOPT_OK;
    struct clopt_cursor row =
        clopt_cursor_begin(store, CLOPT_SQL_GET_PROFILE, error, "iss", problem,
                           initial->row->table->kernel, initial->trial.fingerprint);
    clopt_cursor_next(&row);
    const char *text = clopt_cursor_text(&row, "profile");
    json_auto_t *profile = text ? json_loads(text, 0, NULL) : NULL;
    for (size_t f = 0; profile && f < CLOPT_GUIDELINE_FEATURES; f++)
        kernel->features[f] =
            json_number_value(json_object_get(profile, clopt_guideline_features[f].name));
    return clopt_cursor_end(&row);
}

/* ---- stores ---- */

/* Adds the run of a store that is chosen. */
static enum clopt_status add_run(struct clopt_guidelines *guidelines, struct clopt_store *store,
                                 const char *path, struct clopt_error *error)
{
    struct clopt_results *results = NULL, **kept;
    CLOPT_TRY(clopt_results_gather(store, true, &results, error));
    kept = clopt_array_add(&guidelines->results, &guidelines->result_count, sizeof *kept);
    *kept = results;
    for (size_t t = 0; t < results->table_count; t++) {
        const struct clopt_results_table *table = &results->tables[t];
        if (clopt_table_is_combined(table) || table->initial == CLOPT_NO_ROW)
            continue;
        struct clopt_guideline_subject *subject =
            clopt_array_add(&guidelines->subjects, &guidelines->subject_count, sizeof *subject);
        *subject = (struct clopt_guideline_subject){results, table, path,
                                                    number_kernel(guidelines, results, table)};
        for (size_t d = 0; d < results->device_count; d++)
            CLOPT_TRY(read_profile(&guidelines->kernels[subject->kernel], store,
                                   results->problems[table->problem].id,
                                   clopt_table_initial(table, d), error));
        clopt_guidelines_add(guidelines, subject);
    }
    return CLOPT_OK;
}

/* Adds all runs of a store, the newest first, which counts where several have the same. */
static enum clopt_status add_store(struct clopt_guidelines *guidelines, const char *path,
                                   struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_FREED int64_t *runs = NULL;
    size_t count = 0;
    CLOPT_TRY(clopt_store_open_read(path, &store, error));
    struct clopt_cursor rows = clopt_cursor_begin(store, CLOPT_SQL_GET_RUNS, error, "");
    while (clopt_cursor_next(&rows)) {
        int64_t *run = clopt_array_add(&runs, &count, sizeof *run);
        *run = clopt_cursor_integer(&rows, "id");
    }
    CLOPT_TRY(clopt_cursor_end(&rows));
    while (count) {
        clopt_store_choose_run(store, runs[--count]);
        CLOPT_TRY(add_run(guidelines, store, path, error));
    }
    return CLOPT_OK;
}

static void clopt_guidelines_fini(struct clopt_guidelines *guidelines)
{
    for (size_t i = 0; i < guidelines->result_count; i++)
        clopt_results_destroy(guidelines->results[i]);
    clopt_arena_fini(&guidelines->arena);
    free(guidelines->results);
    free(guidelines->subjects);
    free(guidelines->kernels);
    free(guidelines->devices);
    free(guidelines->keys);
    free(guidelines->gains);
    free(guidelines->items);
}

enum clopt_status clopt_report_guidelines(const struct clopt_analysis_request *request,
                                          struct clopt_document *document,
                                          struct clopt_error *error)
{
    CLOPT_OWNED(clopt_guidelines) guidelines = {.document = document};
    for (size_t i = 0; i < request->path_count; i++)
        CLOPT_TRY(add_store(&guidelines, request->paths[i], error));
    if (!guidelines.gain_count)
        return clopt_fail(error, CLOPT_FAILED,
                          "no optimization alone has a time beside the initial code's; run studies "
                          "whose variants have one step, such as those of clopt init");
    label_devices(&guidelines);
    clopt_guidelines_find(&guidelines);
    clopt_guidelines_show(&guidelines);
    clopt_guidelines_show_devices(&guidelines);
    return CLOPT_OK;
}
