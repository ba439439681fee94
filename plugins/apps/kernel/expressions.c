/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of a study: over which names they are, and what they come to. */
#include "expressions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

void kernel_expressions_fini(struct kernel_expressions *expressions)
{
    for (size_t i = 0; i < expressions->count; i++)
        clopt_expression_destroy(expressions->items[i]);
    expressions->count = 0;
}

static enum clopt_status read_parts(const struct kernel_place *place, const char *text, size_t most,
                                    struct kernel_expressions *expressions,
                                    struct clopt_error *error)
{
    char *part;
    while ((part = kernel_next_part(&text))) {
        enum clopt_status status =
            expressions->count == most
                ? kernel_fail(place, error, "%s: expected %s", place->value,
                              most == 1 ? "one expression" : "fewer expressions")
                : clopt_expression_create(part, &expressions->items[expressions->count], error);
        free(part);
        if (expressions->count == most)
            return status;
        if (status)
            return kernel_fail_within(place, error);
        expressions->count++;
    }
    return CLOPT_OK;
}

enum clopt_status kernel_expressions_read(const struct kernel_place *place, const char *text,
                                          size_t least, size_t most,
                                          struct kernel_expressions *expressions,
                                          struct clopt_error *error)
{
    *expressions = (struct kernel_expressions){.place = *place};
    enum clopt_status status = read_parts(place, text, most, expressions, error);
    if (!status && expressions->count < least)
        status = kernel_fail(place, error, "%s: expected %s", place->value,
                             least == 1 ? "an expression" : "more expressions");
    if (status)
        kernel_expressions_fini(expressions);
    return status;
}

static bool is_parameter(const struct kernel_names *names, const char *name)
{
    for (size_t i = 0; i < names->parameter_count; i++)
        if (strcmp(names->parameters[i], name) == 0)
            return true;
    return false;
}

/* Tells whether a name means something, at a place that sees so many lines of [let]. */
static bool is_known(const struct kernel_names *names, size_t lets, const char *name)
{
    for (size_t i = 0; i < names->size_count; i++)
        if (strcmp(names->sizes[i], name) == 0)
            return true;
    if (is_parameter(names, name))
        return true;
    for (size_t i = 0; i < lets; i++)
        if (strcmp(names->lets[i].name, name) == 0)
            return true;
    return false;
}

/* Says why an expression may not use a name. */
static enum clopt_status refuse_name(const struct kernel_expressions *expressions,
                                     const struct kernel_names *names,
                                     const struct clopt_expression *expression, size_t variable,
                                     struct clopt_error *error)
{
    const char *name = expression->variables[variable];
    if (strcmp(name, "i") == 0 || strcmp(name, "j") == 0)
        clopt_expression_refuse(expression, variable, error,
                                "%s counts repetitions, there is none here", name);
    else if (is_parameter(names, name))
        clopt_expression_refuse(expression, variable, error,
                                "%s is a parameter, and what is written here is the same for all "
                                "variants",
                                name);
    else
        clopt_expression_refuse(expression, variable, error,
                                "%s is neither a size, nor a parameter, nor in [let] above", name);
    return kernel_fail_within(&expressions->place, error);
}

static bool may_use(struct kernel_names *names, size_t lets, unsigned allowed, const char *name)
{
    if (strcmp(name, "i") == 0)
        return allowed & KERNEL_I;
    if (strcmp(name, "j") == 0)
        return allowed & KERNEL_J;
    if (is_parameter(names, name))
        return allowed & KERNEL_PARAMETERS;
    for (size_t i = 0; i < names->size_count; i++)
        names->used[i] |= strcmp(names->sizes[i], name) == 0;
    return is_known(names, lets, name);
}

static enum clopt_status check_expressions(const struct kernel_expressions *expressions,
                                           struct kernel_names *names, size_t lets,
                                           unsigned allowed, struct clopt_error *error)
{
    for (size_t e = 0; e < expressions->count; e++) {
        const struct clopt_expression *expression = expressions->items[e];
        for (size_t v = 0; v < expression->variable_count; v++)
            if (!may_use(names, lets, allowed, expression->variables[v]))
                return refuse_name(expressions, names, expression, v, error);
    }
    return CLOPT_OK;
}

