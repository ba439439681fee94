/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes exported variants: as a header for C, and as JSON. */

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>

#include "commands/export/unit.h"
#include "text/json.h"

#define SCHEMA 1

/* ---- the header ---- */

static void append_sizes(struct clopt_text *text, const size_t sizes[3], size_t nothing)
{
    clopt_text_append(text, "{");
    for (unsigned d = 0; d < 3; d++)
        clopt_text_printf(text, "%s%zu", d ? ", " : "", sizes[d] ? sizes[d] : nothing);
    clopt_text_append(text, "}, ");
}

/* The dimension that an added argument counts the work-groups of; what is the rows of a layout has
 * its value from there. */
static unsigned dimension_of(const struct clopt_added_argument *added)
{
    return added->rows ? 0 : added->number;
}

static void append_variant(struct clopt_text *text, const struct clopt_export_variant *variant)
{
    const struct clopt_ndrange_change *change = clopt_export_change(variant);
    size_t only[3] = {change->local_only[0], change->local_only[1], change->local_only[2]};
    clopt_text_append(text, "    {");
    clopt_export_append_string(text, variant->row->row->name);
    clopt_text_append(text, ",\n     ");
    clopt_export_append_string(text, variant->file);
    clopt_text_append(text, ", ");
    clopt_export_append_string(text, variant->options);
    clopt_text_append(text, ",\n     ");
    append_sizes(text, variant->ndrange.global, 1);
    append_sizes(text, variant->ndrange.local, 1);
    append_sizes(text, change->local_size, 0);
    append_sizes(text, change->divided_items, 1);
    append_sizes(text, change->merged_items, 1);
    append_sizes(text, change->merged_groups, 1);
    append_sizes(text, change->local_multiple, 1);
    append_sizes(text, only, 0);
    clopt_text_printf(text, "%d, %d, %zu, %zu, {", change->whole_groups, change->distinct_buffers,
                      variant->local_bytes, change->added_count);
    for (size_t i = 0; i < change->added_count; i++)
        clopt_text_printf(text, "%s{%u, %zu, %zu}", i ? ", " : "", dimension_of(&change->added[i]),
                          clopt_ndrange_factor(change->added[i].merged), change->added[i].zeroed);
    clopt_text_printf(text, "%s, %zu, {", change->added_count ? "}" : "{0, 1, 0}}",
                      change->multiple_count);
    for (size_t i = 0; i < change->multiple_count; i++)
        clopt_text_printf(text, "%s{%u, %u, %u, %u}", i ? ", " : "", change->multiples[i].argument,
                          change->multiples[i].multiple, change->multiples[i].covers,
                          change->multiples[i].equals);
    clopt_text_append(text, change->multiple_count ? "}},\n" : "{0, 1, 0, 0}}},\n");
}

static void append_devices(struct clopt_text *text, const struct clopt_export_unit *unit)
{
    for (size_t d = 0; d < unit->results->device_count; d++) {
        if (unit->chosen[d] == CLOPT_NO_ROW)
            continue;
        clopt_text_append(text, "    {");
        clopt_export_append_string(text, unit->results->devices[d].platform);
        clopt_text_append(text, ", ");
        clopt_export_append_string(text, unit->results->devices[d].name);
        clopt_text_printf(text, ", %zu},\n", unit->chosen[d]);
    }
}

static void append_ranges(struct clopt_text *text, const struct clopt_export_unit *unit)
{
    for (size_t i = 0; i < unit->range_count; i++) {
        const struct clopt_export_range *range = &unit->ranges[i];
        size_t number = 0; /* of its device in the header, which has those that are exported */
        for (size_t d = 0; d < range->device; d++)
            number += unit->chosen[d] != CLOPT_NO_ROW;
        clopt_text_printf(text, "    {%zu, ", number);
        append_sizes(text, range->size.low, 0);
        clopt_text_append(text, "{");
        for (unsigned d = 0; d < 3; d++)
            if (range->size.high[d] == SIZE_MAX)
                clopt_text_printf(text, "%s(size_t)-1", d ? ", " : "");
            else
                clopt_text_printf(text, "%s%zu", d ? ", " : "", range->size.high[d]);
        clopt_text_printf(text, "}, %zu, %.3f},\n", range->variant,
                          range->size.tested ? range->size.mean : -1);
    }
}

