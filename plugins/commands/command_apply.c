/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt apply`: runs an application, and launches winners in the place of its kernels. */
#include "commands/capture/command_application.h"
#include "commands/shared/commands.h"

#include <errno.h>
#include <math.h>

#include "commands/capture/profile.h"
#include "commands/export/export.h"
#include "file/folder.h"
#include "library/winner.h"

struct request {
    struct clopt_application_request whole;
    struct clopt_export_request export;
    int64_t checks;
    bool keeps;
};

/* Gives the path of the file of winners that the command line names, or that it makes of a store in
 * a folder. */
static enum clopt_status find_winners(struct request *request, const char *named,
                                      const char *folder, char **winners, struct clopt_error *error)
{
    bool is_wisdom = clopt_wisdom_is(named);
    *winners = is_wisdom ? realpath(named, NULL) : clopt_path_join(folder, "winners");
    if (!*winners)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", named, strerror(errno));
    if (!is_wisdom)
        return clopt_store_export(request->whole.global, &request->export, named, *winners, error);
    if (request->export.kernel || request->export.variant)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: --kernel and --variant choose from a store: give them to `clopt "
                          "export`",
                          named);
    CLOPT_HELD(clopt_wisdom) wisdom = NULL;
    return clopt_wisdom_open(*winners, &wisdom, error);
}

/* ---- what was launched ---- */

/* Returns the mean time of some launches; NaN where none was timed. */
static double find_mean(uint64_t total_ns, uint64_t timed)
{
    return timed ? (double)total_ns / (double)timed : NAN;
}

static double mean_before(const struct clopt_record_row *row)
{
    return find_mean(row->launches.total_ns - row->winner.total_ns,
                     row->launches.timed - row->winner.timed);
}

static double mean_after(const struct clopt_record_row *row)
{
    return find_mean(row->winner.total_ns, row->winner.timed);
}

static const char *find_reason(const struct clopt_record_row *row)
{
    return !row->winner.variant[0]  ? row->winner.missing
           : row->winner.kept.count ? row->winner.kept.reason
                                    : NULL;
}

/* Adds a row of the table, for people or for programs. */
static void put_row(const struct clopt_record_row *row, struct clopt_grid *grid,
                    struct clopt_document *document)
{
    double before = mean_before(row), after = mean_after(row);
    if (document->for_programs) {
        clopt_document_row(document, "ssiiidddsssd", row->kernel,
                           row->winner.variant[0] ? row->winner.variant : NULL,
                           (int64_t)row->winner.replaced, (int64_t)row->winner.checked,
                           (int64_t)row->winner.kept.count, before, after, before / after,
                           find_reason(row),
                           !row->winner.replaced ? NULL
                           : row->winner.loaded  ? "loaded"
                                                 : "built",
                           row->winner.sibling[0] ? row->winner.sibling : NULL,
                           row->winner.gain > 0 ? row->winner.gain : NAN);
        return;
    }
    clopt_grid_add_row(grid, "%s", row->kernel);
    clopt_grid_put(grid, "%s", row->winner.variant[0] ? row->winner.variant : "none");
    clopt_grid_put_number(grid, (double)row->launches.count, 0);
    clopt_grid_put_number(grid, (double)row->winner.replaced, 0);
    clopt_grid_put_number(grid, before / 1e3, 3);
    clopt_grid_put_number(grid, after / 1e3, 3);
    clopt_grid_put_number(grid, before / after, 2);
}

/* Says of a kernel that has a winner how many launches ran that, and why others did not. */
static void say_applied(const struct clopt_record_row *row, struct clopt_document *document)
{
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s: %" PRIu64 " of %" PRIu64 " launches ran %s", row->kernel,
                      row->winner.replaced, row->launches.count, row->winner.variant);
    if (row->winner.checked)
        clopt_text_printf(&text, "; %" PRIu64 " ran both, with equal results", row->winner.checked);
    if (row->winner.kept.count)
        clopt_text_printf(&text, "; %" PRIu64 " ran the kernel itself: %s", row->winner.kept.count,
                          row->winner.kept.reason);
    if (row->winner.loaded)
        clopt_text_append(&text, "; its program was built by an earlier process");
    if (row->winner.sibling[0])
        clopt_text_printf(&text, "; it was measured on a sibling of the device, %s",
                          row->winner.sibling);
    if (row->winner.gain > 0)
        clopt_text_printf(&text, ": here it is %.2f times as fast as the kernel itself",
                          row->winner.gain);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    clopt_text_fini(&text);
}

/* Says why a kernel has no winner, and how to find one. */
static void say_missing(const struct clopt_record_row *row,
                        const struct clopt_application *application,
                        struct clopt_document *document)
{
    clopt_document_printf(document, CLOPT_SENTENCE_ITEM, "%s has no winner: %s", row->kernel,
                          row->winner.missing);
    if (row->program_kind == CLOPT_PROGRAM_SOURCE)
        clopt_profile_advise(application, row->kernel, document);
}

