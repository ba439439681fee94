/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes how buffers get the layouts of exported variants: as functions in C and in Python. */
#include "commands/export/unit.h"
#include "text/json.h"

/* Names a symbol of a form as the header's functions have it. */
static const char *name_symbol(const void *text, unsigned symbol)
{
    const bool global = symbol < CLOPT_LAUNCH_LOCAL;
    if (symbol < CLOPT_LAUNCH_GLOBAL)
        snprintf((char *)text, 40, "arguments[%u]", symbol - 1);
    else
        snprintf((char *)text, 40, "%c[%u]", global ? 'g' : 'l',
                 symbol - (global ? CLOPT_LAUNCH_GLOBAL : CLOPT_LAUNCH_LOCAL));
    return text;
}

static void append_form(struct clopt_text *text, const struct clopt_affine *form)
{
    char symbol[40] = "";
    CLOPT_FREED char *printed = clopt_affine_print(form, " * ", name_symbol, symbol);
    clopt_text_append(text, printed);
}

/* Appends whether a launch is one for which the layout is. */
static void append_fits(struct clopt_text *text, const struct clopt_layout *layout, const char *and)
{
    for (unsigned i = 0; i < layout->need_count; i++) {
        const struct clopt_launch_need *need = &layout->needs[i];
        clopt_text_printf(text, "%s(", and);
        append_form(text, &need->form);
        if (need->multiple)
            clopt_text_printf(text, ") %% %u == 0", need->multiple);
        else
            clopt_text_append(text, ") >= 0");
    }
}

/* Appends what finds the length of a row, and whether a launch is one for which the layout is. */
static void append_width(struct clopt_text *text, const struct clopt_layout *layout, size_t number)
{
    clopt_text_printf(text, "    case %zu:\n        width = ", number);
    append_form(text, &layout->row);
    clopt_text_append(text, ";\n        fits = 1");
    append_fits(text, layout, " &&\n               ");
    clopt_text_append(text, ";\n        break;\n");
}

/* Returns which of the arguments that a variant takes in addition is the rows of a layout; -1: none
 * is. */
static int find_added(const struct clopt_ndrange_change *change, size_t layout)
{
    for (size_t i = 0; i < change->added_count; i++)
        if (change->added[i].rows && change->added[i].number == layout)
            return (int)i;
    return -1;
}

static void append_layout(struct clopt_text *text, const struct clopt_export_unit *unit,
                          size_t variant, size_t layout)
{
    const struct clopt_ndrange_change *change = clopt_export_change(&unit->variants[variant]);
    const struct clopt_layout *own = &change->layouts[layout];
    clopt_text_printf(text, "    {%zu, %u, %u, %u, %d, %d},\n", variant, own->argument,
                      own->element_bytes, own->block,
                      !clopt_export_reads(unit, &unit->variants[variant], own->argument),
                      find_added(change, layout));
}

/* Appends a layout for Python. */
static void append_python(struct clopt_text *text, const struct clopt_export_unit *unit,
                          size_t variant, size_t layout)
{
    const struct clopt_ndrange_change *change = clopt_export_change(&unit->variants[variant]);
    const struct clopt_layout *own = &change->layouts[layout];
    bool reads = clopt_export_reads(unit, &unit->variants[variant], own->argument);
    clopt_text_printf(
        text, "    Layout(%zu, %u, %u, %u, %s, %d,\n           lambda arguments, g, l: ", variant,
        own->argument, own->element_bytes, own->block, reads ? "False" : "True",
        find_added(change, layout));
    append_form(text, &own->row);
    clopt_text_append(text, ",\n           lambda arguments, g, l: True");
    append_fits(text, own, " and ");
    clopt_text_append(text, "),\n");
}

void clopt_export_append_layouts(struct clopt_text *header, struct clopt_text *host,
                                 struct clopt_text *python, const struct clopt_export_unit *unit)
{
    CLOPT_OWNED(clopt_text) list = {0}, widths = {0}, lambdas = {0};
    char count[24];
    size_t number = 0;
    for (size_t v = 0; v < unit->count; v++) {
        const struct clopt_ndrange_change *change = clopt_export_change(&unit->variants[v]);
        for (size_t i = 0; i < change->layout_count; i++) {
            append_layout(&list, unit, v, i);
            append_python(&lambdas, unit, v, i);
            append_width(&widths, &change->layouts[i], number++);
        }
    }
    if (!number)
        return;
    snprintf(count, sizeof count, "%zu", number);
    const struct clopt_export_mark marks[] = {{"layout_count", count},
                                              {"layout_list", clopt_text_string(&list)},
                                              {"widths", clopt_text_string(&widths)},
                                              {NULL, NULL}};
    if (header)
        clopt_export_fill(header, unit, "layouts.h", marks);
    if (host)
        clopt_export_fill(host, unit, "host_layouts.c", marks);
    const struct clopt_export_mark python_marks[] = {{"layout_list", clopt_text_string(&lambdas)},
                                                     {NULL, NULL}};
    if (python)
        clopt_export_fill(python, unit, "host_layouts.py", python_marks);
}

json_t *clopt_export_layouts_to_json(const struct clopt_export_unit *unit,
                                     const struct clopt_export_variant *variant)
{
    const struct clopt_ndrange_change *change = clopt_export_change(variant);
    json_t *json = json_array();
    for (size_t i = 0; i < change->layout_count; i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        CLOPT_OWNED(clopt_text) row = {0};
        json_t *needs = json_array();
        clopt_form_say(&row, &layout->row);
        for (unsigned k = 0; k < layout->need_count; k++) {
            CLOPT_OWNED(clopt_text) need = {0};
            clopt_need_say(&need, &layout->needs[k]);
            clopt_json_append(&needs, json_string(clopt_text_string(&need)));
        }
        clopt_json_append(
            &json, json_pack("{s:i, s:i, s:i, s:s, s:o, s:b, s:i}", "argument",
                             (int)layout->argument, "element_bytes", (int)layout->element_bytes,
                             "block", (int)layout->block, "row", clopt_text_string(&row), "needs",
                             needs, "written", !clopt_export_reads(unit, variant, layout->argument),
                             "added", find_added(change, i)));
    }
    return json;
}
