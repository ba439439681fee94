/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a parameter does to the best speed-up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/effect.h"
#include "view/fields.h"

#define LEAST_CELL 7 /* characters, with the blank before it */

/* Widths of columns. */
struct widths {
    int label;
    int cell;
};

static struct widths measure(const struct clopt_effects *effects)
{
    struct widths widths = {(int)strlen("geometric mean"), LEAST_CELL};
    for (size_t i = 0; i < effects->count; i++) {
        int length = (int)strlen(effects->items[i].label);
        widths.label = length > widths.label ? length : widths.label;
    }
    for (size_t v = 0; v < effects->value_count; v++) {
        int length = (int)strlen(effects->values[v]) + 2;
        widths.cell = length > widths.cell ? length : widths.cell;
    }
    return widths;
}

/* A line of titles, and one below it. */
static void print_head(const struct clopt_effects *effects, const struct widths *widths,
                       const char *first, const char *last)
{
    FILE *stream = effects->request->stream;
    int length = widths->label + (int)strlen(last) +
                 widths->cell * (int)(effects->value_count + (*first != '\0'));
    fprintf(stream, "  %-*s", widths->label, "Kernel");
    if (*first)
        fprintf(stream, "%*s", widths->cell, first);
    for (size_t v = 0; v < effects->value_count; v++)
        fprintf(stream, "%*s", widths->cell, effects->values[v]);
    fprintf(stream, "%s\n  ", last);
    while (length-- > 0)
        putc('-', stream);
    putc('\n', stream);
}

static void print_number(const struct clopt_effects *effects, const struct widths *widths,
                         double number)
{
    if (isnan(number))
        fprintf(effects->request->stream, "%*s", widths->cell, "--");
    else
        fprintf(effects->request->stream, "%*.2f", widths->cell, number);
}

/* The number of the best, its interval, and what it may be. */
static void print_best(const struct clopt_effects *effects, const struct clopt_interval *best)
{
    fprintf(effects->request->stream, "  %5.2f [%.2f, %.2f]", best->median, best->low, best->high);
}

static void print_effect(const struct clopt_effects *effects, const struct widths *widths,
                         const struct clopt_effect *effect)
{
    fprintf(effects->request->stream, "  %-*s", widths->label, effect->label);
    print_number(effects, widths, effect->initial.median);
    for (size_t v = 0; v < effects->value_count; v++)
        print_number(effects, widths,
                     effect->points[v].row ? effect->points[v].speedup.median : NAN);
    if (effect->best != CLOPT_NO_ROW)
        print_best(effects, &effect->points[effect->best].speedup);
    putc('\n', effects->request->stream);
}

static double mean_initial(const struct clopt_effects *effects, size_t device)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device && !isnan(effects->items[i].initial.median)) {
            sum += log(effects->items[i].initial.median);
            count++;
        }
    return exp(sum / (double)count);
}

static void print_mean(const struct clopt_effects *effects, const struct widths *widths,
                       size_t device)
{
    fprintf(effects->request->stream, "  %-*s", widths->label, "geometric mean");
    print_number(effects, widths, mean_initial(effects, device));
    for (size_t v = 0; v < effects->value_count; v++)
        print_number(effects, widths, clopt_effects_mean(effects, device, v).median);
    struct clopt_interval best = clopt_effects_mean(effects, device, CLOPT_NO_ROW);
    if (best.samples)
        print_best(effects, &best);
    putc('\n', effects->request->stream);
}

/* Counts which kernels gain and which lose, by the interval of their best. */
static void print_count(const struct clopt_effects *effects, size_t device)
{
    size_t count = 0, gain = 0, lose = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        if (effect->device != device || effect->best == CLOPT_NO_ROW)
            continue;
        const struct clopt_interval *best = &effect->points[effect->best].speedup;
        count++;
        gain += best->attained && best->low > 1;
        lose += best->attained && best->high < 1;
    }
    fprintf(effects->request->stream,
            "\n  Of %zu, %zu gain, %zu lose, and %zu cannot be told from the baseline.\n", count,
            gain, lose, count - gain - lose);
}

