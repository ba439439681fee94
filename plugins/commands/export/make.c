/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the sources of exported variants again, as they were measured. */
#include "commands/export/unit.h"

/* Returns the device of the results for which a variant was chosen; CLOPT_NO_ROW: none. */
static size_t device_of(const struct clopt_export_unit *unit, size_t variant)
{
    for (size_t d = 0; d < unit->results->device_count; d++)
        if (unit->chosen[d] == variant)
            return d;
    return CLOPT_NO_ROW;
}

const struct clopt_device_info *clopt_export_find_device(const struct clopt_export_unit *unit,
                                                         size_t device)
{
    const struct clopt_results_device *found = &unit->results->devices[device];
    for (size_t i = 0; unit->query && i < unit->query->count; i++)
        if (strcmp(unit->query->devices[i].platform, found->platform) == 0 &&
            strcmp(unit->query->devices[i].name, found->name) == 0)
            return &unit->query->devices[i];
    return NULL;
}

/* Checks that a variant is the program that was measured. */
static enum clopt_status check_fingerprint(const struct clopt_export_unit *unit,
                                           const struct clopt_export_variant *variant,
                                           struct clopt_error *error)
{
    for (size_t d = 0; d < unit->results->device_count; d++) {
        char made[CLOPT_HASH_SIZE], older[CLOPT_HASH_SIZE]; /* as stores had it until 0.1 */
        const char *salt = unit->variants->row->row->cells[d].trial.key;
        const char *measured = variant->row->row->cells[d].trial.fingerprint;
        memcpy(made, variant->made.fingerprint, sizeof made);
        memcpy(older, variant->made.fingerprint, sizeof older);
        clopt_sha256_salt_end(salt, made);
        clopt_sha256_salt(salt, older);
        if (measured && (strcmp(measured, made) == 0 || strcmp(measured, older) == 0))
            return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_FAILED,
                      "%s: %s: this is no longer the variant that was measured: the kernel's file, "
                      "a plugin or clopt has changed; run the study again",
                      unit->kernel, variant->row->row->name);
}

/* Takes -I away from build options: what they are for has been included. */
static char *drop_folders(const char *options)
{
    struct clopt_text kept = {0};
    for (const char *at = options; *(at += strspn(at, " "));) {
        size_t length = strcspn(at, " ");
        bool folder = strncmp(at, "-I", 2) == 0;
        if (!folder) {
            clopt_text_append(&kept, kept.length ? " " : "");
            clopt_text_append_bytes(&kept, at, length);
        } else if (length == 2) {
            at += length + strspn(at + length, " ");
            length = strcspn(at, " ");
        }
        at += length;
    }
    return clopt_text_take(&kept);
}

/* Makes the text and the options that are exported: they need no other file. */
static enum clopt_status settle_text(const struct clopt_export_unit *unit,
                                     struct clopt_export_variant *variant,
                                     struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    const char *text = variant->made.source;
    enum clopt_status status = clopt_source_create(
        unit->source.path, text, NULL, variant->made.dialect, unit->kernel, &source, NULL);
    if (!status) {
        variant->local_known = true;
        for (size_t i = 0; i < source->variable_count; i++) {
            const struct clopt_variable *variable = source->variables[i];
            bool is_local = variable->space == CLOPT_SPACE_LOCAL && !variable->is_parameter;
            variant->local_bytes += is_local ? variable->bytes : 0;
            variant->local_known &= !is_local || variable->bytes;
        }
    }
    if (unit->source.includes && status)
        return clopt_source_create(unit->source.path, text, NULL, variant->made.dialect,
                                   unit->kernel, &source, error);
    variant->text = clopt_strdup(unit->source.includes ? source->text : text);
    variant->options = unit->source.includes ? drop_folders(variant->made.options)
                                             : clopt_strdup(variant->made.options);
    return CLOPT_OK;
}

