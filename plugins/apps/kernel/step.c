/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel, as [app kernel] or [step N] describes it. */
#include "step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void kernel_step_fini(struct kernel_step *step)
{
    struct kernel_expressions *all[] = {&step->global, &step->local, &step->operations,
                                        &step->bytes,  &step->when,  &step->repeat};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        kernel_expressions_fini(all[i]);
    for (size_t i = 0; i < step->argument_count; i++)
        kernel_argument_fini(&step->arguments[i].own);
    step->argument_count = 0;
}

/* Reads the expressions of a key, if there is one. */
static enum clopt_status read_expressions(const struct clopt_section *section, const char *key,
                                          size_t most, struct kernel_names *names, unsigned allowed,
                                          struct kernel_expressions *expressions,
                                          struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, key);
    if (!setting)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(section, setting);
    enum clopt_status status =
        kernel_expressions_read(&place, setting->value, 1, most, expressions, error);
    return status ? status : kernel_expressions_check(expressions, names, allowed, error);
}

static enum clopt_status read_local_sizes(const struct clopt_section *section,
                                          struct kernel_step *step, struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "any_local_size");
    const char *value = setting ? setting->value : "no";
    step->whole_groups = strcmp(value, "dividing") == 0;
    step->any_local_size = step->whole_groups || strcmp(value, "yes") == 0;
    if (step->any_local_size || strcmp(value, "no") == 0)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(section, setting);
    return kernel_fail(&place, error, "%s: not one of yes, no, dividing", value);
}

static enum clopt_status read_arithmetic(const struct clopt_section *section,
                                         enum clopt_arithmetic *arithmetic,
                                         struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "arithmetic");
    static const char *const names[CLOPT_ARITHMETIC_COUNT] = {
        [CLOPT_ARITHMETIC_SINGLE] = "single",
        [CLOPT_ARITHMETIC_DOUBLE] = "double",
        [CLOPT_ARITHMETIC_INTEGER] = "integer",
    };
    *arithmetic = CLOPT_ARITHMETIC_SINGLE;
    while (setting && *arithmetic < CLOPT_ARITHMETIC_COUNT &&
           strcmp(names[*arithmetic], setting->value) != 0)
        ++*arithmetic;
    if (*arithmetic != CLOPT_ARITHMETIC_COUNT)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(section, setting);
    return kernel_fail(&place, error, "%s: not one of single, double, integer", setting->value);
}

static enum clopt_status read_kernel(const struct clopt_section *section, struct kernel_step *step,
                                     struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "kernel");
    if (!setting)
        return kernel_fail(&step->place, error, "kernel = NAME is missing");
    struct kernel_place place = kernel_place_of(section, setting);
    if (!kernel_is_identifier(setting->value))
        return kernel_fail(&place, error, "%s: not the name of a function", setting->value);
    step->kernel_name = setting->value;
    return CLOPT_OK;
}

static enum clopt_status read_sizes(const struct clopt_section *section, struct kernel_names *names,
                                    unsigned allowed, struct kernel_step *step,
                                    struct clopt_error *error)
{
    enum clopt_status status =
        read_expressions(section, "global", 3, names, allowed, &step->global, error);
    if (!status)
        status = read_expressions(section, "local", 3, names, allowed, &step->local, error);
    if (status)
        return status;
    if (!step->global.count || !step->local.count)
        return kernel_fail(&step->place, error, "%s = EXPRESSION is missing",
                           step->global.count ? "local" : "global");
    if (step->global.count != step->local.count)
        return kernel_fail(&step->local.place, error, "%zu dimensions, but global has %zu",
                           step->local.count, step->global.count);
    return CLOPT_OK;
}

/* Finds one of [arguments]; NULL where there is none of that name. */
static struct kernel_argument *find_argument(struct kernel_argument *arguments, size_t count,
                                             const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(arguments[i].name, name) == 0)
            return &arguments[i];
    return NULL;
}

/* Reads one argument of a launch: a name, or a scalar of its own. */
static enum clopt_status read_argument(const struct kernel_place *place, char *part,
                                       struct kernel_names *names, unsigned allowed,
                                       struct kernel_argument *arguments, size_t count,
                                       struct kernel_step_argument *argument,
                                       struct clopt_error *error)
{
    struct kernel_place own = *place;
    own.value = part;
    *argument = (struct kernel_step_argument){.shared = find_argument(arguments, count, part)};
    if (argument->shared)
        return CLOPT_OK;
    if (kernel_is_identifier(part))
        return kernel_fail(place, error, "%s is not in [arguments]", part);
    enum clopt_status status = kernel_argument_read(&own, "", &argument->own, error);
    argument->own.place.value = place->value; /* the part's memory goes away */
    argument->own.values.place.value = place->value;
    if (!status && argument->own.kind != KERNEL_SCALAR) {
        kernel_argument_fini(&argument->own);
        status = kernel_fail(place, error,
                             "%s: only scalars may stand here; others belong into "
                             "[arguments]",
                             part);
    }
    return status ? status : kernel_expressions_check(&argument->own.values, names, allowed, error);
}

