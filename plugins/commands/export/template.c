/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills templates, and adds what they become. */
#include <ctype.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "commands/export/unit.h"

/* The files of plugins/commands/export/templates: their names and texts. */
static const struct {
    const char *name;
    const char *text;
} templates[] = {
#include "plugins/commands/export/templates.h"
};

/* Appends what a name between two @ means; false where it is none. */
static bool append_mark(struct clopt_text *text, const struct clopt_export_unit *unit,
                        const struct clopt_export_mark *marks, const char *name, size_t length)
{
    const struct clopt_export_mark common[] = {{"kernel", unit->name},
                                               {"KERNEL", unit->macro},
                                               {"entry", unit->kernel},
                                               {"version", PACKAGE_VERSION}};
    const size_t count = sizeof common / sizeof *common;
    for (size_t i = 0; i < count || marks->name; i++) {
        const struct clopt_export_mark *mark = i < count ? &common[i] : marks++;
        if (strlen(mark->name) != length || strncmp(mark->name, name, length) != 0)
            continue;
        clopt_text_append(text, mark->text);
        return true;
    }
    return false;
}

void clopt_export_fill(struct clopt_text *text, const struct clopt_export_unit *unit,
                       const char *name, const struct clopt_export_mark *marks)
{
    const char *at = templates[0].text;
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (strcmp(templates[i].name, name) == 0)
            at = templates[i].text;
    while (*at) {
        size_t plain = strcspn(at, "@");
        size_t length = at[plain] ? strcspn(at + plain + 1, "@\n ") : 0;
        clopt_text_append_bytes(text, at, plain);
        at += plain;
        if (length && append_mark(text, unit, marks, at + 1, length))
            at += length + 2;
        else if (*at)
            clopt_text_append_char(text, *at++);
    }
}

void clopt_export_add_filled(struct clopt_export_unit *unit, const char *name, const char *ending,
                             const struct clopt_export_mark *marks)
{
    CLOPT_OWNED(clopt_text) text = {0};
    CLOPT_FREED char *file = clopt_text_format("%s%s", unit->name, ending);
    clopt_export_fill(&text, unit, name, marks);
    clopt_file_set_add_text(&unit->files, file, &text);
}

void clopt_export_append_string(struct clopt_text *text, const char *string)
{
    clopt_text_append_char(text, '"');
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            clopt_text_printf(text, "\\%c", c);
        else if (isprint(c) && c != '?')
            clopt_text_append_char(text, (char)c);
        else
            clopt_text_printf(text, "\\%03o", c);
    }
    clopt_text_append_char(text, '"');
}

const struct clopt_variable *clopt_export_parameter(struct clopt_export_unit *unit,
                                                    const char *kernel, size_t index)
{
    const struct clopt_export_variant *initial = unit->variants;
    const struct clopt_kernel *kernels = initial->trial.app->extension->app->kernels;
    for (size_t i = 0; kernels[i].name; i++) {
        if (strcmp(kernels[i].name, kernel) != 0)
            continue;
        if (!unit->sources[i] &&
            clopt_source_create(unit->source.path, initial->made.source, NULL,
                                initial->made.dialect, kernel, &unit->sources[i], NULL))
            return NULL;
        const struct clopt_function *function = unit->sources[i]->kernel;
        return index < function->parameter_count ? function->parameters[index] : NULL;
    }
    return NULL;
}
