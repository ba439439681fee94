/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt devices`: lists every OpenCL device with what matters for a study. */

#include "commands/device_access.h"
#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "commands/shared/usage.h"
#include "opencl/clock.h"
#include "opencl/listing.h"
#include "pool/query.h"
#include "results/peaks.h"
#include "text/table.h"
#include "view/report.h"

/* A device, and what it can do at most. */
struct measured {
    struct clopt_device_info info;
    struct clopt_access_rates access;
    struct clopt_peaks peaks; /* unknown where they could not be measured, or make no sense */
    struct clopt_clock clock; /* that measured them */
    struct clopt_error cause; /* why they could not be measured */
};

/* What is asked for, and what was found. */
struct listing {
    bool json;
    bool with_peaks;
    bool with_patterns;
    int64_t limit_s;
    const char *folder; /* for figures of the patterns; NULL: none */
    struct measured *devices;
    size_t count;
};

static void format_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes;
    size_t unit = 0;
    for (; number >= 1024 && unit < sizeof units / sizeof units[0] - 1; unit++)
        number /= 1024;
    snprintf(text, size, number < 10 && number != (uint64_t)number ? "%.1f %s" : "%.0f %s", number,
             units[unit]);
}

/* Returns the number of a device among those that are equal, and how many these are. */
static size_t number_device(const struct listing *listing, size_t index, size_t *equal)
{
    size_t number = 0;
    *equal = 0;
    for (size_t i = 0; i < listing->count; i++) {
        bool same =
            clopt_device_are_equal(&listing->devices[i].info, &listing->devices[index].info);
        number += same && i < index;
        *equal += same;
    }
    return number;
}

static void add_lines(struct clopt_table *table, const struct listing *listing, size_t index)
{
    const struct clopt_device_info *device = &listing->devices[index].info;
    size_t equal, number = number_device(listing, index, &equal);
    char local[32];
    char global[32];
    format_bytes(device->local_memory_bytes, local, sizeof local);
    format_bytes(device->global_memory_bytes, global, sizeof global);
    clopt_table_row(table, "platform\t%s", device->platform);
    if (equal > 1)
        clopt_table_row(table, "number\t%zu of %zu, from 0", number, equal);
    clopt_table_row(table, "type\t%s", device->type);
    clopt_table_row(table, "compute units\t%" PRIu32, device->compute_units);
    clopt_table_row(table, "memory\t%s", global);
    clopt_table_row(table, "local memory\t%s", local);
    clopt_table_row(table, "work-group\tup to %zu work-items", device->max_work_group_size);
    clopt_table_row(table, "float vectors\t%" PRIu32 " preferred, %" PRIu32 " native",
                    device->preferred_vector_width_float, device->native_vector_width_float);
    clopt_table_row(table, "OpenCL\t%s", device->opencl_version);
    clopt_table_row(table, "driver\t%s", device->driver_version);
    if (!device->available)
        clopt_table_row(table, "unusable\tnot available");
    else if (!device->compiler_available)
        clopt_table_row(table, "unusable\tno compiler");
}

/* Prints a device as its name and aligned lines below it: as columns, names and versions would be
 * wider than any terminal. */
static enum clopt_status print_device(const struct listing *listing, size_t number,
                                      struct clopt_error *error)
{
    const struct measured *measured = &listing->devices[number];
    const struct clopt_device_info *device = &measured->info;
    CLOPT_HELD(clopt_table) table = clopt_table_create("ll");
    add_lines(table, listing, number);
    if (listing->with_peaks) {
        CLOPT_OWNED(clopt_text) text = {0};
        clopt_peaks_say(&text, &measured->peaks);
        if (text.length)
            clopt_table_row(table, "peaks\t%s", clopt_text_string(&text));
        clopt_text_clear(&text);
        clopt_clock_say(&text, &measured->clock);
        if (text.length)
            clopt_table_row(table, "clock\t%s", clopt_text_string(&text));
    }
    clopt_text_print(stdout, "%s\n", device->name);
    enum clopt_status status = clopt_table_print(table, stdout, 2, error);
    return !status && listing->with_patterns && clopt_access_any(&measured->access)
               ? clopt_access_print(&measured->access, stdout, error)
               : status;
}

static enum clopt_status print_text(const struct listing *listing, struct clopt_error *error)
{
    for (size_t i = 0; i < listing->count; i++) {
        if (i)
            putchar('\n');
        CLOPT_TRY(print_device(listing, i, error));
    }
    return CLOPT_OK;
}

static enum clopt_status print_json(const struct listing *listing, struct clopt_error *error)
{
    json_t *array = json_array();
    for (size_t i = 0; i < listing->count; i++) {
        json_t *device = clopt_device_to_json(&listing->devices[i].info);
        if (listing->with_peaks) {
            json_object_set_new(device, "peaks", clopt_peaks_to_json(&listing->devices[i].peaks));
            json_object_set_new(device, "clock", clopt_clock_to_json(&listing->devices[i].clock));
        }
        if (listing->with_patterns)
            json_object_set_new(device, "patterns",
                                clopt_access_to_json(&listing->devices[i].access));
        clopt_json_append(&array, device);
    }
    return clopt_json_print(array, stdout, "the list of devices", error);
}

static enum clopt_status print(const struct listing *listing, struct clopt_error *error)
{
    return listing->json ? print_json(listing, error) : print_text(listing, error);
}

/* Lists the devices; for a child, since drivers may hang or crash when they are loaded. */
static enum clopt_status list_apart(void *user, struct clopt_error *error)
{
    struct listing *listing = user;
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    CLOPT_TRY(clopt_device_list(NULL, &devices, NULL, &listing->count, error));
    listing->devices = clopt_calloc(listing->count, sizeof *listing->devices);
    for (size_t i = 0; i < listing->count; i++)
        listing->devices[i].info = devices[i];
    return print(listing, error);
}

/* Has a worker measure what a device can do, as far as that is asked for and makes sense. */
static enum clopt_status measure(const struct listing *listing, struct clopt_query *query,
                                 struct measured *device, struct clopt_error *error)
{
    bool measures = clopt_peaks_make_sense(&device->info);
    json_auto_t *access = NULL, *peaks = NULL;
    enum clopt_status status = CLOPT_OK;
    if (measures && listing->with_patterns)
        status = clopt_pool_measure(&query->pool, 0, "access", &access, &device->cause, error);
    device->access = clopt_access_from_json(access);
    if (clopt_access_any(&device->access))
        clopt_kept_put(CLOPT_KEPT_ACCESS, &device->info, access);
    if (measures && listing->with_peaks && !status && !device->cause.status)
        status = clopt_pool_measure(&query->pool, 0, "peaks", &peaks, &device->cause, error);
    device->peaks = clopt_peaks_from_json(peaks);
    device->clock = clopt_clock_from_json(json_object_get(peaks, "clock"));
    if (peaks)
        clopt_peaks_keep(&device->info, &device->peaks);
    return status;
}

/* Lists all devices and measures each, in workers like a study: drivers and loaders may change the
 * environment of a process that opens them, which workers inherit (Khronos' loader cuts
 * OCL_ICD_FILENAMES at its first colon). */
static enum clopt_status measure_all(const struct clopt_global_options *global,
                                     struct listing *listing, struct clopt_error *error)
{
    static const struct clopt_limits limits = {
        .setup_s = 60, .build_s = 60, .launch_s = 60, .trial_s = 60};
    const struct clopt_process_settings settings = {
        .plugin_path = global->plugin_path, .kernel_path = global->kernel_path, .pin = true};
    CLOPT_OWNED(clopt_query) query = {0};
    CLOPT_TRY(clopt_query_open(&query, &settings, &limits, error));
    listing->count = query.count;
    listing->devices = clopt_calloc(query.count, sizeof *listing->devices);
    for (size_t i = 0; i < query.count; i++) {
        listing->devices[i].info = query.devices[i];
        clopt_query_use(&query, i);
        CLOPT_TRY(measure(listing, &query, &listing->devices[i], error));
    }
    return CLOPT_OK;
}

/* Says which devices could not be measured. */
static int report_causes(const struct listing *listing)
{
    int code = CLOPT_EXIT_DONE;
    for (size_t i = 0; i < listing->count; i++) {
        const struct measured *device = &listing->devices[i];
        if (!device->cause.status)
            continue;
        clopt_text_print(stderr, "clopt: %s / %s: not measured: %s\n", device->info.platform,
                         device->info.name, device->cause.message);
        code = CLOPT_EXIT_FAILURE;
    }
    return code;
}

/* Draws the rates of each device into a file. */
static enum clopt_status draw(const struct clopt_registry *registry, const struct listing *listing,
                              struct clopt_error *error)
{
    const struct clopt_output output = {.registry = registry,
                                        .format = clopt_format_find(registry, "figures"),
                                        .folder = listing->folder};
    struct clopt_document document = clopt_output_begin(&output, "clopt devices");
    for (size_t i = 0; i < listing->count; i++)
        if (clopt_access_any(&listing->devices[i].access))
            clopt_access_draw(&listing->devices[i].access, listing->devices[i].info.platform,
                              listing->devices[i].info.name, &document);
    return clopt_output_finish(&output, &document, CLOPT_OK, error);
}

/* Lists the devices as asked for, and says what the exit code is. */
static int list(const struct clopt_global_options *global, struct listing *listing)
{
    struct clopt_error error = {0};
    enum clopt_status status =
        listing->with_peaks || listing->with_patterns
            ? measure_all(global, listing, &error)
            : clopt_command_apart(listing->limit_s, list_apart, listing, &error);
    if (!status && listing->devices)
        status = listing->folder ? draw(global->registry, listing, &error) : print(listing, &error);
    int code = status ? clopt_report_error(&error) : report_causes(listing);
    free(listing->devices);
    return code;
}

static const struct clopt_key options[] = {
    CLOPT_FLAG(0, "peaks", struct listing, with_peaks,
               "measure what each of them can do at most, in about a second"),
    CLOPT_FLAG(0, "patterns", struct listing, with_patterns,
               "measure how fast each of them accesses memory in each pattern, by vector width or "
               "distance, in some seconds; it is kept, and reports of studies that follow say what "
               "it means for kernels"),
    CLOPT_TEXT(0, "figures", "FOLDER", struct listing, folder,
               "with it: draw that, an SVG file a device, and print their paths"),
    CLOPT_FLAG(0, "json", struct listing, json,
               "print a JSON array with all that is known of each device"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct listing, limit_s, CLOPT_LEGAL_LIMIT,
                  "give up listing them after this time [60]"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct listing listing = {.limit_s = CLOPT_DEFAULT_LIMIT_S};
    int code;
    if (!clopt_command_read(global, &clopt_devices_command, &listing, argc, argv, &code))
        return code;
    if (optind < argc)
        return clopt_usage_error("devices", "%s: devices takes no argument", argv[optind]);
    if (listing.folder && (!listing.with_patterns || listing.json || !*listing.folder))
        return clopt_usage_error("devices",
                                 "--figures=FOLDER goes with --patterns, without --json");
    return list(global, &listing);
}

const struct clopt_command clopt_devices_command = {
    .name = "devices",
    .first = true,
    .usage = "devices [--peaks] [--patterns [--figures=FOLDER]] [--json]\n",
    .about = "Example: clopt devices --peaks\n\n"
             "Lists the devices of every OpenCL platform, with what matters for a study.\n"
             "\n",
    .lists = {{options, 0}},
    .run = run_command,
};
