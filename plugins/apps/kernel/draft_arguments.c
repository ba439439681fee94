/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes [arguments] of a drafted study. */
#include "draft_arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "fit.h"
#include "parameter_type.h"
#include "type.h"

/* Reads members that clang lists; false where they would not lie as they do there. */
static bool read_members(const char *members, size_t bytes, struct kernel_type *type)
{
    char text[600];
    struct clopt_error ignored = {0};
    struct kernel_place place = {.origin = "", .section = "", .value = text};
    snprintf(text, sizeof text, "(%s)", members ? members : "");
    struct kernel_scan scan = kernel_scan_begin(&place, &ignored);
    kernel_type_read(&scan, "struct", type);
    if (ignored.status)
        return false;
    if (type->scalar_bytes == bytes)
        return true;
    kernel_type_fini(type);
    return false;
}

/* Puts what is to be known of a structure, and writes its type. */
static void put_structure(const struct kernel_drafting *drafting,
                          const struct clopt_variable *variable, struct kernel_type *type,
                          char *name, size_t size)
{
    FILE *study = drafting->study;
    size_t bytes = variable->is_pointer ? variable->pointee_bytes : variable->bytes;
    if (!bytes)
        fprintf(study, "; Fill in how many bytes a %s has, or the type after the name.\n", name);
    bool known = read_members(variable->members, bytes, type);
    if (bytes && !variable->is_pointer && !kernel_argument_by_value(type))
        fprintf(study,
                "; clopt cannot pass a %s, such a structure, by value: a kernel that takes a\n"
                "; pointer to it, or its members, can be studied.\n",
                name);
    if (known)
        snprintf(name, size, "struct(%s)", variable->members);
    else
        snprintf(name, size, "struct(%zu)", bytes ? bytes : 16);
}

/* The overrun of an argument that runs have shown; NULL: none. */
static const struct clopt_overrun *overrun_of(const struct kernel_drafting *drafting,
                                              unsigned index)
{
    const struct clopt_draft *draft = drafting->draft;
    for (size_t i = 0; i < draft->overrun_count; i++)
        if (strcmp(draft->overruns[i].kernel, drafting->guess.kernel->name) == 0 &&
            strcmp(draft->overruns[i].argument, kernel_drafting_parameter(drafting, index)) == 0)
            return &draft->overruns[i];
    return NULL;
}

/* How many elements a buffer or local memory has: as far as indices reach, or one for each
 * work-item. */
static struct kernel_bound length_of(const struct kernel_drafting *drafting, unsigned index)
{
    const struct kernel_guess *guess = &drafting->guess;
    const struct kernel_parameter_guess *parameter = &guess->parameters[index];
    bool local = guess->kernel->parameters[index]->pointee == CLOPT_SPACE_LOCAL;
    struct kernel_bound items = kernel_bound_constant(1);
    for (unsigned d = 0; d < guess->dimensions; d++) {
        struct kernel_bound more =
            local ? kernel_bound_size(KERNEL_LOCAL_SIZE + d) : guess->global[d];
        items = kernel_bound_multiply(&items, &more);
    }
    struct kernel_bound one = kernel_bound_constant(1);
    if (!parameter->length.known || !parameter->length.count ||
        (local && kernel_bound_equal(&parameter->length, &one)))
        return items;
    return parameter->written && !parameter->partly && !local
               ? parameter->length
               : kernel_bound_round_up(parameter->length);
}

/* Writes the count of an argument's elements, `bytes` each, as far as runs have shown it. */
static void put_length(const struct kernel_drafting *drafting, unsigned index, size_t bytes)
{
    const struct clopt_overrun *overrun = overrun_of(drafting, index);
    struct kernel_bound length = length_of(drafting, index);
    struct kernel_fit fit = {
        {0}, drafting->sizes, drafting->size_count, kernel_drafting_value, drafting};
    for (size_t r = 0; overrun && r < CLOPT_DRAFT_RUNS; r++)
        fit.counts[r] = (overrun->bytes[r] + bytes - 1) / bytes;
    if (overrun)
        length = kernel_fit(&fit, &length);
    kernel_drafting_put_bound(
        drafting, &length, drafting->guess.kernel->parameters[index]->pointee == CLOPT_SPACE_LOCAL);
}

