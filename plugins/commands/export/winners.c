/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the winners of a store, for clopt/wisdom.h and the layer. */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include <clopt/loop.h>

#include "commands/export/unit.h"
#include "file/file.h"
#include "library/family.h"
#include "library/winner.h"

static void append_demand(struct clopt_text *text, const struct clopt_argument_multiple *demand)
{
    if (demand->equals)
        clopt_text_printf(text, "equals %u %u\n", demand->argument, demand->equals);
    else if (demand->covers)
        clopt_text_printf(text, "covers %u %u\n", demand->argument, demand->covers);
    else
        clopt_text_printf(text, "multiple %u %u\n", demand->argument, demand->multiple);
}

static void append_form(struct clopt_text *text, const struct clopt_affine *form)
{
    clopt_text_printf(text, " %d", form->wraps);
    for (unsigned i = 0; i < form->count; i++) {
        clopt_text_printf(text, " %" PRId64, form->terms[i].factor);
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++)
            clopt_text_printf(text, " %u", form->terms[i].symbols[k]);
    }
    clopt_text_append_char(text, '\n');
}

static void append_layout(struct clopt_text *text, const struct clopt_layout *layout)
{
    clopt_text_printf(text, "layout %u %u %u", layout->argument, layout->element_bytes,
                      layout->block);
    append_form(text, &layout->row);
    for (unsigned i = 0; i < layout->need_count; i++) {
        clopt_text_printf(text, "need %u", layout->needs[i].multiple);
        append_form(text, &layout->needs[i].form);
    }
}

void clopt_export_append_change(struct clopt_text *text, const struct clopt_ndrange_change *change,
                                const struct clopt_ndrange *initial)
{
    for (unsigned d = 0; d < initial->dimensions; d++)
        clopt_text_printf(text, "size %zu %zu %zu %zu %zu %zu %zu %d\n", initial->global[d],
                          clopt_ndrange_factor(initial->local[d]), change->local_size[d],
                          clopt_ndrange_factor(change->divided_items[d]),
                          clopt_ndrange_factor(change->merged_items[d]),
                          clopt_ndrange_factor(change->merged_groups[d]),
                          clopt_ndrange_factor(change->local_multiple[d]), change->local_only[d]);
    clopt_text_printf(text, "needs %d %d\n", change->whole_groups, change->distinct_buffers);
    for (size_t i = 0; i < change->added_count; i++)
        if (change->added[i].zeroed)
            clopt_text_printf(text, "zeroed %zu 1\n", change->added[i].zeroed);
        else if (change->added[i].rows)
            clopt_text_printf(text, "rows %u 1\n", change->added[i].number);
        else
            clopt_text_printf(text, "added %u %zu\n", change->added[i].number,
                              clopt_ndrange_factor(change->added[i].merged));
    for (size_t i = 0; i < change->multiple_count; i++)
        append_demand(text, &change->multiples[i]);
    for (size_t i = 0; i < change->layout_count; i++)
        append_layout(text, &change->layouts[i]);
}

/* Whether a kernel only reads the buffer that an argument is: all that it does with that are
 * accesses to elements, and nothing that may be it is written. */
static bool is_read(const struct clopt_source *source, size_t argument)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    const struct clopt_function *kernel = source->kernel;
    const struct clopt_variable *parameter = kernel->parameters[argument];
    if (!parameter->is_pointer || clopt_variable_find_other_use(parameter, kernel->body, false))
        return false;
    clopt_accesses_add(&accesses, kernel->body);
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        if (access->writes && (!access->root || access->root == parameter))
            return false;
    }
    return true;
}

bool clopt_export_reads(const struct clopt_export_unit *unit,
                        const struct clopt_export_variant *variant, size_t argument)
{
    CLOPT_HELD(clopt_source) source = NULL;
    return !clopt_source_create(unit->source.path, variant->made.source, NULL,
                                variant->made.dialect, unit->kernel, &source, NULL) &&
           is_read(source, argument);
}