/* Appends the short forms, for the variant of all devices and the local size of the study. */
static void append_short_forms(struct clopt_text *text, const struct clopt_export_unit *unit)
{
    const struct clopt_export_variant *variant = &unit->variants[unit->preferred];
    const struct clopt_ndrange *initial = &unit->variants[unit->preferred].ndrange;
    struct clopt_ndrange range = clopt_ndrange_map(initial, clopt_export_change(variant));
    for (unsigned d = 0; d < initial->dimensions; d++)
        clopt_text_printf(text,
                          "#define %s_LOCAL_%u %zu\n"
                          "static inline size_t %s_global_%u(size_t global)\n"
                          "{\n"
                          "    return %s_global(&%s_variants[%zu], %u, global, %zu);\n"
                          "}\n",
                          unit->macro, d, range.local[d], unit->name, d, unit->name, unit->name,
                          unit->preferred, d, clopt_ndrange_factor(initial->local[d]));
}

static void append_local_sizes(struct clopt_text *text, const struct clopt_export_unit *unit)
{
    const struct clopt_ndrange *initial = &unit->variants[unit->preferred].ndrange;
    for (unsigned d = 0; d < initial->dimensions; d++)
        clopt_text_printf(text, "%s%zu", d ? " x " : "", clopt_ndrange_factor(initial->local[d]));
}

static unsigned count_targets(const struct clopt_export_unit *unit)
{
    unsigned count = 0;
    for (size_t d = 0; d < unit->results->device_count; d++)
        count += unit->chosen[d] != CLOPT_NO_ROW;
    return count;
}

void clopt_export_add_header(struct clopt_export_unit *unit)
{
    CLOPT_OWNED(clopt_text) variants = {0}, devices = {0}, ranges = {0}, forms = {0}, local = {0},
                            layouts = {0};
    char counts[5][24];
    for (size_t i = 0; i < unit->count; i++)
        append_variant(&variants, &unit->variants[i]);
    append_devices(&devices, unit);
    append_ranges(&ranges, unit);
    append_short_forms(&forms, unit);
    append_local_sizes(&local, unit);
    clopt_export_append_layouts(&layouts, NULL, NULL, unit);
    snprintf(counts[0], sizeof counts[0], "%zu", unit->count);
    snprintf(counts[1], sizeof counts[1], "%u", count_targets(unit));
    snprintf(counts[2], sizeof counts[2], "%zu", unit->preferred);
    snprintf(counts[3], sizeof counts[3], "%u", unit->dimensions);
    snprintf(counts[4], sizeof counts[4], "%zu", unit->range_count);
    const struct clopt_export_mark marks[] = {
        {"variants", clopt_text_string(&variants)},
        {"devices", clopt_text_string(&devices)},
        {"forms", clopt_text_string(&forms)},
        {"layouts", clopt_text_string(&layouts)},
        {"local", clopt_text_string(&local)},
        {"ranges", clopt_text_string(&ranges)},
        {"range_count", counts[4]},
        {"variant_count", counts[0]},
        {"device_count", counts[1]},
        {"default", counts[2]},
        {"dimensions", counts[3]},
        {NULL, NULL},
    };
    clopt_export_add_filled(unit, "launch.h", ".h", marks);
}

/* ---- JSON ---- */

static json_t *sizes_to_json(const struct clopt_export_unit *unit, const size_t sizes[3],
                             size_t nothing)
{
    json_t *json = json_array();
    for (unsigned d = 0; d < unit->dimensions; d++)
        clopt_json_append(&json, json_integer((json_int_t)(sizes[d] ? sizes[d] : nothing)));
    return json;
}

