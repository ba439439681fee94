/* SPDX-License-Identifier: BSD-3-Clause */
/* What came of captured launches: their studies, told apart, or why there is none. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strverscmp() */
#endif
#include "commands/capture/captured.h"

#include <math.h>

#include "commands/capture/profile.h"
#include "text/build_options.h"

#define PROGRAM_DIGITS 8

/* ---- the list ---- */

static bool is_of_sizes(const struct clopt_record_sizes *sizes, const struct clopt_captured *launch)
{
    bool same =
        sizes->dimensions == launch->dimensions && sizes->buffer_bytes == launch->buffer_bytes;
    for (unsigned d = 0; d < 3; d++)
        same &= sizes->global[d] == launch->global[d] && sizes->local[d] == launch->local[d];
    return same;
}

/* Sums up, over all processes, the launches of the same kernel, program and sizes. */
static void sum_up(const struct clopt_record *record, struct clopt_captured_study *study)
{
    const struct clopt_captured *launch = study->launch;
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++) {
        const struct clopt_record_row *row = &record->rows[i];
        bool same = row->ready && strcmp(row->kernel, launch->kernel) == 0 &&
                    strcmp(row->program, launch->program) == 0 &&
                    strcmp(row->device, launch->device) == 0;
        for (uint32_t j = 0; same && j < row->size_count; j++) {
            const struct clopt_record_sizes *sizes = &row->sizes[j];
            if (!is_of_sizes(sizes, launch))
                continue;
            study->times.count += sizes->count;
            study->times.timed += sizes->timed;
            study->times.total_ns += sizes->total_ns;
        }
    }
}

static struct clopt_captured_study *add(struct clopt_captured_studies *list, const char *kernels)
{
    struct clopt_captured_study *made =
        clopt_array_add(&list->studies, &list->count, sizeof *list->studies);
    made->kernels = clopt_strdup(kernels);
    return made;
}

void clopt_captured_refuse(struct clopt_captured_studies *list, const char *kernels,
                           const char *reason)
{
    add(list, kernels)->reason = clopt_strdup(reason);
}

void clopt_captured_add(struct clopt_captured_studies *list, const char *kernels, const char *path,
                        const struct clopt_captured *launch)
{
    struct clopt_error reason = {0};
    struct clopt_captured_study *made = add(list, kernels);
    made->launch = launch;
    if (launch)
        sum_up(list->record, made);
    if (clopt_ini_read(path, NULL, &made->ini, &reason))
        made->reason = clopt_strdup(reason.message);
    else
        made->path = clopt_strdup(path);
}

void clopt_captured_studies_fini(struct clopt_captured_studies *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct clopt_captured_study *study = &list->studies[i];
        free(study->kernels);
        free(study->path);
        free(study->reason);
        clopt_ini_fini(&study->ini);
    }
    free(list->studies);
}

/* ---- what tells studies of a kernel apart ---- */

static bool is_like(const struct clopt_captured_study *a, const struct clopt_captured_study *b)
{
    return a->path && b->path && a->launch && b->launch &&
           strcmp(a->launch->kernel, b->launch->kernel) == 0;
}

static bool has_word(const struct clopt_captured_study *study, const char *word)
{
    CLOPT_OWNED(clopt_build_options) options = {0};
    bool has = false;
    clopt_build_options_split(study->launch->options, &options);
    for (size_t i = 0; i < options.count; i++)
        has |= strcmp(options.words[i], word) == 0;
    return has;
}

/* Appends the build options that another study of the kernel has not. */
static void append_options(const struct clopt_captured_studies *list,
                           const struct clopt_captured_study *study, struct clopt_text *text)
{
    CLOPT_OWNED(clopt_build_options) options = {0};
    clopt_build_options_split(study->launch->options, &options);
    for (size_t i = 0; i < options.count; i++) {
        bool differs = false;
        for (size_t j = 0; j < list->count; j++)
            differs |=
                is_like(study, &list->studies[j]) && !has_word(&list->studies[j], options.words[i]);
        if (differs)
            clopt_text_printf(text, "%s%s", text->length ? " " : "", options.words[i]);
    }
}