/* Tells which arguments are buffers that the kernel only reads, as it shows itself, or its variant,
 * where helper functions are in their places. */
static void append_access(struct clopt_text *text, struct clopt_export_unit *unit,
                          const struct clopt_export_variant *variant)
{
    clopt_text_append(text, "access ");
    for (size_t i = 0; clopt_export_parameter(unit, unit->kernel, i); i++)
        clopt_text_append_char(text, clopt_export_reads(unit, unit->variants, i) ||
                                             clopt_export_reads(unit, variant, i)
                                         ? 'r'
                                         : '-');
    clopt_text_append_char(text, '\n');
}

/* Returns the first argument whose layout a variant has, and which it may write, or has as half;
 * CLOPT_NO_ROW: there is none. The layer gives layouts to what is only read: what another thread
 * writes to the same buffer between both copies would be lost. And it changes no number. */
static size_t find_other_layout(const struct clopt_export_unit *unit,
                                const struct clopt_export_variant *variant)
{
    const struct clopt_ndrange_change *change = clopt_export_change(variant);
    for (size_t i = 0; i < change->layout_count; i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        if (layout->narrow || !clopt_export_reads(unit, variant, layout->argument))
            return layout->argument;
    }
    return CLOPT_NO_ROW;
}

/* Tells which arguments are buffers of real numbers. */
static void append_types(struct clopt_text *text, struct clopt_export_unit *unit)
{
    const struct clopt_variable *parameter;
    clopt_text_append(text, "types ");
    for (size_t i = 0; (parameter = clopt_export_parameter(unit, unit->kernel, i)); i++)
        clopt_text_append_char(text, clopt_scalar_is_real(parameter->pointee_scalar)
                                         ? *clopt_scalar_name(parameter->pointee_scalar)
                                         : '-');
    clopt_text_append_char(text, '\n');
}

/* Tells whose siblings may take it, too. */
static void append_family(struct clopt_text *text, const struct clopt_results_device *device)
{
    char family[CLOPT_FAMILY_SIZE];
    clopt_family_name(&(struct clopt_family_traits){device->type, device->vendor, device->name,
                                                    (uint64_t)device->compute_units,
                                                    (uint64_t)device->local_bytes},
                      family);
    if (*family)
        clopt_text_printf(text, "family %s\n", family);
}

/* Appends a variant as a winner of a device; `size` NULL: of the problem that it was measured with,
 * and of what is near. What a substitute loses is not known. */
static void append_winner(struct clopt_export_unit *unit,
                          const struct clopt_export_variant *variant, size_t device,
                          const struct clopt_size_range *size, bool substitute)
{
    struct clopt_text *text = unit->request->wisdom;
    const struct clopt_export_variant *initial = unit->variants;
    char source[CLOPT_HASH_SIZE];
    if (unit->source.includes) /* as clopt_wisdom_hash() does */
        memcpy(source, unit->source.hash, sizeof source);
    else
        clopt_sha256_bytes(initial->text, strlen(initial->text), source);
    const char *code = variant->row->initial ? "" : variant->text;
    clopt_text_printf(text, "winner\nkernel %s\ndevice %s\nvariant %s\nsource %s\n", unit->kernel,
                      unit->results->devices[device].name, variant->row->row->name, source);
    clopt_text_printf(text, "options %s\nbuild %s\n", initial->options, variant->options);
    append_family(text, &unit->results->devices[device]);
    append_types(text, unit);
    append_access(text, unit, variant);
    clopt_export_append_change(text, clopt_export_change(variant), &variant->ndrange);
    if (variant->local_known)
        clopt_text_printf(text, "local %zu\n", variant->local_bytes);
    for (unsigned d = 0; size && d < unit->dimensions; d++)
        clopt_text_printf(text, "range %zu %zu\n", size->low[d],
                          size->high[d] == SIZE_MAX ? 0 : size->high[d]);
    if (size && !substitute)
        clopt_text_printf(text, "loss %.0f %.0f %zu %zu %.0f\n", 1000 * size->mean,
                          1000 * size->most, size->tested, size->sizes, ceil(1000 * size->bound));
    clopt_text_printf(text, "code %zu\n%s\n", strlen(code), code);
    *unit->request->winners += !variant->row->initial;
}

