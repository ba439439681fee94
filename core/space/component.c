/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads the layered graph of one component. */
#include "space/component.h"

#include "number/expression.h"
#include "space/keys.h"
#include "text/text.h"

#define NO_NODE UINT32_MAX

/* Nodes stand for what has been chosen for the parameters of the layers above, as far as a
 * constraint that is still to be evaluated asks for it: their frontier. */
struct layer {
    size_t parameter;
    size_t value_count;
    uint32_t *edges; /* node * value_count + value: a node of the next layer, or NO_NODE */
    uint64_t *ways;  /* from each node to the end */
    size_t node_count;
    size_t frontier[CLOPT_MOST_PARAMETERS];
    size_t frontier_count;
    struct clopt_keys keys; /* what has been chosen, uint16_t each: only while it is made */
};

struct clopt_component {
    size_t count;
    struct layer *layers; /* and one more with a single node: the end */
};

/* What making it needs all along. */
struct making {
    const struct clopt_domain *domains; /* the parts' */
    const struct clopt_bound_constraint *own[CLOPT_MOST_CONSTRAINTS];
    size_t own_count;
    uint64_t members;
    uint64_t *budget;
    struct clopt_error *error;
    size_t choice[CLOPT_MOST_PARAMETERS];
};

/* ---- constraints ---- */

struct asked {
    const struct making *making;
    const struct clopt_bound_constraint *constraint;
};

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    const struct asked *asked = user;
    const struct clopt_bound_variable *bound = &asked->constraint->variables[variable];
    size_t parameter = bound->parameter;
    (void)name;
    *value = bound->is_parameter
                 ? asked->making->domains[parameter].values[asked->making->choice[parameter]]
                 : bound->number;
    return true;
}

/* Says for which values a constraint could not be evaluated. */
static enum clopt_status fail_evaluation(const struct making *making,
                                         const struct clopt_bound_constraint *constraint)
{
    CLOPT_OWNED(clopt_text) values = {0};
    size_t count = constraint->expression->variable_count;
    for (size_t i = 0; i < count; i++) {
        struct clopt_number number;
        struct asked asked = {making, constraint};
        look_up(&asked, i, NULL, &number);
        clopt_text_printf(&values, "%s%s = %.17g", i ? ", " : "",
                          constraint->expression->variables[i], number.real);
    }
    clopt_fail_within(making->error, "%s", constraint->name);
    if (making->error && count)
        clopt_fail(making->error, making->error->status, "%s (%s)", making->error->message,
                   clopt_text_string(&values));
    return CLOPT_INVALID;
}

/* Evaluates those constraints whose last parameter has just been chosen. */
static enum clopt_status check(const struct making *making, uint64_t chosen, uint64_t before,
                               bool *holds)
{
    *holds = true;
    for (size_t i = 0; i < making->own_count && *holds; i++) {
        const struct clopt_bound_constraint *constraint = making->own[i];
        uint64_t parameters = constraint->parameters;
        if (parameters & ~chosen || (parameters && !(parameters & ~before)))
            continue;
        struct asked asked = {making, constraint};
        if (clopt_expression_evaluate_condition(constraint->expression, look_up, &asked, holds,
                                                making->error))
            return fail_evaluation(making, constraint);
    }
    return CLOPT_OK;
}

/* ---- the order of the parameters ---- */

/* How many combinations the parameters in a set have that are not in another. */
static double count_unchosen(const struct making *making, uint64_t parameters, uint64_t chosen)
{
    double count = 1;
    for (size_t i = 0; i < CLOPT_MOST_PARAMETERS; i++)
        if (parameters >> i & 1 && !(chosen >> i & 1))
            count *= (double)making->domains[i].count;
    return count;
}

/* Picks the parameters that the next constraint needs: the one that can be evaluated after the
 * fewest combinations prunes best. Without one, all that are left. */
static uint64_t pick_next(const struct making *making, uint64_t chosen)
{
    uint64_t best = making->members & ~chosen;
    double fewest = 0;
    for (size_t i = 0; i < making->own_count; i++) {
        uint64_t missing = making->own[i]->parameters & ~chosen;
        double count = count_unchosen(making, making->own[i]->parameters, chosen);
        if (!missing || (fewest != 0 && count >= fewest))
            continue;
        fewest = count;
        best = missing;
    }
    return best;
}

