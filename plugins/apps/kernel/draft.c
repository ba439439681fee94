/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections that describe a kernel. */
#include "draft.h"

#include <clopt/clopt.h>
#include <clopt/source.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "guess.h"
#include "parameter_type.h"
#include "tolerance.h"

struct drafting {
    const struct clopt_draft *draft;
    struct clopt_output *study;
    struct kernel_guess guess;
    char local[3][64]; /* expressions */
    char own[3][64];   /* names of global sizes that no parameter has */
    char groups[3][256];
};

/* ---- names ---- */

static const char *parameter_name(const struct drafting *drafting, unsigned index)
{
    return drafting->guess.kernel->parameters[index]->name;
}

static const char *size_name(const void *user, unsigned size)
{
    const struct drafting *drafting = user;
    if (size >= KERNEL_GROUPS)
        return drafting->groups[size - KERNEL_GROUPS];
    return size >= KERNEL_GLOBAL_SIZE ? drafting->own[size - KERNEL_GLOBAL_SIZE]
                                      : parameter_name(drafting, size);
}

static void put_bound(const struct drafting *drafting, const struct kernel_bound *bound)
{
    kernel_bound_print(bound, size_name, drafting, drafting->study);
}

static bool is_name_taken(const struct drafting *drafting, const char *name)
{
    for (size_t i = 0; i < drafting->guess.kernel->parameter_count; i++)
        if (strcmp(parameter_name(drafting, (unsigned)i), name) == 0)
            return true;
    return false;
}

static void name_own_sizes(struct drafting *drafting)
{
    static const char *const names[] = {"width", "height", "depth"};
    for (unsigned d = 0; d < 3; d++) {
        const char *name = drafting->guess.dimensions == 1 ? "n" : names[d];
        snprintf(drafting->own[d], sizeof drafting->own[d],
                 is_name_taken(drafting, name) ? "global_%s" : "%s", name);
    }
}

/* ---- the local size ---- */

/* Finds the macro that stands for the local size in a dimension; NULL: none. */
static const struct clopt_outline_macro *local_macro(const struct drafting *drafting, unsigned d)
{
    const struct clopt_outline *outline = drafting->draft->outline;
    uint64_t known = drafting->guess.local[d];
    const struct clopt_outline_macro *found = NULL;
    for (size_t i = 0; i < outline->macro_count; i++) {
        const struct clopt_outline_macro *macro = &outline->macros[i];
        char value[32];
        snprintf(value, sizeof value, "%llu", (unsigned long long)known);
        bool fits = macro->dimension == (int)d || macro->dimension < 0;
        if (!macro->sizes_groups || !fits || (known && strcmp(macro->value, value) != 0))
            continue;
        if (!found || macro->dimension == (int)d)
            found = macro;
    }
    return found;
}

static void choose_local(struct drafting *drafting)
{
    static const unsigned defaults[] = {64, 16, 4};
    struct kernel_guess *guess = &drafting->guess;
    for (unsigned d = 0; d < guess->dimensions; d++) {
        const struct clopt_outline_macro *macro = local_macro(drafting, d);
        if (macro)
            snprintf(drafting->local[d], sizeof drafting->local[d], "%s", macro->name);
        else
            snprintf(drafting->local[d], sizeof drafting->local[d], "%llu",
                     guess->local[d] ? (unsigned long long)guess->local[d]
                                     : defaults[guess->dimensions - 1]);
    }
}

/* How many work-groups there are, as an expression. Buffers are as long for all variants, so where
 * the local size is a parameter there are as many as there may be at most. */
static void name_groups(struct drafting *drafting)
{
    struct clopt_output *text = clopt_output_create();
    for (unsigned d = 0; d < drafting->guess.dimensions && text; d++) {
        size_t begin = clopt_output_length(text);
        bool varies = local_macro(drafting, d) != NULL;
        clopt_output_put(text, varies ? "(" : "ceildiv(");
        kernel_bound_print(&drafting->guess.global[d], size_name, drafting, text);
        if (!varies)
            clopt_output_printf(text, ", %s", drafting->local[d]);
        clopt_output_put(text, ")");
        const char *all = clopt_output_text(text);
        snprintf(drafting->groups[d], sizeof drafting->groups[d], "%s", all ? all + begin : "");
    }
    clopt_output_destroy(text);
}

static bool is_guarded(const struct kernel_guess *guess)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->guarded[d])
            return false;
    return true;
}

/* ---- sections ---- */