/* Appends a winner, which is one of the variants of `from`, and after it those for launches that do
 * not fit it: of equals, programs take the first one that fits. */
static void append_winners(struct clopt_export_unit *unit, struct clopt_export_unit *from,
                           const struct clopt_export_variant *winner, size_t device,
                           const struct clopt_size_range *size)
{
    const struct clopt_export_variant *others[CLOPT_MOST_SUBSTITUTES];
    CLOPT_OWNED(clopt_text) note = {0};
    size_t other = find_other_layout(from, winner);
    if (other == CLOPT_NO_ROW)
        append_winner(unit, winner, device, size, false);
    else
        clopt_text_print(stderr,
                         "clopt: note: %s: %s writes argument %zu in another layout, or has it as "
                         "half, and programs give layouts to what is only read: it is no winner\n",
                         unit->kernel, winner->row->row->name, other);
    if (winner->row->initial)
        return;
    size_t count = clopt_export_find_substitutes(from, winner, device, others);
    clopt_text_printf(&note, "clopt: note: %s on %s: launches that do not fit %s run ",
                      unit->kernel, unit->results->devices[device].label, winner->row->label);
    for (size_t i = 0; i < count; i++) {
        append_winner(unit, others[i], device, size, true);
        clopt_text_printf(&note, "%s%s", i ? ", or " : "", others[i]->row->label);
    }
    if (count)
        clopt_text_print(unit->request->notices, "%s\n", clopt_text_string(&note));
}

void clopt_export_add_winners(struct clopt_export_unit *unit)
{
    for (size_t i = 0; i < unit->range_count; i++) {
        const struct clopt_export_range *range = &unit->ranges[i];
        append_winners(unit, range->from, range->made, range->device, &range->size);
    }
    for (size_t d = 0; d < unit->results->device_count; d++) {
        if (unit->chosen[d] == CLOPT_NO_ROW || unit->sized[d])
            continue;
        const struct clopt_export_variant *variant = &unit->variants[unit->chosen[d]];
        if (clopt_trial_alternative(&variant->trial))
            clopt_text_print(stderr,
                             "clopt: note: %s: %s was written by hand, and programs may have to "
                             "launch it in another way: it is no winner\n",
                             unit->kernel, variant->row->row->name);
        else
            append_winners(unit, unit, variant, d, NULL);
    }
}

static const char *const begins[] = {CLOPT_WISDOM_WORDS, NULL};
static const struct clopt_file_kind wisdom_kind = {"file of winners", begins};

enum clopt_status clopt_export_wisdom(struct clopt_store *store,
                                      const struct clopt_export_request *request, const char *path,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) text = {0};
    size_t winners = 0;
    struct clopt_export_request own = *request;
    CLOPT_TRY(clopt_file_check_target(path, &wisdom_kind, error));
    own.wisdom = &text;
    own.winners = &winners;
    clopt_text_append(&text, CLOPT_WISDOM_HEAD);
    CLOPT_TRY(clopt_export(store, &own, error));
    if (!winners)
        return clopt_fail(error, CLOPT_INVALID, "it has no winner that is faster than its kernel");
    CLOPT_TRY(clopt_file_write(path, &wisdom_kind, text.data, text.length, error));
    struct stat about; /* no process takes winners that others may write, whatever the umask is */
    if (stat(path, &about) != 0 || chmod(path, about.st_mode & 07755) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    return CLOPT_OK;
}
