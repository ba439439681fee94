/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which results a run has changed. */
#include "change.h"

#define MOST_SUSPECTS 8 /* that are named */

bool kernel_is_changed(const struct kernel_argument *argument, struct kernel_values values,
                       const struct kernel_datum *datum)
{
    static const uint32_t poison = CLOPT_POISON;
    const size_t bytes = values.count * kernel_type_bytes(&argument->type);
    const unsigned char *now = values.data;
    if (datum->contents)
        return memcmp(now, datum->contents, bytes) != 0;
    for (size_t i = 0; i < bytes; i++)
        if (now[i] != ((const unsigned char *)&poison)[i % sizeof poison])
            return true;
    return argument->is_image; /* what it was is not known */
}

/* ---- what may be the reason ---- */

static void print_suspect(struct clopt_text *text, size_t number, const char *section,
                          const char *name)
{
    if (number < MOST_SUSPECTS)
        clopt_text_printf(text, "%s-s %s.%s=...", number ? ", " : "", section, name);
}

static bool is_size(const struct kernel_names *names, const char *name)
{
    for (size_t i = 0; i < names->size_count; i++)
        if (strcmp(names->sizes[i], name) == 0)
            return true;
    return false;
}

/* Whether an argument is a number that is no size, a structure, or a counter. */
static bool may_stop(const struct kernel_definition *definition, struct kernel_scope *scope,
                     const struct kernel_argument *argument)
{
    if (argument->kind == KERNEL_SCALAR)
        return !is_size(&definition->names, argument->name);
    return argument->kind == KERNEL_BUFFER && argument->use != CLOPT_OUTPUT &&
           !argument->is_image && kernel_evaluate_product(scope, &argument->values) == 1;
}

/* Names what tells a kernel how much there is to do, and how to give it. */
static void print_suspects(const struct kernel_definition *definition, struct kernel_scope *scope,
                           struct clopt_text *text)
{
    const struct kernel_names *names = &definition->names;
    size_t count = 0;
    for (size_t i = 0; i < names->size_count; i++)
        print_suspect(text, count++, "size", names->sizes[i]);
    for (size_t i = 0; i < definition->argument_count; i++)
        if (may_stop(definition, scope, &definition->arguments[i]))
            print_suspect(text, count++, "arguments", definition->arguments[i].name);
    if (count > MOST_SUSPECTS)
        clopt_text_printf(text, " and %zu more", count - MOST_SUSPECTS);
    clopt_text_printf(text, "%sthe lengths and contents of inputs", count ? ", or " : "");
}

/* Prints the results that a run has not changed; returns whether there is no other one. */
static bool print_unchanged(const struct kernel_definition *definition,
                            const struct kernel_datum *data, struct clopt_text *text)
{
    size_t count = 0, others = 0;
    for (size_t i = 0; i < definition->argument_count; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        const struct kernel_values *values = &data[i].expected;
        if (!kernel_argument_is_result(argument) || argument->tolerance.how == KERNEL_IGNORED)
            continue;
        if (!kernel_argument_is_expected(argument) ||
            kernel_is_changed(argument, *values, &data[i]))
            others++;
        else
            clopt_text_printf(text, "%s%s (%zu element%s)", count++ ? ", " : "", argument->name,
                              values->count, values->count == 1 ? "" : "s");
    }
    return count && !others;
}

void kernel_learn_unchanged(const struct kernel_definition *definition,
                            const struct kernel_datum *data, struct kernel_scope *scope,
                            char unchanged[KERNEL_UNCHANGED])
{
    CLOPT_OWNED(clopt_text) results = {0}, reasons = {0};
    bool idle = print_unchanged(definition, data, &results);
    if (idle)
        print_suspects(definition, scope, &reasons);
    snprintf(unchanged, KERNEL_UNCHANGED, "%s", clopt_text_string(&results));
    if (idle && !scope->error->status)
        clopt_fail(scope->error, CLOPT_WRONG_RESULT,
                   "computes nothing: no element of %s is changed, so that whatever does nothing "
                   "would be right; what tells the kernel that there is something to do may be "
                   "guessed wrong: %s",
                   unchanged, clopt_text_string(&reasons));
}