static void put_title(const struct drafting *drafting, const char *section)
{
    const char *label = drafting->draft->label;
    clopt_output_printf(drafting->study, "\n[%s%s%s]\n", section, label ? " " : "",
                        label ? label : "");
}

static void put_ndrange(const struct drafting *drafting)
{
    const struct kernel_guess *guess = &drafting->guess;
    struct clopt_output *study = drafting->study;
    bool guarded = is_guarded(guess);
    clopt_output_put(study, guarded ? "; The global size is a guess: whole work-groups; the kernel "
                                      "tests its index.\nglobal = "
                                    : "; The global size is a guess. The kernel seems not to test "
                                      "its index, so it has to be\n; a multiple of the local "
                                      "size.\nglobal = ");
    for (unsigned d = 0; d < guess->dimensions; d++) {
        clopt_output_put(study, d ? ", " : "");
        clopt_output_put(study, guarded ? "ceildiv(" : "");
        put_bound(drafting, &guess->global[d]);
        if (guarded)
            clopt_output_printf(study, ", %s) * %s", drafting->local[d], drafting->local[d]);
    }
    clopt_output_put(study, "\nlocal = ");
    for (unsigned d = 0; d < guess->dimensions; d++)
        clopt_output_printf(study, "%s%s", d ? ", " : "", drafting->local[d]);
    clopt_output_put(study, " ; guess\n");
    if (guarded && !guess->uses_groups)
        clopt_output_put(study, "any_local_size = yes ; guess: it knows nothing of work-groups\n");
}

static void put_app(const struct drafting *drafting)
{
    const struct clopt_draft *draft = drafting->draft;
    struct clopt_output *study = drafting->study;
    put_title(drafting, "app kernel");
    clopt_output_printf(study, "source = %s\n", draft->path);
    if (draft->options[0])
        clopt_output_printf(study, "options = %s\n", draft->options);
    if (draft->folders[0])
        clopt_output_printf(study, "include = %s\n", draft->folders);
    clopt_output_printf(study, "kernel = %s\n", drafting->guess.kernel->name);
    put_ndrange(drafting);
}

static bool uses_own_size(const struct kernel_guess *guess, unsigned d)
{
    struct kernel_bound own = kernel_bound_size(KERNEL_GLOBAL_SIZE + d);
    return d < guess->dimensions && kernel_bound_equal(&guess->global[d], &own);
}

/* A value for a size; where it is a global size that is not rounded up, whole work-groups. */
static unsigned suggest_size(const struct drafting *drafting, unsigned size)
{
    static const unsigned defaults[] = {1024, 256, 64};
    const struct kernel_guess *guess = &drafting->guess;
    unsigned value = defaults[guess->dimensions - 1];
    struct kernel_bound own = kernel_bound_size(size);
    for (unsigned d = 0; d < guess->dimensions && !is_guarded(guess); d++) {
        unsigned local = (unsigned)guess->local[d];
        if (local && kernel_bound_equal(&guess->global[d], &own))
            value = (value + local - 1) / local * local;
    }
    if (size >= KERNEL_GLOBAL_SIZE || guess->parameters[size].is_length)
        return size < KERNEL_GLOBAL_SIZE && guess->parameters[size].is_small ? 4 : value;
    return guess->parameters[size].is_small ? 4 : 16;
}

static void put_sizes(const struct drafting *drafting)
{
    const struct kernel_guess *guess = &drafting->guess;
    bool any = false;
    for (unsigned d = 0; d < 3; d++)
        any |= uses_own_size(guess, d);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        any |= guess->parameters[i].is_size;
    if (!any)
        return;
    put_title(drafting, "size");
    clopt_output_put(
        drafting->study,
        "; Guesses: fill in the sizes that matter to you. Lists are multiplied out.\n");
    for (unsigned d = 0; d < 3; d++)
        if (uses_own_size(guess, d))
            clopt_output_printf(drafting->study, "%s = %u\n", drafting->own[d],
                                suggest_size(drafting, KERNEL_GLOBAL_SIZE + d));
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        if (guess->parameters[i].is_size)
            clopt_output_printf(drafting->study, "%s = %u\n", parameter_name(drafting, (unsigned)i),
                                suggest_size(drafting, (unsigned)i));
}

/* ---- arguments ---- */

/* Puts what is to be known of a structure, and writes its type. */
static void put_structure(const struct drafting *drafting, const struct clopt_variable *variable,
                          char *name, size_t size)
{
    struct clopt_output *study = drafting->study;
    size_t bytes = variable->is_pointer ? variable->pointee_bytes : variable->bytes;
    if (!bytes)
        clopt_output_printf(
            study, "; Fill in how many bytes a %s has, or the type that it stands for.\n", name);
    else if (!variable->is_pointer)
        clopt_output_printf(
            study,
            "; clopt cannot pass a %s, a structure, by value: a kernel that takes a\n"
            "; pointer to it, or its members, can be studied.\n",
            name);
    snprintf(name, size, "struct(%zu)", bytes ? bytes : 16);
}

