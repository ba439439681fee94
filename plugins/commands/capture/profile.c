/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that an application has launched, by the time that they took. */
#include "commands/capture/profile.h"

#include <math.h>

#include "commands/capture/activities.h"
#include "document/format.h"

#define TITLE "Kernels of "

/* A kernel on a device, of all processes, and of all programs that differ by options or numbers. */
struct kernel {
    const struct clopt_record_row *first;
    struct clopt_record_launches launches;
    bool sizes_differ;
    unsigned programs;
    double *times_ns;
    size_t time_count;
    double median_ns; /* NaN: none was timed */
};

struct profile {
    struct kernel *kernels;
    size_t count;
    struct clopt_record_launches launches;
    bool devices_differ;
};

static const char *const kind_names[] = {"source",           "a binary", "IL",
                                         "built-in kernels", "linking",  "a call unknown to clopt"};

static struct kernel *find_kernel(struct profile *profile, const struct clopt_record_row *row)
{
    for (size_t i = 0; i < profile->count; i++) {
        const struct clopt_record_row *first = profile->kernels[i].first;
        if (strcmp(first->kernel, row->kernel) == 0 && strcmp(first->family, row->family) == 0 &&
            strcmp(first->platform, row->platform) == 0 && strcmp(first->device, row->device) == 0)
            return &profile->kernels[i];
    }
    struct kernel *made =
        clopt_array_add(&profile->kernels, &profile->count, sizeof *profile->kernels);
    made->first = row;
    return made;
}

static void add_times(struct kernel *kernel, const struct clopt_record_row *row)
{
    const uint64_t timed = row->launches.timed;
    size_t more = timed < CLOPT_RECORD_TIMES ? timed : CLOPT_RECORD_TIMES;
    kernel->times_ns =
        clopt_realloc(kernel->times_ns, kernel->time_count + more, sizeof *kernel->times_ns);
    for (size_t i = 0; i < more; i++)
        kernel->times_ns[kernel->time_count++] = (double)row->times_ns[i];
}

static void add_launches(struct clopt_record_launches *sum,
                         const struct clopt_record_launches *launches)
{
    sum->count += launches->count;
    sum->timed += launches->timed;
    sum->total_ns += launches->total_ns;
    sum->buffer_bytes += launches->buffer_bytes;
}

/* Whether no row before, of another process, is of the same kernel of the same program. */
static bool is_new(const struct clopt_record *record, const struct clopt_record_row *row)
{
    const struct clopt_record_row *before = record->rows;
    while (before < row &&
           !(before->ready && before->launches.count && strcmp(before->kernel, row->kernel) == 0 &&
             strcmp(before->program, row->program) == 0 &&
             strcmp(before->platform, row->platform) == 0 &&
             strcmp(before->device, row->device) == 0))
        before++;
    return before == row;
}

static void add_row(struct profile *profile, const struct clopt_record *record,
                    const struct clopt_record_row *row)
{
    struct kernel *kernel = find_kernel(profile, row);
    kernel->programs += is_new(record, row);
    const struct clopt_record_sizes *sizes = row->sizes, *first = kernel->first->sizes;
    add_times(kernel, row);
    add_launches(&kernel->launches, &row->launches);
    add_launches(&profile->launches, &row->launches);
    kernel->sizes_differ |= row->sizes_differ || sizes->dimensions != first->dimensions ||
                            memcmp(sizes->global, first->global, sizeof sizes->global) != 0 ||
                            memcmp(sizes->local, first->local, sizeof sizes->local) != 0;
    profile->devices_differ |= strcmp(row->device, profile->kernels->first->device) != 0;
}

static int compare_kernels(const void *a, const void *b)
{
    const struct kernel *first = a, *second = b;
    if (first->launches.total_ns != second->launches.total_ns)
        return first->launches.total_ns < second->launches.total_ns ? 1 : -1;
    return strcmp(first->first->kernel, second->first->kernel);
}

/* Gathers what all processes have recorded. */
static void gather(struct profile *profile, const struct clopt_record *record)
{
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++)
        if (record->rows[i].ready && record->rows[i].launches.count)
            add_row(profile, record, &record->rows[i]);
    for (size_t i = 0; i < profile->count; i++) {
        struct kernel *kernel = &profile->kernels[i];
        kernel->median_ns =
            clopt_interval_estimate(kernel->times_ns, NULL, kernel->time_count).median;
    }
    if (profile->count)
        qsort(profile->kernels, profile->count, sizeof *profile->kernels, compare_kernels);
}

static void profile_fini(struct profile *profile)
{
    for (size_t i = 0; i < profile->count; i++)
        free(profile->kernels[i].times_ns);
    free(profile->kernels);
}

