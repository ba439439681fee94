/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt apply`: runs an application, and launches winners in the place of its kernels. */
#include "commands/application.h"

#include <errno.h>

#include "library/winner.h"
#include "file/folder.h"

struct request {
    struct clopt_application_request whole;
    struct clopt_export_request export;
    int64_t checks;
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

/* Says of each kernel that has a winner how many launches ran that. */
static enum clopt_status report_winners(struct clopt_application_request *whole,
                                        struct clopt_document *document, struct clopt_error *error)
{
    const struct clopt_record *record = whole->application.record;
    bool any = false;
    (void)error;
    if (document->for_programs)
        clopt_document_rows(document, "applied",
                            "kernel variant replaced_launches checked_launches kept_launches "
                            "reason");
    else
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "Applied");
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++) {
        const struct clopt_record_row *row = &record->rows[i];
        struct clopt_text text = {0};
        if (!row->ready || !row->winner.variant[0])
            continue;
        any = true;
        if (document->for_programs) {
            clopt_document_row(document, "ssiiis", row->kernel, row->winner.variant,
                               (int64_t)row->winner.replaced, (int64_t)row->winner.checked,
                               (int64_t)row->winner.kept.count,
                               row->winner.kept.count ? row->winner.kept.reason : NULL);
            continue;
        }
        clopt_text_printf(&text, "%s: %" PRIu64 " of %" PRIu64 " launches ran %s", row->kernel,
                          row->winner.replaced, row->launches.count, row->winner.variant);
        if (row->winner.checked)
            clopt_text_printf(&text, "; %" PRIu64 " ran both, with equal results",
                              row->winner.checked);
        if (row->winner.kept.count)
            clopt_text_printf(&text, "; %" PRIu64 " ran the kernel itself: %s",
                              row->winner.kept.count, row->winner.kept.reason);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        clopt_text_fini(&text);
    }
    if (!any && !document->for_programs)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "No kernel of the application is one of the study: by name, source, "
                              "build options and device.");
    return CLOPT_OK;
}

static enum clopt_status take_checks(void *read, const struct clopt_option *option,
                                     const char *text, struct clopt_error *error)
{
    struct request *request = read;
    request->checks = text ? clopt_number_read(text, 1, 1000000) : 1;
    return request->checks < 0
               ? clopt_fail(error, CLOPT_INVALID, "--%s=%s: a number of launches, 1 to 1000000",
                            option->name, text)
               : CLOPT_OK;
}

static const struct clopt_option apply_options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct request, export.kernel,
               "replace this kernel alone [all of the store]"),
    CLOPT_TEXT(0, "variant", "NAME", struct request, export.variant,
               "launch this variant, by its name in reports [the fastest]"),
    CLOPT_TAKEN(0, "check", "[N]", take_checks,
                "run both at the first N launches of each kernel, and compare their results; a "
                "winner that differs is not launched any more [1, where only --check is said]"),
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
    if ((code = clopt_output_check(&request.whole.output, "apply")) != CLOPT_EXIT_DONE)
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
    return status ? clopt_report_error(&error)
                  : clopt_application_command(&clopt_apply_command, &request.whole, argv + first);
}

const struct clopt_command clopt_apply_command = {
    .name = "apply",
    .summary = "run an application with the winners of a study",
    .usage = "apply STORE [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Runs an application as it is, and launches the fastest variants of a study in\n"
             "the place of its kernels, which are recognised by their source. Where a launch\n"
             "does not fit, the kernel itself is launched, which is counted and reported.\n"
             "STORE is a store, or what `clopt export STORE --wisdom FILE` has written.\n"
             "\n",
    .arguments = "STORE APPLICATION ...",
    .lists = {{apply_options, 0},
              {clopt_application_options, 0},
              {clopt_output_options, offsetof(struct request, whole.output)}},
    .run = run_command,
};