static void print_speedups(const struct clopt_effects *effects, const struct widths *widths,
                           size_t device)
{
    const struct clopt_results_device *about = effects->devices[device];
    clopt_text_print(effects->request->stream, "\n%s: %s, %s, driver %s\n\n", about->label,
                     about->platform, about->name, about->driver_version);
    print_head(effects, widths, "initial", "  best [95% interval]");
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].device == device)
            print_effect(effects, widths, &effects->items[i]);
    print_mean(effects, widths, device);
    print_count(effects, device);
}

/* ---- local sizes ---- */

/* Whether any best variant says its local size. */
static bool has_sizes(const struct clopt_effects *effects, size_t device)
{
    for (size_t i = 0; i < effects->count; i++)
        for (size_t v = 0; v < effects->value_count && effects->items[i].device == device; v++) {
            const struct clopt_results_row *row = effects->items[i].points[v].row;
            char *size = row ? clopt_effect_value(row->name, "local_size") : NULL;
            free(size);
            if (size)
                return true;
        }
    return false;
}

static void print_sizes(const struct clopt_effects *effects, const struct widths *widths,
                        size_t device)
{
    struct widths wide = {widths->label, widths->cell > 9 ? widths->cell : 9};
    fputs("\n  Local size of the best variant with each value\n\n", effects->request->stream);
    print_head(effects, &wide, "", "");
    for (size_t i = 0; i < effects->count; i++) {
        const struct clopt_effect *effect = &effects->items[i];
        if (effect->device != device)
            continue;
        fprintf(effects->request->stream, "  %-*s", wide.label, effect->label);
        for (size_t v = 0; v < effects->value_count; v++) {
            const struct clopt_results_row *row = effect->points[v].row;
            char *size = row ? clopt_effect_value(row->name, "local_size") : NULL;
            fprintf(effects->request->stream, "%*s", wide.cell,
                    size  ? size
                    : row ? "initial"
                          : "--");
            free(size);
        }
        putc('\n', effects->request->stream);
    }
}

/* ---- forms ---- */

static void print_text(const struct clopt_effects *effects)
{
    const struct clopt_report_effects *request = effects->request;
    struct widths widths = measure(effects);
    fprintf(request->stream, "Best speed-up by %s, over %s\n", request->parameter,
            request->strict ? "the initial code at the best of its local sizes"
                            : "the initial code");
    for (size_t device = 0; device < effects->device_count; device++) {
        print_speedups(effects, &widths, device);
        if (has_sizes(effects, device))
            print_sizes(effects, &widths, device);
    }
}

static void print_row(const struct clopt_effects *effects, const struct clopt_effect *effect,
                      size_t value)
{
    const struct clopt_results_device *device = effects->devices[effect->device];
    const struct clopt_effect_point *point = &effect->points[value];
    json_t *fields = json_pack("[s, s, s, s, s, s, s, s, f, f, f, b]", effect->app, effect->problem,
                               effect->kernel, device->label, device->platform, device->name,
                               effects->values[value], point->row->name, point->speedup.median,
                               point->speedup.low, point->speedup.high, value == effect->best);
    json_array_append_new(fields, json_string(effect->baseline->name));
    size_t index;
    json_t *field;
    json_array_foreach(fields, index, field)
        clopt_csv_print(effects->request->stream, field, index == 0);
    fputs("\r\n", effects->request->stream);
    json_decref(fields);
}

static void print_csv(const struct clopt_effects *effects)
{
    fprintf(effects->request->stream,
            "app,problem,kernel,device,platform,device_name,%s,variant,speedup,speedup_low,"
            "speedup_high,best,baseline\r\n",
            effects->request->parameter);
    for (size_t i = 0; i < effects->count; i++)
        for (size_t v = 0; v < effects->value_count; v++)
            if (effects->items[i].points[v].row)
                print_row(effects, &effects->items[i], v);
}

enum clopt_status clopt_report_effects(const struct clopt_report_effects *request,
                                       struct clopt_error *error)
{
    struct clopt_effects effects;
    enum clopt_status status = clopt_effects_init(&effects, request, error);
    if (status)
        return status;
    if (request->gnuplot)
        status = clopt_effects_draw(&effects, error);
    else if (request->csv)
        print_csv(&effects);
    else
        print_text(&effects);
    clopt_effects_fini(&effects);
    return status;
}