/* Writes what an integer is filled with that chooses elements of a buffer. */
static void put_choice(const struct kernel_drafting *drafting, const struct kernel_type *type,
                       const struct kernel_parameter_guess *chooser)
{
    int64_t least, greatest;
    const struct kernel_guess *guess = &drafting->guess;
    struct kernel_bound most = length_of(drafting, chooser->indexes - 1);
    struct kernel_bound one = kernel_bound_constant(1);
    bool global = guess->kernel->parameters[chooser->indexes - 1]->pointee == CLOPT_SPACE_GLOBAL;
    bool narrow = type->scalar_bytes < 4; /* it may not hold all indices */
    kernel_type_range(type, &least, &greatest);
    if (guess->parameters[chooser->indexes - 1].written && global && chooser->beside.known &&
        kernel_bound_equal(&chooser->beside, &one) && !narrow) {
        fputs(" ramp", drafting->study); /* so that no two write the same */
        return;
    }
    if (chooser->beside.known && kernel_bound_covers(&most, &chooser->beside))
        most = kernel_bound_add(most, &chooser->beside, -1);
    else
        most = kernel_bound_add(most, &one, -1);
    fputs(narrow ? " integers(0, min(" : " integers(0, ", drafting->study);
    kernel_drafting_put_bound(drafting, &most, false);
    if (narrow)
        fprintf(drafting->study, ", %" PRId64 ")", greatest);
    fputs(")", drafting->study);
}

static void put_content(const struct kernel_drafting *drafting, const struct kernel_type *type,
                        unsigned index)
{
    FILE *study = drafting->study;
    bool reals = false, integers = false;
    for (size_t m = 0; m < type->member_count; m++) {
        reals |= type->members[m].type.kind == KERNEL_REAL;
        integers |= type->members[m].type.kind != KERNEL_REAL;
    }
    for (size_t m = 0; m < (reals && integers ? type->member_count : reals || integers); m++)
        fprintf(study, "%s %s", m ? "," : "",
                type->members[m].type.kind == KERNEL_REAL ? "uniform(0, 1)" : "integers(0, 3)");
    if (type->member_count)
        return;
    if (type->kind == KERNEL_STRUCT)
        fputs(drafting->guess.parameters[index].indexes ? " zero" : " bytes", study);
    else if (type->kind == KERNEL_REAL)
        fputs(" uniform(0, 1)", study);
    else if (drafting->guess.parameters[index].indexes)
        put_choice(drafting, type, &drafting->guess.parameters[index]);
    else
        fputs(" integers(0, 100)", study);
}

/* Says what is not sure about a buffer. */
static void put_doubts(const struct kernel_drafting *drafting, unsigned index, bool zeroed)
{
    const struct kernel_parameter_guess *parameter = &drafting->guess.parameters[index];
    fputs(" ; guess", drafting->study);
    const char *link = ": ";
    const struct clopt_overrun *overrun = overrun_of(drafting, index);
    uint64_t longer = 0;
    for (size_t r = 0; overrun && r < CLOPT_DRAFT_RUNS; r++)
        longer |= overrun->bytes[r];
    if (longer) {
        fprintf(drafting->study, "%sas long as a run under Oclgrind needed it", link);
        link = "; ";
    } else if (parameter->unclear || !parameter->length.known) {
        fprintf(drafting->study, "%sthe source does not say how long", link);
        link = "; ";
    }
    if (parameter->indexes)
        fprintf(drafting->study, "%schooses elements of %s", link,
                kernel_drafting_parameter(drafting, parameter->indexes - 1));
    else if (zeroed)
        fprintf(drafting->study, "%snot all of it may be written", link);
    fputs("\n", drafting->study);
}

/* Whether a length is that of so many elements for each work-item: then all of it may be written.
 */
static bool follows_items(const struct kernel_drafting *drafting, const struct kernel_bound *length)
{
    const struct kernel_guess *guess = &drafting->guess;
    struct kernel_bound rest = *length;
    for (unsigned d = 0; d < guess->dimensions; d++)
        for (size_t k = 0; k < KERNEL_MOST_FACTORS && guess->global[d].count; k++) {
            unsigned size = guess->global[d].terms[0].sizes[k];
            if (size != KERNEL_NO_SIZE && size < KERNEL_LOCAL_SIZE &&
                !(rest.count && kernel_bound_divide(&rest, size)))
                return false;
        }
    return length->count == 1;
}