/* Writes the count of a buffer's elements. */
static void put_length(const struct drafting *drafting, unsigned index)
{
    const struct kernel_guess *guess = &drafting->guess;
    const struct kernel_parameter_guess *parameter = &guess->parameters[index];
    if (parameter->length.known) {
        put_bound(drafting, &parameter->length);
        return;
    }
    for (unsigned d = 0; d < guess->dimensions; d++) {
        clopt_output_put(drafting->study, d ? " * (" : guess->dimensions > 1 ? "(" : "");
        put_bound(drafting, &guess->global[d]);
        clopt_output_put(drafting->study, guess->dimensions > 1 ? ")" : "");
    }
}

static void put_content(const struct drafting *drafting, const struct kernel_type *type,
                        unsigned index)
{
    struct clopt_output *study = drafting->study;
    unsigned indexes = drafting->guess.parameters[index].indexes;
    if (type->kind == KERNEL_STRUCT) {
        clopt_output_put(study, indexes ? " zero" : " bytes");
    } else if (type->kind == KERNEL_REAL) {
        clopt_output_put(study, " uniform(0, 1)");
    } else if (indexes) {
        clopt_output_put(study, " integers(0, ");
        put_length(drafting, indexes - 1);
        clopt_output_put(study, " - 1)");
    } else {
        clopt_output_put(study, " integers(0, 100)");
    }
}

/* Says what is not sure about a buffer. */
static void put_doubts(const struct drafting *drafting, unsigned index, bool zeroed)
{
    const struct kernel_parameter_guess *parameter = &drafting->guess.parameters[index];
    clopt_output_put(drafting->study, " ; guess");
    const char *link = ": ";
    if (parameter->unclear || !parameter->length.known) {
        clopt_output_printf(drafting->study, "%sthe source does not say how long", link);
        link = "; ";
    }
    if (parameter->indexes)
        clopt_output_printf(drafting->study, "%schooses elements of %s", link,
                            parameter_name(drafting, parameter->indexes - 1));
    else if (zeroed)
        clopt_output_printf(drafting->study, "%snot all of it may be written", link);
    clopt_output_put(drafting->study, "\n");
}

static void put_buffer(const struct drafting *drafting, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const struct kernel_parameter_guess *parameter = &drafting->guess.parameters[index];
    bool zeroed = parameter->written && !parameter->read && parameter->partly;
    const char *use = !parameter->written         ? "input"
                      : parameter->read || zeroed ? "inout"
                                                  : "output";
    clopt_output_printf(drafting->study, "%s = %s %s[", parameter_name(drafting, index), use, name);
    put_length(drafting, index);
    clopt_output_put(drafting->study, "]");
    if (zeroed)
        clopt_output_put(drafting->study, " zero");
    else if (strcmp(use, "output") != 0)
        put_content(drafting, type, index);
    put_doubts(drafting, index, zeroed);
}

static void put_local(const struct drafting *drafting, const char *name, unsigned index)
{
    clopt_output_printf(drafting->study, "%s = local %s[", parameter_name(drafting, index), name);
    for (unsigned d = 0; d < drafting->guess.dimensions; d++)
        clopt_output_printf(drafting->study, "%s%s", d ? " * " : "", drafting->local[d]);
    clopt_output_put(drafting->study, "] ; guess: an element for each work-item of a group\n");
}

static void put_scalar(const struct drafting *drafting, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const char *parameter = parameter_name(drafting, index);
    const struct kernel_parameter_guess *guess = &drafting->guess.parameters[index];
    if (guess->is_size)
        clopt_output_printf(drafting->study, "%s = %s %s\n", parameter, name, parameter);
    else
        clopt_output_printf(drafting->study, "%s = %s %s ; guess\n", parameter, name,
                            type->kind == KERNEL_REAL ? "0.5" : "1");
}

