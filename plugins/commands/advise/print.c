/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints advice. */
#include "commands/advise/guideline.h"

#include <math.h>

#include "text/table.h"

#define MOST_NEAREST  3
#define MOST_MEASURED 5
#define LEAST_GAIN    1.02 /* as fast as the initial code: below, noise may be all there is */
#define ROUNDED       1e-3 /* features that are no further apart are equal */

/* A kernel that was learnt from: on the device where it resembles the subject most. */
struct neighbour {
    const struct clopt_training_record *record;
    double distance;
};

/* What was learnt from. */
struct basis {
    size_t variants;
    size_t kernels;
    struct neighbour *nearest; /* each kernel once, the most alike first */
};

static int compare_neighbours(const void *a, const void *b)
{
    const struct neighbour *one = a, *other = b;
    int order = (one->distance > other->distance) - (one->distance < other->distance);
    return order ? order : strcmp(one->record->kernel, other->record->kernel);
}

static bool is_among(const struct basis *basis, const char *kernel)
{
    for (size_t i = 0; i < basis->kernels; i++)
        if (strcmp(basis->nearest[i].record->kernel, kernel) == 0)
            return true;
    return false;
}

static void find_basis(const struct clopt_advice_print *print, struct basis *basis)
{
    size_t count = print->advice->count, found = 0;
    CLOPT_FREED struct neighbour *all = clopt_calloc(count + 1, sizeof *all);
    *basis = (struct basis){.nearest = clopt_calloc(count + 1, sizeof *basis->nearest)};
    for (size_t i = 0; i < count; i++) {
        const struct clopt_training_record *record = &print->advice->records[i];
        if (strcmp(record->device.type, print->subject->device.type) != 0)
            continue;
        basis->variants += record->count;
        all[found++] = (struct neighbour){
            record, clopt_advice_distance(print->advice, record->variants[record->initial].profile,
                                          &print->subject->profile)};
    }
    qsort(all, found, sizeof *all, compare_neighbours);
    for (size_t i = 0; i < found; i++)
        if (!is_among(basis, all[i].record->kernel))
            basis->nearest[basis->kernels++] = all[i];
}

static void say_basis(struct clopt_text *text, const struct clopt_advice_print *print,
                      const struct basis *basis)
{
    clopt_text_printf(text, "Learnt from %zu variant%s of %zu kernel%s on devices of the type %s. ",
                      basis->variants, basis->variants == 1 ? "" : "s", basis->kernels,
                      basis->kernels == 1 ? "" : "s", print->subject->device.type);
    clopt_text_append(text, "Most like it:");
    for (size_t i = 0; i < basis->kernels && i < MOST_NEAREST; i++) {
        const struct clopt_training_record *record = basis->nearest[i].record;
        clopt_text_printf(text, "%s %s (%zu variant%s on %s; at best %.3g times as fast)",
                          i ? "," : "", record->kernel, record->count,
                          record->count == 1 ? "" : "s", record->device_name,
                          exp2(record->variants[record->best].gain));
    }
    clopt_text_append(text, ".");
}

/* ---- what was measured of the kernel itself ---- */

/* A variant of the subject that was measured on its device. */
struct measured {
    const struct clopt_training_record *record;
    const struct clopt_training_record_variant *variant;
};

static int compare_measured(const void *a, const void *b)
{
    const struct measured *one = a, *other = b;
    double x = one->variant->gain, y = other->variant->gain;
    return x != y ? (x < y) - (x > y) : strcmp(one->variant->name, other->variant->name);
}

/* Whether a record is of the subject, whatever its size: a kernel of the same name and structure,
 * on the same device. */
static bool is_own(const struct clopt_advice_print *print,
                   const struct clopt_training_record *record)
{
    static const int structure[] = {CLOPT_PROFILE_LOOPS, CLOPT_PROFILE_DEPTH, CLOPT_PROFILE_SIZE,
                                    CLOPT_PROFILE_DIMENSIONS};
    const struct clopt_profile *profile = record->variants[record->initial].profile;
    bool own = strcmp(record->kernel, print->trial->kernel->name) == 0 &&
               strcmp(record->device_name, print->device->name) == 0;
    for (size_t i = 0; i < sizeof structure / sizeof *structure; i++)
        own = own && fabs(profile->values[structure[i]] -
                          print->subject->profile.values[structure[i]]) < ROUNDED;
    return own;
}