/* Within a layer parameters stay in the study's order. */
static void order_layers(const struct making *making, struct clopt_component *component)
{
    uint64_t chosen = 0;
    for (size_t count = 0; count < component->count;) {
        uint64_t next = pick_next(making, chosen);
        for (size_t i = 0; i < CLOPT_MOST_PARAMETERS; i++)
            if (next >> i & 1) {
                component->layers[count].parameter = i;
                component->layers[count++].value_count = making->domains[i].count;
            }
        chosen |= next;
    }
}

/* Finds for every layer which parameters above it are still asked for. */
static void find_frontiers(const struct making *making, struct clopt_component *component)
{
    uint64_t above = 0;
    for (size_t k = 0; k <= component->count; k++) {
        struct layer *layer = &component->layers[k];
        uint64_t needed = 0;
        for (size_t i = 0; i < making->own_count; i++)
            if (making->own[i]->parameters & ~above)
                needed |= making->own[i]->parameters & above;
        for (size_t i = 0; i < k; i++)
            if (needed >> component->layers[i].parameter & 1)
                layer->frontier[layer->frontier_count++] = component->layers[i].parameter;
        if (k < component->count)
            above |= UINT64_C(1) << layer->parameter;
    }
}

/* ---- nodes ---- */

/* Finds or adds the node for the choices at hand. */
static uint32_t provide_node(const struct making *making, struct layer *layer)
{
    uint16_t key[CLOPT_MOST_PARAMETERS];
    for (size_t i = 0; i < layer->frontier_count; i++)
        key[i] = (uint16_t)making->choice[layer->frontier[i]];
    layer->keys.bytes = layer->frontier_count * sizeof *key;
    uint32_t node = (uint32_t)clopt_keys_add(&layer->keys, key);
    layer->node_count = layer->keys.count;
    return node;
}

static enum clopt_status fail_size(const struct making *making)
{
    CLOPT_OWNED(clopt_text) names = {0};
    for (size_t i = 0; i < CLOPT_MOST_PARAMETERS; i++)
        if (making->members >> i & 1)
            clopt_text_printf(&names, "%s%s", names.length ? ", " : "", making->domains[i].name);
    clopt_fail(
        making->error, CLOPT_INVALID,
        "%s%sthe constraints connect too many values of the parameters %s; shorten their lists, "
        "or add constraints on few parameters that rule out combinations early",
        making->own_count ? making->own[0]->name : "", making->own_count ? ": " : "",
        clopt_text_string(&names));
    return CLOPT_INVALID;
}

/* ---- layers ---- */

/* Follows all values from one node of a layer. */
static enum clopt_status follow(struct making *making, struct layer *layer, struct layer *next,
                                uint32_t node, uint64_t before)
{
    const uint16_t *key = clopt_keys_at(&layer->keys, node);
    for (size_t i = 0; i < layer->frontier_count; i++)
        making->choice[layer->frontier[i]] = key[i];
    uint64_t chosen = before | UINT64_C(1) << layer->parameter;
    for (size_t value = 0; value < layer->value_count; value++) {
        uint32_t *edge = &layer->edges[node * layer->value_count + value];
        bool holds;
        making->choice[layer->parameter] = value;
        CLOPT_TRY(check(making, chosen, before, &holds));
        *edge = holds ? provide_node(making, next) : NO_NODE;
    }
    return CLOPT_OK;
}

/* Makes the edges of a layer, whose nodes are there, and the nodes of the next one. */
static enum clopt_status make_layer(struct making *making, struct layer *layer, struct layer *next,
                                    uint64_t before)
{
    uint64_t edges = (uint64_t)layer->node_count * layer->value_count;
    if (edges > *making->budget)
        return fail_size(making);
    *making->budget -= edges;
    layer->edges = clopt_calloc(edges, sizeof *layer->edges);
    for (uint32_t node = 0; node < layer->node_count; node++)
        CLOPT_TRY(follow(making, layer, next, node, before));
    clopt_keys_fini(&layer->keys);
    return CLOPT_OK;
}