/* Whether another study of the kernel says something else of an argument. */
static bool argument_differs(const struct clopt_captured_studies *list,
                             const struct clopt_captured_study *study,
                             const struct clopt_ini_setting *argument)
{
    bool differs = false;
    for (size_t i = 0; i < list->count && !differs; i++) {
        const struct clopt_captured_study *other = &list->studies[i];
        const struct clopt_ini_section *section =
            is_like(study, other) ? clopt_ini_section(&other->ini, "arguments") : NULL;
        const struct clopt_ini_setting *its =
            section ? clopt_ini_setting(section, argument->key) : NULL;
        differs = section && (!its || strcmp(its->value, argument->value) != 0);
    }
    return differs;
}

/* Appends the arguments that differ, or all of them: their values, or types and lengths. */
static void append_arguments(const struct clopt_captured_studies *list,
                             const struct clopt_captured_study *study, bool all,
                             struct clopt_text *text)
{
    const struct clopt_ini_section *section = clopt_ini_section(&study->ini, "arguments");
    for (size_t i = 0; section && i < section->count; i++) {
        const struct clopt_ini_setting *argument = &section->settings[i];
        const char *value = argument->value, *file = strstr(value, " file(");
        if (!all && !argument_differs(list, study, argument))
            continue;
        if (strncmp(value, "input ", 6) == 0 || strncmp(value, "inout ", 6) == 0)
            value += 6;
        clopt_text_printf(text, "%s%s = %.*s", text->length ? ", " : "", argument->key,
                          (int)(file ? (size_t)(file - value) : strlen(value)), value);
    }
}

/* Whether a study of the kernel has the same build options and another source. */
static bool source_differs(const struct clopt_captured_studies *list,
                           const struct clopt_captured_study *study)
{
    bool differs = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct clopt_captured_study *other = &list->studies[i];
        differs |= is_like(study, other) &&
                   strcmp(study->launch->options, other->launch->options) == 0 &&
                   strcmp(study->launch->program, other->launch->program) != 0;
    }
    return differs;
}

static bool devices_differ(const struct clopt_captured_studies *list,
                           const struct clopt_captured_study *study)
{
    bool differs = false;
    for (size_t i = 0; i < list->count; i++)
        differs |= list->studies[i].path && list->studies[i].launch &&
                   strcmp(study->launch->device, list->studies[i].launch->device) != 0;
    return differs;
}

static void append_sizes(const size_t sizes[3], unsigned dimensions, struct clopt_text *text)
{
    const uint64_t wide[3] = {sizes[0], sizes[1], sizes[2]};
    clopt_sizes_print(wide, dimensions, text);
}

/* ---- for people ---- */

static void put_study(const struct clopt_captured_studies *list,
                      const struct clopt_captured_study *study, struct clopt_grid *grid)
{
    const struct clopt_captured *launch = study->launch;
    CLOPT_OWNED(clopt_text) global = {0}, local = {0}, arguments = {0}, options = {0};
    clopt_grid_add_row(grid, "%s", study->path);
    if (!launch) {
        clopt_grid_skip(grid, 8);
        clopt_grid_put(grid, "%s", study->kernels);
        return;
    }
    append_sizes(launch->global, launch->dimensions, &global);
    append_sizes(launch->local, launch->dimensions, &local);
    append_arguments(list, study, false, &arguments);
    append_options(list, study, &options);
    clopt_grid_put_number(grid, study->times.count ? (double)study->times.count : NAN, 0);
    clopt_grid_put_number(grid, study->times.timed ? (double)study->times.total_ns / 1e6 : NAN, 3);
    clopt_grid_put(grid, "%s", clopt_text_string(&global));
    clopt_grid_put(grid, "%s", local.length ? local.data : "not given");
    clopt_grid_put_if(grid, arguments.length, arguments.data);
    clopt_grid_put_if(grid, options.length, options.data);
    if (source_differs(list, study))
        clopt_grid_put(grid, "%.*s", PROGRAM_DIGITS, launch->program);
    else
        clopt_grid_skip(grid, 1);
    clopt_grid_put_if(grid, devices_differ(list, study), launch->device);
}

/* Says which study to tune first: that of the launches with most of the time. */
static void put_answer(const struct clopt_captured_studies *list,
                       const struct clopt_captured_study *first, struct clopt_document *document)
{
    CLOPT_OWNED(clopt_text) line = {0};
    if (first->times.total_ns)
        clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                              "Tune " CLOPT_STRONG "%s" CLOPT_WEAK
                              " first: such launches take %.0f%% of the time of all kernels.",
                              first->path,
                              100 * (double)first->times.total_ns /
                                  (double)clopt_record_total_ns(list->record));
    clopt_text_append(&line, "clopt tune ");
    clopt_text_append_word(&line, first->path);
    clopt_document_command(document, clopt_text_string(&line));
}