static enum clopt_status read_arguments(const struct clopt_section *section,
                                        struct kernel_names *names, unsigned allowed,
                                        struct kernel_argument *arguments, size_t count,
                                        struct kernel_step *step, struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "arguments");
    for (size_t i = 0; !setting && i < count; i++)
        step->arguments[step->argument_count++].shared = &arguments[i];
    if (!setting)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(section, setting);
    const char *list = setting->value;
    char *part;
    enum clopt_status status = CLOPT_OK;
    while (!status && (part = kernel_next_part(&list))) {
        if (step->argument_count == KERNEL_MOST_ARGUMENTS)
            status = kernel_fail(&place, error, "more than %d arguments", KERNEL_MOST_ARGUMENTS);
        else
            status = read_argument(&place, part, names, allowed, arguments, count,
                                   &step->arguments[step->argument_count++], error);
        free(part);
    }
    return status;
}

enum clopt_status kernel_step_read(const struct clopt_section *section, bool whole,
                                   struct kernel_names *names, struct kernel_argument *arguments,
                                   size_t argument_count, struct kernel_step *step,
                                   struct clopt_error *error)
{
    unsigned allowed = KERNEL_PARAMETERS | (whole ? KERNEL_I : KERNEL_I | KERNEL_J);
    *step = (struct kernel_step){.place = kernel_place_of(section, NULL)};
    enum clopt_status status = read_kernel(section, step, error);
    if (!status)
        status = read_sizes(section, names, allowed, step, error);
    if (!status)
        status = read_local_sizes(section, step, error);
    if (!status)
        status = read_arithmetic(section, &step->arithmetic, error);
    if (!status)
        status =
            read_expressions(section, "operations", 1, names, allowed, &step->operations, error);
    if (!status)
        status = read_expressions(section, "bytes", 1, names, allowed, &step->bytes, error);
    if (!status)
        status = read_expressions(section, "when", 1, names, allowed, &step->when, error);
    if (!status && !whole)
        status = read_expressions(section, "repeat", 1, names, KERNEL_PARAMETERS | KERNEL_I,
                                  &step->repeat, error);
    if (!status)
        status = read_arguments(section, names, allowed, arguments, argument_count, step, error);
    if (status)
        kernel_step_fini(step);
    return status;
}

enum clopt_status kernel_step_ndrange(const struct kernel_step *step, struct kernel_scope *scope,
                                      struct clopt_ndrange *ndrange, struct clopt_error *error)
{
    *ndrange = (struct clopt_ndrange){
        .dimensions = (unsigned)step->global.count, .global = {1, 1, 1}, .local = {1, 1, 1}};
    for (size_t d = 0; d < step->global.count; d++) {
        int64_t global;
        int64_t local;
        enum clopt_status status =
            kernel_evaluate_integer(scope, &step->global, d, 1, &global, error);
        if (!status)
            status = kernel_evaluate_integer(scope, &step->local, d, 1, &local, error);
        if (status)
            return status;
        if (global % local)
            return kernel_fail(&step->global.place, error,
                               "\"%s\" is %" PRId64 ", no multiple of the local size %" PRId64
                               "; ceildiv(a, b) * b rounds a up",
                               step->global.items[d]->text, global, local);
        ndrange->global[d] = (size_t)global;
        ndrange->local[d] = (size_t)local;
    }
    return CLOPT_OK;
}

enum clopt_status kernel_step_number(const struct kernel_expressions *expressions,
                                     struct kernel_scope *scope, double missing, double *value,
                                     struct clopt_error *error)
{
    struct clopt_number number;
    *value = missing;
    if (!expressions->count)
        return CLOPT_OK;
    enum clopt_status status = kernel_evaluate(scope, expressions, 0, &number, error);
    if (!status && number.real < 0)
        status = kernel_fail(&expressions->place, error, "\"%s\" is negative: %.17g",
                             expressions->items[0]->text, number.real);
    if (!status)
        *value = number.real;
    return status;
}