static void say_all(const struct clopt_application *application, struct clopt_document *document)
{
    const struct clopt_record *record = application->record;
    bool any = false, compared = false;
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++) {
        const struct clopt_record_row *row = &record->rows[i];
        if (row->ready && row->winner.variant[0]) {
            say_applied(row, document);
            any = true;
            compared |= isfinite(mean_before(row) / mean_after(row));
        }
    }
    if (!any)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "No kernel of the application is one of the study: by name, source, "
                              "build options and device.");
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++)
        if (record->rows[i].ready && record->rows[i].winner.missing[0])
            say_missing(&record->rows[i], application, document);
    if (record->keeps)
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM,
                              "Of the application's own programs, %u were built, and %u were "
                              "loaded as an earlier run had built them.",
                              record->built_programs, record->loaded_programs);
    if (any)
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              compared ? "Before: launches of the kernel itself; after: of its "
                                         "winner; each the mean of those that this run timed."
                                       : "Before and after are known of a kernel where both ran: "
                                         "--check=N runs the kernel itself first.");
}

/* Says of each kernel what was launched in its place. */
static enum clopt_status report_winners(struct clopt_application_request *whole,
                                        struct clopt_document *document, struct clopt_error *error)
{
    const struct clopt_record *record = whole->application.record;
    struct clopt_grid grid = {0};
    bool any = false;
    (void)error;
    if (document->for_programs)
        clopt_document_rows(document, "applied",
                            "kernel variant replaced_launches checked_launches kept_launches "
                            "before_mean_ns after_mean_ns speedup reason program sibling "
                            "sibling_speedup");
    else
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "Applied");
    clopt_grid_add_columns(&grid, "*Kernel, *Winner, #Launches, #Ran, =Before us, =After us, "
                                  "=Speed-up");
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++) {
        const struct clopt_record_row *row = &record->rows[i];
        if (row->ready && (row->winner.variant[0] || row->winner.missing[0])) {
            put_row(row, &grid, document);
            any = true;
        }
    }
    if (document->for_programs) {
        clopt_document_rows(document, "programs", "built loaded");
        clopt_document_row(document, "ii", (int64_t)record->built_programs,
                           (int64_t)record->loaded_programs);
    }
    if (any && !document->for_programs)
        clopt_document_table(document, &grid);
    else
        clopt_grid_fini(&grid);
    if (!document->for_programs)
        say_all(&whole->application, document);
    return CLOPT_OK;
}

static const struct clopt_key apply_options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct request, export.kernel,
               "replace this kernel alone [all of the store]"),
    CLOPT_TEXT(0, "variant", "NAME", struct request, export.variant,
               "launch this variant, by its name in reports [the fastest]"),
    CLOPT_OPTION(0, "check", "[N]", VALUE, INTEGER, "1..1000000", "1",
                 offsetof(struct request, checks),
                 "run both at the first N launches of each kernel, and compare their results; a "
                 "winner that differs is not launched any more [1, where only --check is said]"),
    CLOPT_FLAG(0, "keep-binaries", struct request, keeps,
               "keep what the application's own programs are built to, and load it in later runs"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .whole = {.global = global, .output.on_stderr = true, .report = report_winners}};
    struct clopt_error error = {0};
    CLOPT_OWNED(clopt_temporary) folder = {0};
    int code;
    if (!clopt_command_read(global, &clopt_apply_command, &request, argc, argv, &code))
        return code;
    if (optind + 1 >= argc)
        return clopt_usage_error("apply", optind == argc
                                              ? "no store given: clopt apply STORE -- APPLICATION"
                                              : "no application given: clopt apply STORE -- "
                                                "APPLICATION");
    if ((code = clopt_output_check(global, &request.whole.output, "apply")) != CLOPT_EXIT_DONE)
        return code;
    CLOPT_FREED char *winners = NULL;
    enum clopt_status status = clopt_temporary_create(&folder, &error);
    if (!status)
        status = find_winners(&request, argv[optind], folder.path, &winners, &error);
    int first = optind + 1;
    if (!status && strcmp(argv[first], "--") == 0)
        first++;
    request.whole.application.winners = winners;
    request.whole.application.checks = (uint32_t)request.checks;
    request.whole.application.keeps = request.keeps;
    return status ? clopt_report_error(&error)
                  : clopt_application_command(&clopt_apply_command, &request.whole, argv + first);
}

const struct clopt_command clopt_apply_command = {
    .name = "apply",
    .usage = "apply STORE [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Example: clopt apply saxpy.db -- ./program\n\n"
             "Runs an application as it is, and launches the fastest variants of a study in\n"
             "the place of its kernels, which are recognised by their source. Where a launch\n"
             "does not fit, the kernel itself is launched, which is counted and reported.\n"
             "STORE is a store, or what `clopt export STORE --wisdom FILE` has written.\n"
             "\n",
    .arguments = "STORE APPLICATION ...",
    .lists = {{apply_options, 0},
              {clopt_application_options, 0},
              {clopt_output_options, offsetof(struct request, whole.output), clopt_output_row}},
    .run = run_command,
};