static bool is_listed(const struct measured *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].variant->name, name) == 0)
            return true;
    return false;
}

/* Lists its variants that are faster than the initial code, each once, the fastest first, for the
 * caller to free. `tried`: how many were measured. */
static struct measured *list_measured(const struct clopt_advice_print *print, size_t *count,
                                      size_t *tried)
{
    struct measured *list = NULL;
    size_t all = 0;
    *count = *tried = 0;
    for (size_t i = 0; i < print->advice->count; i++) {
        const struct clopt_training_record *record = &print->advice->records[i];
        bool own = is_own(print, record);
        *tried += own ? record->count - 1 : 0;
        for (size_t v = 0; own && v < record->count; v++) {
            if (record->variants[v].gain < log2(LEAST_GAIN))
                continue;
            clopt_array_grow(&list, all, sizeof *list);
            list[all++] = (struct measured){record, &record->variants[v]};
        }
    }
    if (all)
        qsort(list, all, sizeof *list, compare_measured);
    for (size_t i = 0; i < all && *count < MOST_MEASURED; i++)
        if (!is_listed(list, *count, list[i].variant->name))
            list[(*count)++] = list[i];
    return list;
}

/* Names what was measured of the kernel on this device, which is worth more than advice. */
static void say_measured(struct clopt_text *text, const struct clopt_advice_print *print)
{
    size_t count, tried;
    CLOPT_FREED struct measured *list = list_measured(print, &count, &tried);
    if (tried)
        clopt_text_printf(text,
                          "Measured of it on this device, times as fast as the initial code: ");
    for (size_t i = 0; i < count; i++) {
        const char *problem = list[i].record->problem;
        clopt_text_printf(text, "%s%s %.3g%s%s%s", i ? "; " : "", list[i].variant->name,
                          exp2(list[i].variant->gain), *problem ? " (" : "", problem,
                          *problem ? ")" : "");
    }
    if (tried)
        clopt_text_printf(text, count ? "." : "none of %zu variant%s is faster.", tried,
                          tried == 1 ? "" : "s");
}

static void print_paragraph(const struct clopt_text *text, FILE *stream)
{
    if (text->length) {
        fputs("  ", stream);
        clopt_wrap_print(stream, 2, 2, clopt_text_string(text));
        fputs("\n", stream);
    }
}

static json_t *measured_to_json(const struct clopt_advice_print *print)
{
    size_t count, tried;
    CLOPT_FREED struct measured *list = list_measured(print, &count, &tried);
    json_t *json = json_array();
    for (size_t i = 0; i < count; i++)
        clopt_json_append(&json, json_pack("{s:s, s:s, s:f}", "variant", list[i].variant->name,
                                           "problem", list[i].record->problem, "speedup",
                                           exp2(list[i].variant->gain)));
    return json;
}

/* ---- all ---- */

static enum clopt_status print_candidates(const struct clopt_proposals *proposals, FILE *stream,
                                          struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("rrll");
    clopt_table_wrap(table);
    clopt_table_row(table, "counted\texpected\t4 of 5\tvariant");
    clopt_table_rule(table);
    for (size_t i = 0; i < proposals->count; i++) {
        const struct clopt_proposal *proposal = &proposals->items[i];
        clopt_table_row(table, "%.3g\t%.3g\t[%.2g, %.2g]\t%s", proposal->expected.counted,
                        proposal->expected.speedup, proposal->expected.low, proposal->expected.high,
                        proposal->name);
    }
    return clopt_table_print(table, stream, 2, error);
}

/* Whether what fits the kernel's pattern is for the device. */
static bool is_for(const struct clopt_advice_print *print, const struct clopt_start *start)
{
    return print->pattern && strcmp(start->device_type, print->device->type) == 0;
}