static json_t *variant_to_json(const struct clopt_export_unit *unit,
                               const struct clopt_export_variant *variant)
{
    const struct clopt_ndrange_change *change = clopt_export_change(variant);
    json_t *added = json_array(), *only = json_array(), *multiples = json_array();
    for (size_t i = 0; i < change->added_count; i++)
        clopt_json_append(
            &added, json_pack("{s:i, s:I, s:I}", "dimension", (int)dimension_of(&change->added[i]),
                              "merged", (json_int_t)clopt_ndrange_factor(change->added[i].merged),
                              "zeroed", (json_int_t)change->added[i].zeroed));
    for (size_t i = 0; i < change->multiple_count; i++)
        clopt_json_append(&multiples, json_pack("{s:i, s:i, s:i, s:i}", "argument",
                                                (int)change->multiples[i].argument, "multiple",
                                                (int)change->multiples[i].multiple, "covers",
                                                (int)change->multiples[i].covers, "equals",
                                                (int)change->multiples[i].equals));
    for (unsigned d = 0; d < unit->dimensions; d++)
        clopt_json_append(&only, json_boolean(change->local_only[d]));
    json_t *json = json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o}", "name",
        clopt_json_text(variant->row->row->name), "source", variant->file, "options",
        clopt_json_text(variant->options), "initial_global",
        sizes_to_json(unit, variant->ndrange.global, 1), "initial_local",
        sizes_to_json(unit, variant->ndrange.local, 1), "local_size",
        sizes_to_json(unit, change->local_size, 0), "divided_items",
        sizes_to_json(unit, change->divided_items, 1), "merged_items",
        sizes_to_json(unit, change->merged_items, 1), "merged_groups",
        sizes_to_json(unit, change->merged_groups, 1), "local_multiple",
        sizes_to_json(unit, change->local_multiple, 1), "local_only", only, "whole_groups",
        change->whole_groups, "distinct_buffers", change->distinct_buffers, "added_arguments",
        added, "argument_multiples", multiples, "local_memory_bytes",
        variant->local_known ? json_integer((json_int_t)variant->local_bytes) : json_null());
    if (change->layout_count)
        json_object_set_new(json, "layouts", clopt_export_layouts_to_json(unit, variant));
    return json;
}

static json_t *interval_to_json(const struct clopt_interval *interval)
{
    return json_pack("[o,o,o]", clopt_json_real(interval->median), clopt_json_real(interval->low),
                     clopt_json_real(interval->high));
}

static json_t *device_to_json(const struct clopt_export_unit *unit, size_t d)
{
    const struct clopt_results_device *device = &unit->results->devices[d];
    const struct clopt_view_row *row = unit->variants[unit->chosen[d]].row;
    const struct clopt_result_time *time = &row->row->cells[d].times[unit->view->scope];
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "label",
                     clopt_json_text(device->label), "platform", clopt_json_text(device->platform),
                     "name", clopt_json_text(device->name), "type", clopt_json_text(device->type),
                     "driver_version", clopt_json_text(device->driver_version), "variant",
                     (json_int_t)unit->chosen[d], "time_ns", interval_to_json(&time->interval),
                     "speedup", row->initial ? json_null() : interval_to_json(&time->speedup));
}

static json_t *range_to_json(const struct clopt_export_unit *unit,
                             const struct clopt_export_range *range)
{
    const struct clopt_size_range *size = &range->size;
    json_t *high = json_array(), *low = json_array();
    for (unsigned d = 0; d < unit->dimensions; d++) {
        clopt_json_append(&low, json_integer((json_int_t)size->low[d]));
        clopt_json_append(&high, size->high[d] == SIZE_MAX
                                     ? json_null()
                                     : json_integer((json_int_t)size->high[d]));
    }
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "device",
                     clopt_json_text(unit->results->devices[range->device].label), "low", low,
                     "high", high, "variant", (json_int_t)range->variant, "sizes",
                     (json_int_t)size->sizes, "tested", (json_int_t)size->tested, "mean_loss",
                     clopt_json_real(size->tested ? size->mean : NAN), "most_loss",
                     clopt_json_real(size->tested ? size->most : NAN), "loss_bound",
                     clopt_json_real(size->bound > 0 ? size->bound : NAN));
}

json_t *clopt_export_to_json(const struct clopt_export_unit *unit)
{
    const struct clopt_results *results = unit->results;
    json_t *variants = json_array(), *devices = json_array(), *ranges = json_array();
    for (size_t i = 0; i < unit->count; i++)
        clopt_json_append(&variants, variant_to_json(unit, &unit->variants[i]));
    for (size_t d = 0; d < results->device_count; d++)
        if (unit->chosen[d] != CLOPT_NO_ROW)
            clopt_json_append(&devices, device_to_json(unit, d));
    for (size_t i = 0; i < unit->range_count; i++)
        clopt_json_append(&ranges, range_to_json(unit, &unit->ranges[i]));
    return json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:s, s:i, s:o, s:o, s:o, s:I}", "format",
                     "clopt export", "schema", SCHEMA, "clopt_version", PACKAGE_VERSION, "study",
                     clopt_json_text(results->run.title), "measured_s",
                     clopt_json_real(results->run.started_s), "app",
                     clopt_json_text(unit->view->problem->app), "problem",
                     clopt_json_text(unit->view->problem->label), "kernel", unit->kernel,
                     "dimensions", (int)unit->dimensions, "variants", variants, "devices", devices,
                     "ranges", ranges, "default", (json_int_t)unit->preferred);
}
