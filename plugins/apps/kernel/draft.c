/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections that describe a kernel. */
#include "draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draft_arguments.h"
#include "parameter_type.h"
#include "tolerance.h"

static void put_title(const struct kernel_drafting *drafting, const char *section)
{
    const char *label = drafting->draft->label;
    fprintf(drafting->study, "\n[%s%s%s]\n", section, label ? " " : "", label ? label : "");
}

static void put_ndrange(const struct kernel_drafting *drafting)
{
    const struct kernel_guess *guess = &drafting->guess;
    FILE *study = drafting->study;
    bool guarded = kernel_drafting_is_guarded(guess);
    fputs(guarded ? "; The global size is a guess: whole work-groups; the kernel "
                    "tests its index.\nglobal = "
                  : "; The global size is a guess. The kernel seems not to test "
                    "its index, so it has to be\n; a multiple of the local "
                    "size.\nglobal = ",
          study);
    for (unsigned d = 0; d < guess->dimensions; d++) {
        fputs(d ? ", " : "", study);
        fputs(guarded ? "ceildiv(" : "", study);
        kernel_drafting_put_bound(drafting, &guess->global[d], true);
        if (guarded)
            fprintf(study, ", %s) * %s", drafting->local[d], drafting->local[d]);
    }
    fputs("\nlocal = ", study);
    for (unsigned d = 0; d < guess->dimensions; d++)
        fprintf(study, "%s%s", d ? ", " : "", drafting->local[d]);
    fputs(" ; guess\n", study);
    if (!guess->uses_groups)
        fprintf(study, "any_local_size = %s ; guess: it knows nothing of work-groups\n",
                guarded ? "yes" : "dividing");
}

static void put_app(const struct kernel_drafting *drafting)
{
    const struct clopt_draft *draft = drafting->draft;
    FILE *study = drafting->study;
    put_title(drafting, "app kernel");
    fprintf(study, "source = %s\n", draft->path);
    if (draft->options[0])
        fprintf(study, "options = %s\n", draft->options);
    if (draft->folders[0])
        fprintf(study, "include = %s\n", draft->folders);
    fprintf(study, "kernel = %s\n", drafting->guess.kernel->name);
    put_ndrange(drafting);
}

static void put_sizes(const struct kernel_drafting *drafting)
{
    const struct kernel_guess *guess = &drafting->guess;
    bool any = false;
    for (unsigned d = 0; d < 3; d++)
        any |= kernel_drafting_owns_size(guess, d);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        any |= kernel_drafting_lists_size(guess, i);
    if (!any)
        return;
    put_title(drafting, "size");
    fputs("; Guesses: fill in the sizes that matter to you. Lists are multiplied out.\n",
          drafting->study);
    for (unsigned d = 0; d < 3; d++)
        if (kernel_drafting_owns_size(guess, d))
            fprintf(
                drafting->study, "%s = %u\n", drafting->own[d],
                kernel_drafting_suggest(drafting, KERNEL_GLOBAL_SIZE + d, drafting->draft->run));
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        if (kernel_drafting_lists_size(guess, i))
            fprintf(drafting->study, "%s = %u\n", kernel_drafting_size(drafting, (unsigned)i),
                    kernel_drafting_suggest(drafting, (unsigned)i, drafting->draft->run));
}

/* Writes how numbers are compared where nothing is said. */
static void put_tolerance(const struct kernel_drafting *drafting, const struct kernel_type *type)
{
    const char *text = drafting->guess.source->text;
    struct kernel_tolerance usual = kernel_tolerance_usual();
    struct kernel_component component = kernel_type_component(type, 0);
    bool approximate = strstr(text, "native_") || strstr(text, "half_");
    struct kernel_tolerance tolerance = kernel_tolerance_of(&usual, &component, approximate);
    if (tolerance.exact)
        fputs("exact\n", drafting->study);
    else
        fprintf(drafting->study, "relative 1e%.0f%s\n", log10(tolerance.relative),
                approximate ? " ; native_ and half_ functions have their own accuracy" : "");
}

/* Whether the local size is a parameter. */
static bool varies(const struct kernel_drafting *drafting)
{
    for (unsigned d = 0; d < drafting->guess.dimensions; d++)
        if (kernel_drafting_local_macro(drafting, d))
            return true;
    return false;
}

static void put_results(const struct kernel_drafting *drafting)
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
            fputs("; Compared with what the initial code computes on the same device.\n",
                  drafting->study);
        }
        any = true;
        kernel_parameter_type_name(variable, name, sizeof name);
        bool known = kernel_type_named(name, &type);
        bool sum = known && kernel_drafting_follows_groups(&guess->parameters[i].length) &&
                   varies(drafting);
        if (sum)
            fprintf(drafting->study,
                    "; Guess: %s has a part for each work-group, and other local sizes "
                    "other parts.\n",
                    variable->name);
        if (!known) /* a structure, or an image */
            continue;
        fprintf(drafting->study, "%s = %s", variable->name, sum ? "sum " : "");
        put_tolerance(drafting, &type);
    }
}

enum clopt_status kernel_draft(const struct clopt_draft *draft, FILE *study,
                               struct clopt_error *error)
{
    struct kernel_drafting drafting = {.draft = draft, .study = study};
    enum clopt_status status =
        kernel_guess_init(&drafting.guess, draft->source, draft->outline, error);
    if (status)
        return status;
    kernel_drafting_name(&drafting);
    put_app(&drafting);
    put_sizes(&drafting);
    put_title(&drafting, "arguments");
    kernel_draft_arguments(&drafting);
    put_results(&drafting);
    kernel_guess_fini(&drafting.guess);
    return CLOPT_OK;
}