static double share_of(const struct profile *profile, const struct kernel *kernel)
{
    return (double)kernel->launches.total_ns / (double)profile->launches.total_ns;
}

void clopt_sizes_print(const uint64_t sizes[3], unsigned dimensions, struct clopt_text *text)
{
    for (unsigned d = 0; d < dimensions && d < 3 && sizes[0]; d++)
        clopt_text_printf(text, "%s%" PRIu64, d ? " x " : "", sizes[d]);
}

uint64_t clopt_record_total_ns(const struct clopt_record *record)
{
    uint64_t total_ns = 0;
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++)
        total_ns += record->rows[i].ready ? record->rows[i].launches.total_ns : 0;
    return total_ns;
}

/* ---- for people ---- */

static void put_local_size(struct clopt_grid *grid, const struct kernel *kernel)
{
    const struct clopt_record_sizes *first = kernel->first->sizes;
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_sizes_print(first->local, first->dimensions, &text);
    if (!text.length)
        clopt_text_append(&text, "not given");
    clopt_grid_put(grid, "%s", clopt_text_string(&text));
}

static void put_kernel(const struct profile *profile, const struct kernel *kernel,
                       struct clopt_grid *grid)
{
    bool timed = kernel->launches.timed != 0;
    double bytes = (double)kernel->launches.buffer_bytes;
    double total_ns = (double)kernel->launches.total_ns;
    clopt_grid_add_row(grid, "%s", kernel->first->kernel);
    if (profile->devices_differ)
        clopt_grid_put(grid, "%s", kernel->first->device);
    else
        clopt_grid_skip(grid, 1);
    if (kernel->programs > 1)
        clopt_grid_put_number(grid, kernel->programs, 0);
    else
        clopt_grid_skip(grid, 1);
    clopt_grid_put_number(grid, (double)kernel->launches.count, 0);
    clopt_grid_put_number(grid, timed ? total_ns / 1e6 : NAN, 3);
    clopt_grid_put_number(grid, timed ? 100 * share_of(profile, kernel) : NAN, 2);
    clopt_grid_put_number(grid, kernel->median_ns / 1e3, 3);
    clopt_grid_put_number(grid, timed ? bytes / (double)kernel->launches.timed / 1e6 : NAN, 3);
    clopt_grid_put_number(grid, total_ns > 0 ? bytes / total_ns : NAN, 3);
    put_local_size(grid, kernel);
    if (kernel->first->program_kind != CLOPT_PROGRAM_SOURCE)
        clopt_grid_put(grid, "%s", kind_names[kernel->first->program_kind]);
}

static void put_table(const struct profile *profile, struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid, "Kernels by time");
    clopt_grid_add_columns(
        &grid, "*Kernel, ?Device, ?#Programs, #Launches, =Total ms, =% of time, =Median us, "
               "=MB, =GB/s, Local size, ?Built from");
    for (size_t i = 0; i < profile->count; i++)
        put_kernel(profile, &profile->kernels[i], &grid);
    clopt_document_table(document, &grid);
}

void clopt_profile_advise(const struct clopt_application *application, const char *kernel,
                          struct clopt_document *document)
{
    CLOPT_OWNED(clopt_text) line = {0};
    clopt_text_printf(&line, "clopt capture --kernel=%s --", kernel);
    for (char *const *word = application->argv; *word; word++) {
        clopt_text_append_char(&line, ' ');
        clopt_text_append_word(&line, *word);
    }
    clopt_document_command(document, clopt_text_string(&line));
}

/* Says what to tune first: the kernel with most of the time, of those that have a source. Where
 * kernels are captured, one of their studies is named instead. */
static void put_answer(const struct profile *profile, const struct clopt_application *application,
                       bool first, struct clopt_document *document)
{
    const struct kernel *kernel = profile->kernels, *end = kernel + profile->count;
    while (kernel < end && kernel->first->program_kind != CLOPT_PROGRAM_SOURCE)
        kernel++;
    if (application->folder || !profile->launches.total_ns || kernel == end ||
        !kernel->launches.total_ns)
        return;
    clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                          "%s " CLOPT_STRONG "%s" CLOPT_WEAK
                          " first: it takes %.0f%% of the time of all kernels.",
                          first ? "Tune" : "Of the kernels, tune", kernel->first->kernel,
                          100 * share_of(profile, kernel));
    clopt_profile_advise(application, kernel->first->kernel, document);
}

static void put_loaders(const struct clopt_record *record, struct clopt_document *document)
{
    if (record->loaders > 1)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "A process has loaded %u OpenCL loaders (%s), and not all of them have "
            "clopt's layer: launches by another one are not seen, and their time "
            "is missing here. Let its libraries use one loader.",
            record->loaders, record->loader_paths);
}