static void put_buffer(const struct kernel_drafting *drafting, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const struct kernel_parameter_guess *parameter = &drafting->guess.parameters[index];
    /* Of a work-group's part, one work-item is enough. */
    bool groups = kernel_drafting_follows_groups(&parameter->length);
    bool doubtful = (parameter->partly && !groups) || parameter->unclear ||
                    overrun_of(drafting, index) ||
                    !(groups || follows_items(drafting, &parameter->length));
    bool zeroed = parameter->written && !parameter->read && doubtful;
    const char *use = !parameter->written         ? "input"
                      : parameter->read || zeroed ? "inout"
                                                  : "output";
    fprintf(drafting->study, "%s = %s %s[", kernel_drafting_parameter(drafting, index), use, name);
    put_length(drafting, index, kernel_type_bytes(type));
    fputs("]", drafting->study);
    if (zeroed)
        fputs(" zero", drafting->study);
    else if (strcmp(use, "output") != 0)
        put_content(drafting, type, index);
    put_doubts(drafting, index, zeroed);
}

static void put_local(const struct kernel_drafting *drafting, const char *name,
                      const struct kernel_type *type, unsigned index)
{
    fprintf(drafting->study, "%s = local %s[", kernel_drafting_parameter(drafting, index), name);
    put_length(drafting, index, kernel_type_bytes(type));
    fputs("] ; guess\n", drafting->study);
}

/* One value for each number of a structure. */
static void put_members(const struct kernel_drafting *drafting, const struct kernel_type *type)
{
    for (size_t c = 0; c < kernel_type_components(type); c++)
        fprintf(drafting->study, "%s%s", c ? ", " : " ",
                kernel_type_component(type, c).type.kind == KERNEL_REAL ? "0.5" : "1");
    fputs(" ; guess\n", drafting->study);
}

static void put_scalar(const struct kernel_drafting *drafting, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const char *parameter = kernel_drafting_parameter(drafting, index);
    struct kernel_guess const *guess = &drafting->guess;
    if (guess->parameters[index].is_block)
        fprintf(drafting->study, "%s = %s %s ; guess: the local size\n", parameter, name,
                drafting->local[0]);
    else if (guess->parameters[index].is_size)
        fprintf(drafting->study, "%s = %s %s\n", parameter, name,
                kernel_drafting_size(drafting, index));
    else if (type->members) {
        fprintf(drafting->study, "%s = %s", parameter, name);
        put_members(drafting, type);
    } else
        fprintf(drafting->study, "%s = %s %s ; guess\n", parameter, name,
                type->kind == KERNEL_REAL            ? "0.5"
                : guess->parameters[index].is_offset ? "0"
                                                     : "1");
}

/* Images and samplers; false where the type is none. */
static bool put_image(const struct kernel_drafting *drafting, const char *name, unsigned index)
{
    FILE *study = drafting->study;
    const struct clopt_variable *variable = drafting->guess.kernel->parameters[index];
    if (strcmp(name, "sampler_t") == 0) {
        fprintf(study, "%s = sampler nearest clamp_to_edge unnormalized ; guess\n", variable->name);
        return true;
    }
    if (strncmp(name, "image", 5) != 0)
        return false;
    bool written = strstr(variable->type, "write_only") || strstr(variable->type, "read_write");
    fprintf(study, "%s = %s image float4[", variable->name, written ? "output" : "input");
    for (unsigned d = 0; d < (unsigned)(name[5] - '0') && d < 3; d++) {
        fputs(d ? ", " : "", study);
        kernel_drafting_put_bound(drafting, &drafting->guess.global[d], false);
    }
    fprintf(study, "]%s ; guess\n", written ? "" : " uniform(0, 1)");
    return true;
}

static void put_argument(const struct kernel_drafting *drafting, unsigned index)
{
    const struct clopt_variable *variable = drafting->guess.kernel->parameters[index];
    struct kernel_type type = {.kind = KERNEL_STRUCT, .scalar_bytes = 16, .width = 1};
    char name[600];
    kernel_parameter_type_name(variable, name, sizeof name);
    if (put_image(drafting, name, index))
        return;
    if (!kernel_type_named(name, &type))
        put_structure(drafting, variable, &type, name, sizeof name);
    if (variable->is_pointer && variable->pointee == CLOPT_SPACE_LOCAL)
        put_local(drafting, name, &type, index);
    else if (variable->is_pointer)
        put_buffer(drafting, name, &type, index);
    else
        put_scalar(drafting, name, &type, index);
    kernel_type_fini(&type);
}

void kernel_draft_arguments(const struct kernel_drafting *drafting)
{
    for (size_t i = 0; i < drafting->guess.kernel->parameter_count; i++)
        put_argument(drafting, (unsigned)i);
}
