/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer arguments that bound loops become constants, as specialisation constants are: loops of so
 * many iterations can be unrolled, and what they read be kept in registers. */
#include "loops.h"

struct specialisation {
    const struct clopt_transform *transform;
    unsigned most; /* the largest value that is put in */
    struct clopt_ndrange_change change;
};

/* ---- which arguments ---- */

static bool asks(const struct clopt_node *node, const void *variable)
{
    return clopt_node_is_loop(node) && node->condition &&
           clopt_node_search(node->condition, clopt_node_names, variable);
}

/* Whether the value of an argument is known, and a loop's head asks for it. */
static bool is_wanted(const struct specialisation *specialisation,
                      const struct clopt_function *kernel, size_t number)
{
    const struct clopt_variable *parameter = kernel->parameters[number];
    const struct clopt_known_argument *argument = &specialisation->transform->arguments[number];
    return argument->known && argument->value > 0 && argument->value <= specialisation->most &&
           parameter->bits >= 32 && !parameter->changed &&
           clopt_node_search(kernel->body, asks, parameter);
}

/* ---- what becomes of them ---- */

static void put_value(struct clopt_source *source, struct clopt_node *node,
                      const struct clopt_variable *parameter, unsigned value)
{
    char literal[24];
    for (size_t i = node->child_count; i-- > 0;)
        put_value(source, node->children[i], parameter, value);
    if (!clopt_node_names(node, parameter))
        return;
    snprintf(literal, sizeof literal, "%u%s%s", value, parameter->is_signed ? "" : "u",
             parameter->bits > 32 ? "l" : "");
    clopt_replace_by(source, node, "$s", literal);
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct specialisation *specialisation = user;
    struct clopt_ndrange_change *change = &specialisation->change;
    const struct clopt_function *kernel = source->kernel;
    for (size_t i = 0; i < kernel->parameter_count && i < CLOPT_MOST_KNOWN; i++) {
        if (!is_wanted(specialisation, kernel, i) || change->multiple_count == CLOPT_MOST_MULTIPLES)
            continue;
        unsigned value = (unsigned)specialisation->transform->arguments[i].value;
        put_value(source, kernel->body, kernel->parameters[i], value);
        change->multiples[change->multiple_count++] = (struct clopt_argument_multiple){
            .argument = (unsigned)i, .multiple = 1, .equals = value};
    }
    return change->multiple_count
               ? CLOPT_OK
               : clopt_source_refuse(source, kernel->body, error,
                                     "specialise: no loop is bounded by an integer argument that "
                                     "all launches pass alike, from 1 to %u",
                                     specialisation->most);
}

enum clopt_status specialise_apply(struct clopt_transform *transform, const char *loops,
                                   unsigned factor, struct clopt_error *error)
{
    struct specialisation specialisation = {.transform = transform, .most = factor};
    (void)loops;
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, &specialisation, error));
    return clopt_transform_change_ndrange(transform, &specialisation.change, error);
}