/* Exported programs set arguments as for the initial code. */
static enum clopt_status check_arguments(const struct clopt_export_unit *unit,
                                         const struct clopt_export_variant *variant,
                                         struct clopt_error *error)
{
    const struct clopt_ndrange_change *change = clopt_export_change(variant);
    for (size_t i = 0; i < change->layout_count && !unit->request->wisdom; i++)
        if (change->layouts[i].narrow)
            return clopt_fail(error, CLOPT_FAILED,
                              "%s: %s: the host must keep argument %u as half for it, which "
                              "exported code cannot do; choose another one by --variant; `clopt "
                              "report STORE --top=9` shows the best",
                              unit->kernel, variant->row->row->name, change->layouts[i].argument);
    for (size_t i = 0; i < change->added_count; i++)
        if (change->added[i].local)
            return clopt_fail(error, CLOPT_FAILED,
                              "%s: %s: it needs %zu times the local memory of argument %u, which "
                              "exported code cannot get; choose another one by --variant",
                              unit->kernel, variant->row->row->name, change->added[i].merged,
                              change->added[i].number);
    return CLOPT_OK;
}

static enum clopt_status make_variant(struct clopt_export_unit *unit,
                                      struct clopt_export_variant *variant, size_t device,
                                      struct clopt_error *error)
{
    const struct clopt_device_info *here =
        device == CLOPT_NO_ROW ? NULL : clopt_export_find_device(unit, device);
    const char *description = variant->row->row->description;
    struct clopt_kernel_work work;
    json_auto_t *json = description ? json_loads(description, 0, NULL) : NULL;
    enum clopt_status status =
        json ? clopt_trial_from_json(json, unit->request->registry, &variant->trial, error)
             : clopt_fail(error, CLOPT_FAILED, "the store does not say how it is made");
    if (!status && !unit->source.path)
        status = clopt_app_source_read(variant->trial.app->extension->app,
                                       unit->request->settings.kernel_path, &unit->source, error);
    if (!status)
        status = clopt_variant_make(&variant->trial, &unit->source, here, &variant->made, error);
    if (!status)
        status = clopt_trial_describe(&variant->trial, variant->made.knobs, variant->trial.kernel,
                                      &work, error);
    if (status)
        return clopt_fail_within(error, "%s: %s", unit->kernel, variant->row->row->name);
    variant->ndrange = work.ndrange;
    CLOPT_TRY(check_fingerprint(unit, variant, error));
    CLOPT_TRY(check_arguments(unit, variant, error));
    return settle_text(unit, variant, error);
}

struct clopt_export_variant *clopt_export_find(struct clopt_export_unit *unit,
                                               const struct clopt_view_row *row, size_t device)
{
    struct clopt_error why = {0};
    for (size_t i = 0; i < unit->count; i++)
        if (unit->variants[i].row == row)
            return &unit->variants[i];
    for (size_t i = 0; i < unit->other_count; i++)
        if (unit->others[i]->row == row)
            return unit->others[i]->text ? unit->others[i] : NULL;
    struct clopt_export_variant *variant = clopt_calloc(1, sizeof *variant);
    variant->view = unit->view;
    variant->row = row;
    clopt_array_grow(&unit->others, unit->other_count, sizeof(struct clopt_export_variant *));
    unit->others[unit->other_count++] = variant;
    return make_variant(unit, variant, device, &why) ? NULL : variant;
}

/* Names the sources: product.cl, or, of several, after the device for which each is the best. */
static void name_sources(struct clopt_export_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        struct clopt_text name = {0};
        size_t device = device_of(unit, i);
        const char *label =
            device == CLOPT_NO_ROW ? "portable" : unit->results->devices[device].label;
        clopt_text_append(&name, unit->name);
        if (i == 0)
            clopt_text_append(&name, "-initial");
        else if (unit->count > 2)
            clopt_text_printf(&name, "-%s", label);
        for (char *c = name.data; *c; c++)
            if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *c))
                *c = '_';
        clopt_text_append(&name, ".cl");
        unit->variants[i].file = clopt_text_take(&name);
    }
}

enum clopt_status clopt_export_make(struct clopt_export_unit *unit, struct clopt_error *error)
{
    for (size_t i = 0; i < unit->count; i++)
        CLOPT_TRY(make_variant(unit, &unit->variants[i], device_of(unit, i), error));
    unit->dimensions = unit->variants->ndrange.dimensions;
    name_sources(unit);
    return CLOPT_OK;
}