/* Images and samplers; false where the type is none. */
static bool put_image(const struct drafting *drafting, const char *name, unsigned index)
{
    struct clopt_output *study = drafting->study;
    const struct clopt_variable *variable = drafting->guess.kernel->parameters[index];
    if (strcmp(name, "sampler_t") == 0) {
        clopt_output_printf(study, "%s = sampler nearest clamp_to_edge unnormalized ; guess\n",
                            variable->name);
        return true;
    }
    if (strncmp(name, "image", 5) != 0)
        return false;
    bool written = strstr(variable->type, "write_only") || strstr(variable->type, "read_write");
    clopt_output_printf(study, "%s = %s image float4[", variable->name,
                        written ? "output" : "input");
    for (unsigned d = 0; d < (unsigned)(name[5] - '0') && d < 3; d++) {
        clopt_output_put(study, d ? ", " : "");
        put_bound(drafting, &drafting->guess.global[d]);
    }
    clopt_output_printf(study, "]%s ; guess\n", written ? "" : " uniform(0, 1)");
    return true;
}

static void put_argument(const struct drafting *drafting, unsigned index)
{
    const struct clopt_variable *variable = drafting->guess.kernel->parameters[index];
    struct kernel_type type = {.kind = KERNEL_STRUCT, .scalar_bytes = 16, .width = 1};
    char name[64];
    kernel_parameter_type_name(variable, name, sizeof name);
    if (put_image(drafting, name, index))
        return;
    if (!kernel_type_named(name, &type))
        put_structure(drafting, variable, name, sizeof name);
    if (variable->is_pointer && variable->pointee == CLOPT_SPACE_LOCAL)
        put_local(drafting, name, index);
    else if (variable->is_pointer)
        put_buffer(drafting, name, &type, index);
    else
        put_scalar(drafting, name, &type, index);
}

static void put_arguments(const struct drafting *drafting)
{
    put_title(drafting, "arguments");
    for (size_t i = 0; i < drafting->guess.kernel->parameter_count; i++)
        put_argument(drafting, (unsigned)i);
}

/* Whether a buffer has something for each work-group. */
static bool follows_groups(const struct kernel_bound *length)
{
    for (size_t i = 0; i < length->count; i++)
        for (size_t k = 0; k < KERNEL_MOST_FACTORS; k++)
            if (length->terms[i].sizes[k] >= KERNEL_GROUPS &&
                length->terms[i].sizes[k] != KERNEL_NO_SIZE)
                return true;
    return false;
}

/* Writes how numbers are compared where nothing is said. */
static void put_tolerance(const struct drafting *drafting, const struct kernel_type *type)
{
    const char *text = clopt_source_text(drafting->guess.source);
    struct kernel_tolerance usual = kernel_tolerance_usual();
    struct kernel_component component = kernel_type_component(type, 0);
    bool approximate = strstr(text, "native_") || strstr(text, "half_");
    struct kernel_tolerance tolerance = kernel_tolerance_of(&usual, &component, approximate);
    if (tolerance.exact)
        clopt_output_put(drafting->study, "exact\n");
    else
        clopt_output_printf(drafting->study, "relative 1e%.0f%s\n", log10(tolerance.relative),
                            approximate ? " ; native_ and half_ functions have their own accuracy"
                                        : "");
}

static void put_results(const struct drafting *drafting)
{
    const struct kernel_guess *guess = &drafting->guess;
    bool any = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        struct kernel_type type;
        char name[64];
        if (!guess->parameters[i].written || variable->pointee == CLOPT_SPACE_LOCAL)
            continue;
        if (!any) {
            put_title(drafting, "results");
            clopt_output_put(
                drafting->study,
                "; Compared with what the initial code computes on the same device.\n");
        }
        any = true;
        kernel_parameter_type_name(variable, name, sizeof name);
        if (follows_groups(&guess->parameters[i].length))
            clopt_output_printf(drafting->study,
                                "; %s seems to have elements for work-groups: with another local "
                                "size they mean something\n; else. Then say ignore here, or give "
                                "the parameter of the local size one value.\n",
                                variable->name);
        clopt_output_printf(drafting->study, "%s = ", variable->name);
        if (kernel_type_named(name, &type))
            put_tolerance(drafting, &type);
        else
            clopt_output_put(drafting->study, "exact\n");
    }
}

enum clopt_status kernel_draft(const struct clopt_draft *draft, struct clopt_output *study,
                               struct clopt_error *error)
{
    struct drafting drafting = {.draft = draft, .study = study};
    enum clopt_status status = kernel_guess_init(&drafting.guess, draft->source, error);
    if (status)
        return status;
    name_own_sizes(&drafting);
    choose_local(&drafting);
    name_groups(&drafting);
    put_app(&drafting);
    put_sizes(&drafting);
    put_arguments(&drafting);
    put_results(&drafting);
    kernel_guess_fini(&drafting.guess);
    return CLOPT_OK;
}