/* Says what the kernel is, and what a search tries first for that. */
static void print_pattern(const struct clopt_advice_print *print, FILE *stream)
{
    CLOPT_OWNED(clopt_text) text = {0};
    size_t named = 0;
    if (!print->pattern)
        return;
    clopt_text_printf(&text, "It is %s.", print->pattern);
    for (size_t i = 0; i < print->start_count; i++)
        if (is_for(print, &print->starts[i]))
            clopt_text_printf(&text, "%s %s", named++ ? "," : " `clopt tune` tries first:",
                              print->starts[i].variant);
    print_paragraph(&text, stream);
}

static json_t *pattern_to_json(const struct clopt_advice_print *print)
{
    json_t *first = json_array();
    for (size_t i = 0; i < print->start_count; i++)
        if (is_for(print, &print->starts[i]))
            clopt_json_append(&first, clopt_json_text(print->starts[i].variant));
    return json_pack("{s:o, s:o}", "is", clopt_json_text(print->pattern), "first", first);
}

enum clopt_status clopt_advice_print(const struct clopt_advice_print *print, bool again,
                                     FILE *stream, struct clopt_error *error)
{
    const struct clopt_proposals *proposals = print->proposals;
    struct basis basis;
    CLOPT_OWNED(clopt_text) text = {0};
    CLOPT_FREED char *problem = clopt_inputs_label(print->trial->app, print->trial->inputs);
    find_basis(print, &basis);
    clopt_text_print(stream, "%s%s%s%s%s on %s\n\n", again ? "\n" : "", print->trial->kernel->name,
                     *problem ? " (" : "", problem, *problem ? ")" : "", print->device->name);
    say_measured(&text, print);
    print_paragraph(&text, stream);
    print_pattern(print, stream);
    clopt_text_clear(&text);
    clopt_guidelines_say(&text, print->guidelines);
    print_paragraph(&text, stream);
    clopt_text_clear(&text);
    say_basis(&text, print, &basis);
    free(basis.nearest);
    print_paragraph(&text, stream);
    if (!proposals->count)
        fprintf(stream, "  Nothing to try: none of %zu variant%s looked at is feasible here.\n",
                proposals->infeasible, proposals->infeasible == 1 ? " that was" : "s that were");
    else
        CLOPT_TRY(print_candidates(proposals, stream, error));
    if (proposals->count && !proposals->items[0].expected.safe)
        fputs("\n  None of them is surely faster: measure before you leave the initial code.\n",
              stream);
    return CLOPT_OK;
}

json_t *clopt_advice_to_json(const struct clopt_advice_print *print)
{
    const struct clopt_proposals *proposals = print->proposals;
    struct basis basis;
    json_t *kernels = json_array(), *variants = json_array();
    CLOPT_FREED char *problem = clopt_inputs_label(print->trial->app, print->trial->inputs);
    find_basis(print, &basis);
    for (size_t i = 0; i < basis.kernels; i++)
        clopt_json_append(&kernels, json_pack("{s:s, s:s, s:I, s:f}", "kernel",
                                              basis.nearest[i].record->kernel, "device",
                                              basis.nearest[i].record->device_name, "variants",
                                              (json_int_t)basis.nearest[i].record->count,
                                              "distance", basis.nearest[i].distance));
    for (size_t i = 0; i < proposals->count; i++)
        clopt_json_append(&variants, json_pack("{s:s, s:f, s:f, s:f, s:f, s:b}", "variant",
                                               proposals->items[i].name, "counted",
                                               proposals->items[i].expected.counted, "speedup",
                                               proposals->items[i].expected.speedup, "low",
                                               proposals->items[i].expected.low, "high",
                                               proposals->items[i].expected.high, "safe",
                                               proposals->items[i].expected.safe));
    json_t *json = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:O, s:I, s:o, s:o}", "kernel",
                             print->trial->kernel->name, "problem", clopt_json_text(problem),
                             "device", clopt_json_text(print->device->name), "profile",
                             clopt_profile_to_json(&print->subject->profile), "pattern",
                             pattern_to_json(print), "measured", measured_to_json(print),
                             "guidelines", print->guidelines, "learnt_variants",
                             (json_int_t)basis.variants, "nearest", kernels, "variants", variants);
    free(basis.nearest);
    return json;
}