/* Counts the ways from every node, and cuts the edges that lead nowhere. */
static void count_ways(struct clopt_component *component)
{
    for (size_t k = component->count + 1; k-- > 0;) {
        struct layer *layer = &component->layers[k];
        layer->ways = clopt_calloc(layer->node_count + 1, sizeof *layer->ways);
        for (uint32_t node = 0; node < layer->node_count; node++) {
            layer->ways[node] = k == component->count;
            for (size_t value = 0; value < layer->value_count; value++) {
                uint32_t next = layer->edges[node * layer->value_count + value];
                if (next != NO_NODE)
                    layer->ways[node] = clopt_count_add(layer->ways[node], layer[1].ways[next]);
            }
        }
    }
}

static enum clopt_status make_layers(struct making *making, struct clopt_component *component)
{
    uint64_t before = 0;
    bool holds = true;
    order_layers(making, component);
    find_frontiers(making, component);
    if (!making->members) /* constraints without parameters */
        CLOPT_TRY(check(making, 0, 0, &holds));
    if (holds)
        provide_node(making, &component->layers[0]);
    for (size_t k = 0; k < component->count; k++) {
        CLOPT_TRY(make_layer(making, &component->layers[k], &component->layers[k + 1], before));
        before |= UINT64_C(1) << component->layers[k].parameter;
    }
    count_ways(component);
    return CLOPT_OK;
}

/* Picks the constraints that are about the members. */
static void pick_constraints(struct making *making, const struct clopt_component_parts *parts)
{
    for (size_t i = 0; i < parts->constraint_count; i++) {
        uint64_t parameters = parts->constraints[i].parameters;
        if (making->members ? (parameters & making->members) != 0 : parameters == 0)
            making->own[making->own_count++] = &parts->constraints[i];
    }
}

enum clopt_status clopt_component_create(const struct clopt_component_parts *parts,
                                         uint64_t members, struct clopt_component **component,
                                         struct clopt_error *error)
{
    struct making making = {
        .domains = parts->domains, .members = members, .budget = parts->budget, .error = error};
    struct clopt_component *made = clopt_calloc(1, sizeof *made);
    *component = made;
    for (size_t i = 0; i < CLOPT_MOST_PARAMETERS; i++)
        made->count += members >> i & 1;
    made->layers = clopt_calloc(made->count + 1, sizeof *made->layers);
    pick_constraints(&making, parts);
    return make_layers(&making, made);
}

void clopt_component_destroy(struct clopt_component *component)
{
    if (!component)
        return;
    for (size_t k = 0; k <= component->count; k++) {
        free(component->layers[k].edges);
        free(component->layers[k].ways);
        clopt_keys_fini(&component->layers[k].keys);
    }
    free(component->layers);
    free(component);
}

uint64_t clopt_component_count(const struct clopt_component *component)
{
    return component->layers[0].node_count ? component->layers[0].ways[0] : 0;
}

/* How many ways go on with a value. */
static uint64_t ways_through(const struct layer *layer, uint32_t node, size_t value)
{
    uint32_t next = layer->edges[node * layer->value_count + value];
    return next == NO_NODE ? 0 : layer[1].ways[next];
}

void clopt_component_get(const struct clopt_component *component, uint64_t index, size_t *choice)
{
    uint32_t node = 0;
    for (size_t k = 0; k < component->count; k++) {
        const struct layer *layer = &component->layers[k];
        size_t value = 0;
        while (index >= ways_through(layer, node, value))
            index -= ways_through(layer, node, value++);
        choice[layer->parameter] = value;
        node = layer->edges[node * layer->value_count + value];
    }
}

uint64_t clopt_component_find(const struct clopt_component *component, const size_t *choice)
{
    uint64_t index = 0;
    uint32_t node = 0;
    if (!clopt_component_count(component))
        return UINT64_MAX;
    for (size_t k = 0; k < component->count; k++) {
        const struct layer *layer = &component->layers[k];
        size_t chosen = choice[layer->parameter];
        if (!ways_through(layer, node, chosen))
            return UINT64_MAX;
        for (size_t value = 0; value < chosen; value++)
            index += ways_through(layer, node, value);
        node = layer->edges[node * layer->value_count + chosen];
    }
    return index;
}
