/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the sources of exported variants, each with a comment that says where it comes from. */

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "commands/export/unit.h"
#include "commands/shared/change.h"

#define WIDTH 96 /* of comments */

/* Appends a paragraph of a comment, in lines that begin with `begin`, and after the first with
 * `next`; nothing in it ends the comment. */
static void append_paragraph(struct clopt_text *text, const char *begin, const char *next,
                             const char *paragraph)
{
    CLOPT_OWNED(clopt_text) shown = {0};
    size_t column = strlen(begin);
    clopt_text_append_printable(&shown, paragraph);
    clopt_text_append(text, begin);
    for (const char *at = clopt_text_string(&shown); *(at += strspn(at, " "));) {
        size_t length = strcspn(at, " ");
        if (column + 1 + length > WIDTH) {
            clopt_text_printf(text, "\n%s", next);
            column = strlen(next);
        }
        clopt_text_append(text, " ");
        for (size_t i = 0; i < length; i++) {
            bool ends = at[i] == '/' && i > 0 && at[i - 1] == '*';
            clopt_text_append(text, ends ? " " : "");
            clopt_text_append_char(text, at[i]);
        }
        column += 1 + length;
        at += length;
    }
    clopt_text_append(text, "\n");
}

static void append_steps(struct clopt_text *text, const struct clopt_export_variant *variant)
{
    CLOPT_OWNED(clopt_text) line = {0};
    for (size_t i = 0; i < variant->trial.step_count; i++) {
        const struct clopt_step *step = &variant->trial.steps[i];
        CLOPT_FREED char *name = clopt_step_name(&variant->trial, step);
        clopt_text_clear(&line);
        clopt_text_printf(&line, "%s: %s", name ? name : "",
                          step->optimization->extension->summary);
        if (name && *name)
            append_paragraph(text, " * -", " *  ", clopt_text_string(&line));
    }
}

/* Appends what was measured of a variant on each device. */
static void append_times(struct clopt_text *text, const struct clopt_export_unit *unit,
                         const struct clopt_export_variant *variant)
{
    for (size_t d = 0; d < unit->results->device_count; d++) {
        const struct clopt_result *cell = &variant->row->row->cells[d];
        const struct clopt_interval *time = &cell->times[unit->view->scope].interval;
        CLOPT_OWNED(clopt_text) line = {0};
        if (!clopt_result_shown(cell, unit->view->scope))
            continue;
        struct clopt_unit scale = clopt_unit_choose(unit->results->objective, time->median);
        clopt_text_append(&line, "on ");
        clopt_summary_device(&line, &unit->results->devices[d]);
        clopt_text_printf(&line, ": %.4g %s [%.4g, %.4g]", time->median / scale.nanounits,
                          scale.name, time->low / scale.nanounits, time->high / scale.nanounits);
        if (!variant->row->initial)
            clopt_summary_gain(&line, variant->view, variant->row, d);
        append_paragraph(text, " * -", " *  ", clopt_text_string(&line));
    }
}

static void add_source(struct clopt_export_unit *unit, const struct clopt_export_variant *variant)
{
    CLOPT_OWNED(clopt_text) text = {0}, line = {0};
    clopt_text_printf(&line, "%s of %s, written by clopt " PACKAGE_VERSION " (clopt export): %s",
                      unit->kernel, unit->view->problem->app, variant->row->row->name);
    append_paragraph(&text, "/*", " *", clopt_text_string(&line));
    append_steps(&text, variant);
    clopt_text_append(&text, " *\n");
    const struct clopt_alternative *own = clopt_trial_alternative(&variant->trial);
    if (own)
        clopt_text_printf(
            &text, " * Arguments, NDRange: those of [variant %s] of the study; then:\n", own->name);
    clopt_change_say(&text, " * ", clopt_export_change(variant), true);
    clopt_text_append(&text, " *\n");
    clopt_text_clear(&line);
    clopt_summary_run(&line, unit->results);
    clopt_text_printf(&line, " With %s:", variant->view->problem->title);
    append_paragraph(&text, " *", " *", clopt_text_string(&line));
    append_times(&text, unit, variant);
    clopt_text_printf(&text, " */\n%s", variant->text);
    if (text.length && text.data[text.length - 1] != '\n')
        clopt_text_append(&text, "\n");
    clopt_file_set_add_text(&unit->files, variant->file, &text);
}

void clopt_export_add_sources(struct clopt_export_unit *unit)
{
    for (size_t i = 0; i < unit->count; i++)
        add_source(unit, &unit->variants[i]);
}