enum clopt_status kernel_expressions_check(const struct kernel_expressions *expressions,
                                           struct kernel_names *names, unsigned allowed,
                                           struct clopt_error *error)
{
    return check_expressions(expressions, names, names->let_count, allowed, error);
}

static enum clopt_status check_name(const struct kernel_place *place,
                                    const struct kernel_names *names, struct clopt_error *error)
{
    if (!kernel_is_identifier(place->key))
        return kernel_fail(place, error, "not a name: letters, digits and _, not a digit first");
    if (strcmp(place->key, "i") == 0 || strcmp(place->key, "j") == 0)
        return kernel_fail(place, error, "this name counts repetitions; choose another one");
    if (is_known(names, names->let_count, place->key))
        return kernel_fail(place, error, "this name is taken");
    return CLOPT_OK;
}

static enum clopt_status read_size(const struct clopt_section *section,
                                   const struct clopt_setting *setting, struct kernel_names *names,
                                   struct clopt_error *error)
{
    struct kernel_place place = kernel_place_of(section, setting);
    if (names->size_count == KERNEL_MOST_SIZES)
        return kernel_fail(&place, error, "more than %d sizes", KERNEL_MOST_SIZES);
    enum clopt_status status = check_name(&place, names, error);
    if (!status)
        names->sizes[names->size_count++] = setting->key;
    return status;
}

static enum clopt_status read_let(const struct clopt_section *section,
                                  const struct clopt_setting *setting, struct kernel_names *names,
                                  struct clopt_error *error)
{
    struct kernel_place place = kernel_place_of(section, setting);
    struct kernel_let *let = &names->lets[names->let_count];
    if (names->let_count == KERNEL_MOST_LETS)
        return kernel_fail(&place, error, "more than %d names", KERNEL_MOST_LETS);
    enum clopt_status status = check_name(&place, names, error);
    if (!status)
        status = kernel_expressions_read(&place, setting->value, 1, 1, &let->value, error);
    if (status)
        return status;
    let->name = setting->key;
    status = check_expressions(&let->value, names, names->let_count,
                               KERNEL_PARAMETERS | KERNEL_I | KERNEL_J, error);
    names->let_count++;
    return status;
}

/* Notes the name of a section [parameter NAME], whose values are clopt's affair. */
static enum clopt_status read_parameter(const struct clopt_section *section,
                                        struct kernel_names *names, struct clopt_error *error)
{
    struct kernel_place place = kernel_place_of(section, NULL);
    place.key = section->name + strlen("parameter ");
    if (names->parameter_count == KERNEL_MOST_PARAMETERS)
        return kernel_fail(&place, error, "more than %d parameters", KERNEL_MOST_PARAMETERS);
    enum clopt_status status = check_name(&place, names, error);
    if (!status)
        names->parameters[names->parameter_count++] = place.key;
    return status;
}

enum clopt_status kernel_names_read(const struct clopt_description *description,
                                    struct kernel_names *names, struct clopt_error *error)
{
    const struct clopt_section *size = kernel_section(description, "size");
    const struct clopt_section *let = kernel_section(description, "let");
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; size && i < size->count && !status; i++)
        status = read_size(size, &size->settings[i], names, error);
    for (size_t i = 1; i < description->count && !status; i++)
        if (strncmp(description->sections[i].name, "parameter ", strlen("parameter ")) == 0)
            status = read_parameter(&description->sections[i], names, error);
    for (size_t i = 0; let && i < let->count && !status; i++)
        status = read_let(let, &let->settings[i], names, error);
    return status;
}

void kernel_names_fini(struct kernel_names *names)
{
    for (size_t i = 0; i < names->let_count; i++)
        kernel_expressions_fini(&names->lets[i].value);
    names->let_count = 0;
}

/* ---- evaluating ---- */

void kernel_scope_init(struct kernel_scope *scope, const struct kernel_names *names,
                       const struct clopt_problem *problem)
{
    *scope =
        (struct kernel_scope){.names = names, .problem = problem, .visible_lets = names->let_count};
}