static void put_remarks(const struct clopt_captured_studies *list, struct clopt_document *document)
{
    CLOPT_OWNED(clopt_text) differ = {0};
    bool sources = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct clopt_captured_study *study = &list->studies[i];
        if (!study->path || !study->launch)
            continue;
        append_arguments(list, study, false, &differ);
        append_options(list, study, &differ);
        sources |= source_differs(list, study);
    }
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "Launches, Total ms: of all that have the same kernel, program, sizes "
                          "and bytes of buffers.");
    if (differ.length)
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "Arguments, Options: those that differ between studies of a kernel.");
    if (sources)
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "Program: studies of a kernel with the same options and another "
                              "source; compare their kernel.cl.");
}

/* Adds the table; the studies are sorted, those that there are first. */
static void put_table(const struct clopt_captured_studies *list, struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    if (!list->count || !list->studies->path)
        return;
    put_answer(list, list->studies, document);
    clopt_grid_set_heading(&grid, "Studies by time");
    clopt_grid_add_columns(&grid, "*Study, #Launches, =Total ms, Global size, Local size, "
                                  "?Arguments, ?Options, ?Program, ?Device, ?Steps");
    for (size_t i = 0; i < list->count && list->studies[i].path; i++)
        put_study(list, &list->studies[i], &grid);
    clopt_document_table(document, &grid);
    put_remarks(list, document);
}

static void report_text(const struct clopt_captured_studies *list, struct clopt_document *document)
{
    if (list->count)
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "Captured");
    put_table(list, document);
    for (size_t i = 0; i < list->count; i++)
        if (!list->studies[i].path)
            clopt_document_printf(document, CLOPT_SENTENCE_ITEM, "%s%s left out: %s",
                                  list->studies[i].kernels,
                                  strchr(list->studies[i].kernels, ',') ? " as steps are" : " is",
                                  list->studies[i].reason);
}

/* ---- for programs ---- */

static void put_row(const struct clopt_captured_studies *list,
                    const struct clopt_captured_study *study, struct clopt_document *document)
{
    const struct clopt_captured *launch = study->launch;
    CLOPT_OWNED(clopt_text) global = {0}, local = {0}, arguments = {0};
    clopt_document_row(document, "sss", study->kernels, study->path, study->reason);
    append_arguments(list, study, true, &arguments);
    if (launch) {
        append_sizes(launch->global, launch->dimensions, &global);
        append_sizes(launch->local, launch->dimensions, &local);
        clopt_document_values(document, "sssiiisss", launch->program, launch->device,
                              launch->options, (int64_t)study->times.count,
                              (int64_t)study->times.timed, (int64_t)study->times.total_ns,
                              global.data, local.data, arguments.data);
    } else {
        clopt_document_skip_to(document, "arguments");
        clopt_document_values(document, "s", arguments.data);
    }
}

/* ---- the whole ---- */

/* Studies of a launch come first, by time, then those of several, then what there is none of. */
static int compare(const void *a, const void *b)
{
    const struct clopt_captured_study *first = a, *second = b;
    if (!first->path != !second->path)
        return first->path ? -1 : 1;
    if (!first->launch != !second->launch)
        return first->launch ? -1 : 1;
    if (first->times.total_ns != second->times.total_ns)
        return first->times.total_ns < second->times.total_ns ? 1 : -1;
    if (first->launch && first->launch->order != second->launch->order)
        return first->launch->order < second->launch->order ? -1 : 1;
    int order = strcmp(first->kernels, second->kernels);
    return first->path ? strverscmp(first->path, second->path)
           : order     ? order
                       : strcmp(first->reason, second->reason);
}

void clopt_captured_report(struct clopt_captured_studies *list, struct clopt_document *document)
{
    if (list->count)
        qsort(list->studies, list->count, sizeof *list->studies, compare);
    if (!document->for_programs) {
        report_text(list, document);
        return;
    }
    clopt_document_rows(document, "studies",
                        "kernel study reason program device options launches timed_launches "
                        "total_ns global_size local_size arguments");
    for (size_t i = 0; i < list->count; i++)
        put_row(list, &list->studies[i], document);
}
