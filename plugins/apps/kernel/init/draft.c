/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections that describe a kernel. */
#include "draft.h"

#include <math.h>

#include "../signature.h"

static void put_title(const struct kernel_draft *draft, const char *section)
{
    const char *label = draft->asked->label;
    fprintf(draft->study, "\n[%s%s%s]\n", section, label ? " " : "", label ? label : "");
}

static void put_ndrange(const struct kernel_draft *draft)
{
    const struct kernel_guess *guess = &draft->guess;
    FILE *study = draft->study;
    bool guarded = kernel_draft_is_guarded(guess);
    fputs(guarded ? "; The global size is a guess: whole work-groups; the kernel "
                    "tests its index.\nglobal = "
                  : "; The global size is a guess. The kernel seems not to test "
                    "its index, so it has to be\n; a multiple of the local "
                    "size.\nglobal = ",
          study);
    for (unsigned d = 0; d < guess->dimensions; d++) {
        bool rounds = guess->guarded[d] && strcmp(draft->local[d], "1") != 0;
        fprintf(study, "%s%s", d ? ", " : "", rounds ? "ceildiv(" : "");
        kernel_draft_put_bound(draft, &guess->global[d], true);
        if (rounds)
            fprintf(study, ", %s) * %s", draft->local[d], draft->local[d]);
    }
    for (unsigned d = 0; d < guess->dimensions; d++)
        fprintf(study, "%s%s", d ? ", " : "\nlocal = ", draft->local[d]);
    fputs(" ; guess\n", study);
    if (!guess->uses_groups)
        fprintf(study, "any_local_size = %s ; guess: it knows nothing of work-groups\n",
                guarded ? "yes" : "dividing");
}

static void put_app(const struct kernel_draft *draft)
{
    const struct clopt_draft *asked = draft->asked;
    FILE *study = draft->study;
    put_title(draft, "app kernel");
    fprintf(study, "source = %s\n", asked->path);
    if (asked->options[0])
        fprintf(study, "options = %s\n", asked->options);
    if (asked->folders[0])
        fprintf(study, "include = %s\n", asked->folders);
    fprintf(study, "kernel = %s\n", draft->guess.kernel->name);
    put_ndrange(draft);
}

static void put_sizes(const struct kernel_draft *draft)
{
    if (!draft->size_count)
        return;
    put_title(draft, "size");
    fputs("; Guesses: fill in the sizes that matter to you. Lists are multiplied out.\n",
          draft->study);
    for (size_t i = 0; i < draft->size_count; i++) {
        const struct kernel_draft_run run = {draft, draft->asked->run};
        int64_t value;
        kernel_draft_value(&run, draft->sizes[i], &value);
        fprintf(draft->study, "%s = %" PRId64 "\n", kernel_draft_size(draft, draft->sizes[i]),
                value);
    }
}

/* Writes how numbers are compared where nothing is said. */
static void put_tolerance(const struct kernel_draft *draft, const struct kernel_type *type)
{
    const char *text = draft->guess.source->text;
    const struct kernel_tolerance usual = {.usual = true};
    struct kernel_component component = kernel_type_component(type, 0);
    bool approximate = strstr(text, "native_") || strstr(text, "half_");
    struct kernel_tolerance tolerance = kernel_tolerance_of(&usual, &component, approximate);
    if (tolerance.exact)
        fputs("exact\n", draft->study);
    else if (type->scalar == CLOPT_SCALAR_HALF && kernel_guess_sums_halves(&draft->guess))
        fputs("relative 1e-1 ; each addition to a half rounds to 3 digits\n", draft->study);
    else
        fprintf(draft->study, "relative 1e%.0f%s\n", log10(tolerance.relative),
                approximate ? " ; native_ and half_ functions have their own accuracy" : "");
}

/* Whether the local size is a parameter. */
static bool varies(const struct kernel_draft *draft)
{
    for (unsigned d = 0; d < draft->guess.dimensions; d++)
        if (draft->guess.macro[d])
            return true;
    return false;
}

bool kernel_draft_is_result(const struct kernel_guess *guess, size_t index)
{
    const struct clopt_variable *variable = guess->kernel->parameters[index];
    return kernel_is_written_image(variable) ||
           (guess->parameters[index].written && variable->pointee != CLOPT_SPACE_LOCAL);
}

static void put_results(const struct kernel_draft *draft)
{
    const struct kernel_guess *guess = &draft->guess;
    bool any = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        struct kernel_type type;
        char name[64];
        if (!kernel_draft_is_result(guess, i))
            continue;
        if (!any) {
            put_title(draft, "results");
            fputs("; Compared with what the initial code computes on the same device.\n",
                  draft->study);
        }
        any = true;
        kernel_parameter_type_name(variable, name, sizeof name);
        bool known = kernel_type_named(name, &type);
        bool sum =
            known && kernel_draft_follows_groups(&guess->parameters[i].length) && varies(draft);
        if (sum)
            fprintf(draft->study,
                    "; Guess: %s has a part for each work-group, and other local sizes "
                    "other parts.\n",
                    variable->name);
        if (!known) /* a structure, or an image */
            continue;
        fprintf(draft->study, "%s = %s", variable->name, sum ? "sum " : "");
        put_tolerance(draft, &type);
    }
}

/* Whether a study can have a name as a key. */
static bool is_key(const char *name)
{
    for (const unsigned char *at = (const unsigned char *)name; *at; at++)
        if (*at >= 0x80)
            return false;
    return true;
}

/* Says of what a kernel has that studies cannot. */
static enum clopt_status check_kernel(const struct kernel_guess *guess, struct clopt_error *error)
{
    bool result = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (strncmp(variable->type, "pipe ", strlen("pipe ")) == 0 ||
            strstr(variable->type, " pipe "))
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "parameter %s is a pipe, which clopt does not make", variable->name);
        if (!is_key(variable->name))
            return clopt_fail(
                error, CLOPT_INFEASIBLE,
                "parameter %s: keys of studies are letters from a to z, digits and _; "
                "rename it",
                variable->name);
        result |= kernel_draft_is_result(guess, i);
    }
    return result ? CLOPT_OK
                  : clopt_fail(error, CLOPT_INFEASIBLE,
                               "it writes no buffer and no image: there would be no result");
}

enum clopt_status kernel_draft_write(const struct clopt_draft *asked, FILE *study,
                                     struct clopt_error *error)
{
    struct kernel_draft draft = {.asked = asked, .study = study};
    CLOPT_TRY(kernel_guess_init(&draft.guess, asked->source, asked->outline, error));
    CLOPT_TRY(check_kernel(&draft.guess, error));
    kernel_draft_name(&draft);
    put_app(&draft);
    put_sizes(&draft);
    put_title(&draft, "arguments");
    kernel_draft_arguments(&draft);
    put_results(&draft);
    return CLOPT_OK;
}