static void put_remarks(const struct profile *profile, const struct clopt_record *record,
                        struct clopt_document *document)
{
    uint64_t untimed = profile->launches.count - profile->launches.timed;
    bool all = true, several = false;
    for (size_t i = 0; i < profile->count; i++) {
        all &= profile->kernels[i].first->program_kind == CLOPT_PROGRAM_SOURCE;
        several |= profile->kernels[i].programs > 1;
    }
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "MB: the buffers that a launch is given; GB/s: each of their bytes taken "
                          "once. Local size: of the first launch.");
    if (several)
        clopt_document_printf(
            document, CLOPT_SENTENCE_PLAIN,
            "Programs: those that have the kernel, and differ by build options or "
            "numbers in the source alone.");
    if (!all)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "A kernel that is not built from source cannot be rewritten. Applications "
            "that keep binaries build from source once that cache is emptied.");
    if (untimed)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "%" PRIu64 " launches have no time: they had not ended when their "
                              "process did, or failed, or their queue cannot tell.",
                              untimed);
    if (record->row_count > CLOPT_RECORD_ROWS)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "Only the first %d kernels are counted; there were more.",
                              CLOPT_RECORD_ROWS);
}

static const char *const begins[] = {TITLE,
                                     "# " TITLE,
                                     "\n% " TITLE,
                                     CLOPT_PAGE_BEGIN "<title>" TITLE,
                                     "kernel,program,built_from,",
                                     "{\n  \"format\": \"clopt profile\"",
                                     "{\n  \"format\": \"clopt apply\"",
                                     "{\n  \"format\": \"clopt capture\"",
                                     NULL};
const struct clopt_file_kind clopt_profile_kind = {"report of kernels", begins};

static void report_text(const struct profile *profile, const struct clopt_application *application,
                        struct clopt_document *document)
{
    clopt_document_heading(document, CLOPT_HEADING_TITLE, TITLE "%s", application->argv[0]);
    if (!profile->count) {
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              application->record->processes
                                  ? "It launched no kernel that clopt could see."
                                  : "It does not use OpenCL through a loader that knows layers: "
                                    "ocl-icd 2.3.0, or Khronos', or a newer one.");
        put_loaders(application->record, document);
        return;
    }
    CLOPT_OWNED(clopt_queue_timeline) timeline = {0};
    clopt_queue_timeline_init(&timeline, application);
    bool other = clopt_activities_advise(application, &timeline, document);
    put_answer(profile, application, !other, document);
    put_table(profile, document);
    put_remarks(profile, application->record, document);
    clopt_activities_table(application, &timeline, document);
    clopt_queue_timeline_show(&timeline, document);
    put_loaders(application->record, document);
}

/* ---- for programs ---- */

static void report_rows(const struct profile *profile, const struct clopt_application *application,
                        struct clopt_document *document)
{
    clopt_document_data(document, "exit_code", json_integer(application->exit_code));
    clopt_document_data(document, "unseen_loaders",
                        application->record->loaders
                            ? json_string(application->record->loader_paths)
                            : json_null());
    CLOPT_OWNED(clopt_queue_timeline) timeline = {0};
    clopt_queue_timeline_init(&timeline, application);
    clopt_activities_data(application, document);
    clopt_queue_timeline_data(&timeline, document);
    clopt_document_rows(document, "kernels",
                        "kernel program built_from platform device launches timed_launches "
                        "total_ns median_ns share buffer_bytes global_size local_size "
                        "sizes_differ programs");
    for (size_t i = 0; i < profile->count; i++) {
        const struct kernel *kernel = &profile->kernels[i];
        const struct clopt_record_row *first = kernel->first;
        CLOPT_OWNED(clopt_text) global = {0}, local = {0};
        clopt_sizes_print(first->sizes->global, first->sizes->dimensions, &global);
        clopt_sizes_print(first->sizes->local, first->sizes->dimensions, &local);
        clopt_document_row(document, "sssssiiiddissbi", first->kernel, first->program,
                           kind_names[first->program_kind], first->platform, first->device,
                           (int64_t)kernel->launches.count, (int64_t)kernel->launches.timed,
                           (int64_t)kernel->launches.total_ns, kernel->median_ns,
                           kernel->launches.timed ? share_of(profile, kernel) : NAN,
                           (int64_t)kernel->launches.buffer_bytes, global.data, local.data,
                           kernel->sizes_differ, (int64_t)kernel->programs);
    }
}

void clopt_profile_report(const struct clopt_application *application,
                          struct clopt_document *document)
{
    CLOPT_OWNED(profile) profile = {0};
    gather(&profile, application->record);
    if (document->for_programs)
        report_rows(&profile, application, document);
    else
        report_text(&profile, application, document);
}