void kernel_scope_move(struct kernel_scope *scope, int64_t i, int64_t j)
{
    scope->i = i;
    scope->j = j;
    memset(scope->known, 0, sizeof scope->known);
}

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value);

/* Evaluates line number `let` of [let]; it sees those above it. */
static bool look_up_let(struct kernel_scope *scope, size_t let, struct clopt_number *value)
{
    if (!scope->known[let]) {
        const struct kernel_expressions *expressions = &scope->names->lets[let].value;
        size_t visible = scope->visible_lets;
        scope->visible_lets = let;
        enum clopt_status status = clopt_expression_evaluate(
            expressions->items[0], CLOPT_REAL, look_up, scope, &scope->lets[let], &scope->error);
        scope->visible_lets = visible;
        if (status) {
            /* Of several lines that use each other, the first one that failed is to blame. */
            if (!strstr(scope->error.message, "[let]"))
                kernel_fail_within(&expressions->place, &scope->error);
            return false;
        }
        scope->known[let] = true;
    }
    *value = scope->lets[let];
    return true;
}

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    struct kernel_scope *scope = user;
    (void)variable;
    if (scope->error.status)
        return false;
    for (size_t i = 0; i < scope->visible_lets; i++)
        if (strcmp(scope->names->lets[i].name, name) == 0)
            return look_up_let(scope, i, value);
    if (strcmp(name, "i") == 0)
        *value = clopt_number_integer(scope->i);
    else if (strcmp(name, "j") == 0)
        *value = clopt_number_integer(scope->j);
    else if (clopt_values_has(scope->problem->inputs, name))
        *value = clopt_number_integer(clopt_values_integer(scope->problem->inputs, name));
    else
        return scope->problem->parameters &&
               clopt_values_number(scope->problem->parameters, name, value);
    return true;
}

/* Hands over what went wrong: in a line of [let], where one was to blame. */
static enum clopt_status hand_over(struct kernel_scope *scope,
                                   const struct kernel_expressions *expressions,
                                   struct clopt_error *error)
{
    if (!scope->error.status)
        return kernel_fail_within(&expressions->place, error);
    clopt_fail(error, scope->error.status, "%s", scope->error.message);
    scope->error = (struct clopt_error){0};
    return CLOPT_INVALID;
}

enum clopt_status kernel_evaluate(struct kernel_scope *scope,
                                  const struct kernel_expressions *expressions, size_t index,
                                  struct clopt_number *value, struct clopt_error *error)
{
    enum clopt_status status = clopt_expression_evaluate(expressions->items[index], CLOPT_REAL,
                                                         look_up, scope, value, error);
    return status ? hand_over(scope, expressions, error) : CLOPT_OK;
}

enum clopt_status kernel_evaluate_integer(struct kernel_scope *scope,
                                          const struct kernel_expressions *expressions,
                                          size_t index, int64_t least, int64_t *value,
                                          struct clopt_error *error)
{
    struct clopt_number number;
    enum clopt_status status = clopt_expression_evaluate(expressions->items[index], CLOPT_INTEGER,
                                                         look_up, scope, &number, error);
    *value = number.integer;
    if (status)
        return hand_over(scope, expressions, error);
    if (*value < least)
        return kernel_fail(&expressions->place, error,
                           "\"%s\" is %" PRId64 ", it must be at least %" PRId64,
                           expressions->items[index]->text, *value, least);
    return CLOPT_OK;
}

enum clopt_status kernel_evaluate_product(struct kernel_scope *scope,
                                          const struct kernel_expressions *expressions,
                                          size_t *product, struct clopt_error *error)
{
    *product = 1;
    for (size_t i = 0; i < expressions->count; i++) {
        int64_t factor;
        enum clopt_status status =
            kernel_evaluate_integer(scope, expressions, i, 1, &factor, error);
        if (status)
            return status;
        if (__builtin_mul_overflow(*product, (size_t)factor, product))
            return kernel_fail(&expressions->place, error,
                               "\"%s\" overflows: there are too many elements",
                               expressions->place.value);
    }
    return CLOPT_OK;
}
