/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of a study: over which names they are, and what they come to. */
#include "expressions.h"

/* ---- reading ---- */

void kernel_expressions_fini(struct kernel_expressions *expressions)
{
    for (size_t i = 0; i < expressions->count; i++)
        clopt_expression_destroy(expressions->items[i]);
    expressions->count = 0;
}

void kernel_expressions_read(const struct kernel_scan *scan, const char *text, size_t least,
                             size_t most, struct kernel_expressions *expressions)
{
    const struct kernel_position *position = &scan->position;
    struct clopt_error *error = scan->error;
    char *part;
    *expressions = (struct kernel_expressions){.position = *position};
    while (!error->status && (part = kernel_next_part(&text))) {
        struct clopt_error reason;
        if (expressions->count == most)
            kernel_fail(position, error, "%s: expected %s", position->value,
                        most == 1 ? "one expression" : "fewer expressions");
        else if (clopt_expression_create(part, &expressions->items[expressions->count], &reason))
            kernel_fail_for(position, error, &reason);
        else
            expressions->count++;
        free(part);
    }
    if (expressions->count < least)
        kernel_fail(position, error, "%s: expected %s", position->value,
                    least == 1 ? "an expression" : "more expressions");
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
static void refuse_name(const struct kernel_expressions *expressions,
                        const struct kernel_names *names, const struct clopt_expression *expression,
                        size_t variable, struct clopt_error *error)
{
    struct clopt_error reason;
    const char *name = expression->variables[variable];
    bool counts = strcmp(name, "i") == 0 || strcmp(name, "j") == 0;
    clopt_expression_refuse(expression, variable, &reason, "%s %s", name,
                            counts ? "counts repetitions, and there are none here"
                            : is_parameter(names, name)
                                ? "is a parameter, and what is written here is the same for all "
                                  "variants"
                                : "is neither a size, nor a parameter, nor in [let] above");
    kernel_fail_for(&expressions->position, error, &reason);
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

/* Checks the names at a place that sees so many lines of [let]. */
static void check_names(const struct kernel_expressions *expressions, struct kernel_names *names,
                        size_t lets, unsigned allowed, struct clopt_error *error)
{
    for (size_t e = 0; e < expressions->count && !error->status; e++) {
        const struct clopt_expression *expression = expressions->items[e];
        for (size_t v = 0; v < expression->variable_count; v++)
            if (!may_use(names, lets, allowed, expression->variables[v]))
                refuse_name(expressions, names, expression, v, error);
    }
}

void kernel_expressions_check(const struct kernel_expressions *expressions,
                              struct kernel_names *names, unsigned allowed,
                              struct clopt_error *error)
{
    check_names(expressions, names, names->let_count, allowed, error);
}

static void check_name(const struct kernel_position *position, const struct kernel_names *names,
                       struct clopt_error *error)
{
    const char *name = position->key;
    if (!clopt_is_identifier(name))
        kernel_fail(position, error, "not a name: letters, digits and _, not a digit first");
    else if (strcmp(name, "i") == 0 || strcmp(name, "j") == 0)
        kernel_fail(position, error, "this name counts repetitions; choose another one");
    else if (is_known(names, names->let_count, name))
        kernel_fail(position, error, "this name is taken");
}

static void read_size(const struct kernel_position *position, struct kernel_names *names,
                      struct clopt_error *error)
{
    if (names->size_count == KERNEL_MOST_SIZES)
        kernel_fail(position, error, "more than %d sizes", KERNEL_MOST_SIZES);
    check_name(position, names, error);
    if (!error->status)
        names->sizes[names->size_count++] = position->key;
}

static void read_let(const struct kernel_position *position, struct kernel_names *names,
                     struct clopt_error *error)
{
    size_t above = names->let_count;
    if (above == KERNEL_MOST_LETS)
        kernel_fail(position, error, "more than %d names", KERNEL_MOST_LETS);
    check_name(position, names, error);
    if (error->status)
        return;
    struct kernel_let *let = &names->lets[names->let_count++];
    let->name = position->key;
    struct kernel_scan scan = kernel_scan_begin(position, error);
    kernel_expressions_read(&scan, position->value, 1, 1, &let->value);
    check_names(&let->value, names, above, KERNEL_PARAMETERS | KERNEL_I | KERNEL_J, error);
}

/* Notes the name of a section [parameter NAME], whose values are clopt's affair. */
static void read_parameter(const struct clopt_section *section, struct kernel_names *names,
                           struct clopt_error *error)
{
    struct kernel_position position = kernel_position_of(section, NULL);
    position.key = kernel_parameter_section(section);
    if (!position.key)
        return;
    if (names->parameter_count == KERNEL_MOST_PARAMETERS)
        kernel_fail(&position, error, "more than %d parameters", KERNEL_MOST_PARAMETERS);
    check_name(&position, names, error);
    if (!error->status)
        names->parameters[names->parameter_count++] = position.key;
}

/* Reads each line of a section, if there is one. */
static void read_lines(const struct clopt_section *section, struct kernel_names *names,
                       void (*read)(const struct kernel_position *, struct kernel_names *,
                                    struct clopt_error *),
                       struct clopt_error *error)
{
    for (size_t i = 0; section && i < section->count; i++) {
        struct kernel_position position = kernel_position_of(section, &section->settings[i]);
        read(&position, names, error);
    }
}

void kernel_names_read(const struct clopt_description *description, struct kernel_names *names,
                       struct clopt_error *error)
{
    read_lines(kernel_section(description, "size"), names, read_size, error);
    for (size_t i = 1; i < description->count; i++)
        read_parameter(&description->sections[i], names, error);
    read_lines(kernel_section(description, "let"), names, read_let, error);
}

void kernel_names_fini(struct kernel_names *names)
{
    for (size_t i = 0; i < names->let_count; i++)
        kernel_expressions_fini(&names->lets[i].value);
    names->let_count = 0;
}

/* ---- evaluating ---- */

struct kernel_scope kernel_scope_begin(const struct kernel_names *names,
                                       const struct clopt_problem *problem,
                                       struct clopt_error *error)
{
    error->status = CLOPT_OK;
    return (struct kernel_scope){
        .names = names, .problem = problem, .error = error, .visible_lets = names->let_count};
}

void kernel_scope_move(struct kernel_scope *scope, int64_t i, int64_t j)
{
    scope->i = i;
    scope->j = j;
    memset(scope->known, 0, sizeof scope->known);
}

/* Evaluates line number `let` of [let]; it sees those above it. */
static bool look_up_let(struct kernel_scope *scope, size_t let, struct clopt_number *value)
{
    if (!scope->known[let]) {
        size_t visible = scope->visible_lets;
        scope->visible_lets = let;
        scope->lets[let] = kernel_evaluate(scope, &scope->names->lets[let].value, 0);
        scope->visible_lets = visible;
        scope->known[let] = !scope->error->status;
    }
    *value = scope->lets[let];
    return scope->known[let];
}

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    struct kernel_scope *scope = user;
    (void)variable;
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

/* Evaluates an expression of a type. Where a line of [let] is to blame, the error names it. */
static struct clopt_number evaluate(struct kernel_scope *scope,
                                    const struct kernel_expressions *expressions, size_t index,
                                    enum clopt_type type)
{
    struct clopt_number value = {0};
    struct clopt_error reason;
    if (!scope->error->status &&
        clopt_expression_evaluate(expressions->items[index], type, look_up, scope, &value, &reason))
        kernel_fail_for(&expressions->position, scope->error, &reason);
    return value;
}

struct clopt_number kernel_evaluate(struct kernel_scope *scope,
                                    const struct kernel_expressions *expressions, size_t index)
{
    return evaluate(scope, expressions, index, CLOPT_REAL);
}

int64_t kernel_evaluate_integer(struct kernel_scope *scope,
                                const struct kernel_expressions *expressions, size_t index,
                                int64_t least)
{
    int64_t value = evaluate(scope, expressions, index, CLOPT_INTEGER).integer;
    if (value >= least)
        return value;
    kernel_fail(&expressions->position, scope->error,
                "\"%s\" is %" PRId64 ", it must be at least %" PRId64,
                expressions->items[index]->text, value, least);
    return least;
}

size_t kernel_evaluate_product(struct kernel_scope *scope,
                               const struct kernel_expressions *expressions)
{
    size_t product = 1;
    for (size_t i = 0; i < expressions->count; i++) {
        size_t factor = (size_t)kernel_evaluate_integer(scope, expressions, i, 1);
        if (__builtin_mul_overflow(product, factor, &product))
            kernel_fail(&expressions->position, scope->error,
                        "\"%s\" overflows: there are too many elements",
                        expressions->position.value);
    }
    return product;
}
