/* SPDX-License-Identifier: BSD-3-Clause */
/* All compositions of a study's optimizations for one kernel. */
#include "space/composition.h"

#include <stdlib.h>
#include <string.h>

#include "space/combinations.h"
#include "space/composition_parts.h"
#include "space/parameters.h"
#include "space/space.h"
#include "text/text.h"

/* One optimization in this many is drawn, and of one that is drawn one change more in this many. */
#define ONE_IN       2
#define ONE_MORE_IN  4
#define MOST_NUMBERS (UINT64_C(1) << 62)

static const struct clopt_study_optimization *optimization_of(
    const struct clopt_composition *composition, size_t optimization)
{
    return &composition->space.study->optimizations[optimization];
}

static bool has(const struct clopt_composition *composition, size_t optimization)
{
    return clopt_subspace_has(&composition->space, optimization_of(composition, optimization));
}

/* ---- dimensions ---- */

/* Reads the numbers of a dimension's values, the initial one first where it was added. */
static enum clopt_status read_numbers(struct clopt_dimension *dimension,
                                      const struct clopt_list *list, enum clopt_type type,
                                      const char *initial, struct clopt_error *error)
{
    bool numeric = type != CLOPT_TEXT && type != CLOPT_FILE && (!dimension->added || initial);
    dimension->numbers = calloc(list->count + 1, sizeof *dimension->numbers);
    if (!dimension->numbers)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < list->count + dimension->added && numeric; i++) {
        const char *text = i < dimension->added ? initial : list->items[i - dimension->added];
        struct clopt_value value = {0};
        numeric = text && clopt_value_parse(text, type, &value, NULL) == CLOPT_OK;
        dimension->numbers[i] = clopt_number_real(value.real);
        free(value.text);
    }
    if (!numeric) {
        free(dimension->numbers);
        dimension->numbers = NULL;
    }
    return CLOPT_OK;
}

/* Adds a dimension, unless it has one value only; then the composition owns it. */
static enum clopt_status add_dimension(struct clopt_composition *composition,
                                       struct clopt_dimension dimension, const char *section,
                                       const char *name, const struct clopt_list *list,
                                       enum clopt_type type, const char *initial,
                                       struct clopt_error *error)
{
    struct clopt_text text = {0};
    size_t at = composition->count;
    if (list->count + dimension.added < 2)
        return CLOPT_OK;
    clopt_text_printf(&text, "%s%s%s", section, *section ? "." : "", name);
    dimension.name = clopt_text_take(&text);
    enum clopt_status status = dimension.name ? read_numbers(&dimension, list, type, initial, error)
                                              : clopt_fail_memory(error);
    composition->dimensions[at] = dimension;
    composition->domains[at] = (struct clopt_domain){.name = dimension.name,
                                                     .count = list->count + dimension.added,
                                                     .values = dimension.numbers};
    composition->count++;
    return status;
}

static enum clopt_status add_optimization(struct clopt_composition *composition, size_t number,
                                          struct clopt_error *error)
{
    const struct clopt_study_optimization *wanted = optimization_of(composition, number);
    const struct clopt_parameter *parameters = wanted->entry->plugin->optimization->parameters;
    struct clopt_settings *settings = &composition->settings[number];
    enum clopt_status status = CLOPT_OK;
    clopt_settings_init(settings, wanted, composition->space.app->entry, composition->space.kernel);
    for (size_t p = 0; p < wanted->parameter_count && !status; p++) {
        /* What means something beside another change only is never what an optimization changes. */
        struct clopt_dimension dimension = {.optimization = number,
                                            .parameter = p,
                                            .added = !wanted->links[p].with &&
                                                     settings->nothing[p] == SIZE_MAX};
        if (!(settings->foreign & CLOPT_PARAMETER_BIT(p)))
            status = add_dimension(composition, dimension, wanted->entry->plugin->name,
                                   parameters[p].name, &wanted->lists[p], parameters[p].type,
                                   parameters[p].initial, error);
    }
    return status;
}

static enum clopt_status add_parameters(struct clopt_composition *composition,
                                        struct clopt_error *error)
{
    const struct clopt_app_parameters *parameters = composition->space.app->parameters;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; parameters && i < parameters->count && !status; i++) {
        const struct clopt_study_parameter *parameter = parameters->members[i];
        struct clopt_dimension dimension = {.optimization = CLOPT_STUDY_PARAMETER,
                                            .parameter = i,
                                            .added = parameter->initial_number == SIZE_MAX};
        if (clopt_study_names(&parameter->kernels, composition->space.kernel->name))
            status = add_dimension(composition, dimension, "", parameter->name, &parameter->values,
                                   parameter->type, parameter->initial.text, error);
    }
    return status;
}

/* ---- orders ---- */

/* Adds an order of the kernel's optimizations out of another: number `from` of it goes to `to`. */
static void add_order(struct clopt_composition *composition, const struct clopt_product *first,
                      size_t from, size_t to)
{
    struct clopt_product order = *first;
    size_t moved = order.members[from];
    memmove(&order.members[from], &order.members[from + 1],
            (order.count - from - 1) * sizeof moved);
    memmove(&order.members[to + 1], &order.members[to], (order.count - to - 1) * sizeof moved);
    order.members[to] = moved;
    composition->orders[composition->order_count++] = order;
}

/* Finds the orders: those that [combine] names, or the study's and what is next to it. */
static enum clopt_status find_orders(struct clopt_composition *composition,
                                     struct clopt_error *error)
{
    const struct clopt_study *study = composition->space.study;
    struct clopt_product own = {0};
    for (size_t i = 0; i < study->optimization_count; i++)
        if (has(composition, i) && own.count < CLOPT_MAX_STEPS)
            own.members[own.count++] = i;
    size_t most = study->product_count + own.count * own.count + 1;
    composition->orders = calloc(most, sizeof *composition->orders);
    if (!composition->orders)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < study->product_count; i++)
        if (study->products[i].count > 1)
            composition->orders[composition->order_count++] = study->products[i];
    if (composition->order_count)
        return CLOPT_OK;
    composition->orders[composition->order_count++] = own;
    for (size_t from = 0; from < own.count; from++)
        for (size_t to = 0; to < own.count; to++)
            if (to != from && to + 1 != from) /* that swaps two: it is there from the other side */
                add_order(composition, &own, from, to);
    return CLOPT_OK;
}

enum clopt_status clopt_composition_init(struct clopt_composition *composition,
                                         const struct clopt_study *study, size_t group,
                                         size_t kernel, struct clopt_error *error)
{
    size_t most = 1 + study->parameter_count;
    for (size_t i = 0; i < study->optimization_count; i++)
        most += study->optimizations[i].parameter_count;
    *composition = (struct clopt_composition){
        .space = clopt_subspace(study, group, kernel),
        .domains = calloc(most, sizeof *composition->domains),
        .dimensions = calloc(most, sizeof *composition->dimensions),
        .settings = calloc(study->optimization_count + 1, sizeof *composition->settings)};
    if (!composition->domains || !composition->dimensions || !composition->settings)
        return clopt_fail_memory(error);
    enum clopt_status status = find_orders(composition, error);
    struct clopt_list orders = {.count = composition->order_count};
    if (!status)
        status = add_dimension(composition, (struct clopt_dimension){.optimization = CLOPT_ORDERS},
                               "", "order", &orders, CLOPT_TEXT, NULL, error);
    if (!status)
        status = add_parameters(composition, error);
    for (size_t i = 0; i < study->optimization_count && !status; i++)
        if (has(composition, i))
            status = add_optimization(composition, i, error);
    return status;
}

void clopt_composition_fini(struct clopt_composition *composition)
{
    for (size_t i = 0; i < composition->count; i++) {
        free(composition->dimensions[i].name);
        free(composition->dimensions[i].numbers);
    }
    free(composition->domains);
    free(composition->dimensions);
    free(composition->settings);
    free(composition->orders);
    *composition = (struct clopt_composition){0};
}

/* ---- points ---- */

size_t clopt_composition_dimension(const struct clopt_composition *composition, size_t optimization,
                                   size_t parameter)
{
    for (size_t i = 0; i < composition->count; i++)
        if (composition->dimensions[i].optimization == optimization &&
            composition->dimensions[i].parameter == parameter)
            return i;
    return CLOPT_NO_PLACE;
}

size_t clopt_composition_rest(const struct clopt_composition *composition, size_t dimension)
{
    const struct clopt_dimension *own = &composition->dimensions[dimension];
    size_t nothing = 0;
    if (own->added || own->optimization == CLOPT_ORDERS)
        return 0;
    if (own->optimization == CLOPT_STUDY_PARAMETER)
        nothing = composition->space.app->parameters->members[own->parameter]->initial_number;
    else
        nothing = composition->settings[own->optimization].nothing[own->parameter];
    return nothing == SIZE_MAX ? 0 : nothing;
}

/* Returns the number of a value in the study's list; SIZE_MAX: it is the initial one, not there. */
static size_t listed(const struct clopt_composition *composition, size_t dimension,
                     const size_t *point)
{
    if (dimension == CLOPT_NO_PLACE)
        return 0;
    return point[dimension] - composition->dimensions[dimension].added;
}

/* Whether a parameter's value changes something. */
static bool changes(const struct clopt_composition *composition, size_t optimization,
                    size_t parameter, size_t dimension, const size_t *point)
{
    const struct clopt_settings *settings = &composition->settings[optimization];
    size_t number = listed(composition, dimension, point);
    return number != SIZE_MAX && number != settings->nothing[parameter] &&
           !(settings->foreign & CLOPT_PARAMETER_BIT(parameter));
}

/* Normalizes an optimization's values, or takes them all back; returns what they change. */
static uint64_t normalize(const struct clopt_composition *composition, size_t optimization,
                          bool applied, size_t *point)
{
    const struct clopt_settings *settings = &composition->settings[optimization];
    uint64_t changed = 0;
    for (size_t p = 0; p < optimization_of(composition, optimization)->parameter_count; p++) {
        size_t dimension = clopt_composition_dimension(composition, optimization, p);
        bool means = applied && clopt_settings_mean(settings, p, changed);
        if (!means && dimension != CLOPT_NO_PLACE)
            point[dimension] = clopt_composition_rest(composition, dimension);
        if (means && changes(composition, optimization, p, dimension, point))
            changed |= CLOPT_PARAMETER_BIT(p);
    }
    return changed;
}

static const struct clopt_product *order_of(const struct clopt_composition *composition,
                                            const size_t *point)
{
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    return &composition->orders[dimension == CLOPT_NO_PLACE ? 0 : point[dimension]];
}

/* Picks the members of an order that change something. */
static struct clopt_product pick(const struct clopt_product *order, uint64_t used)
{
    struct clopt_product picked = {0};
    for (size_t i = 0; i < order->count; i++)
        if (used >> order->members[i] & 1)
            picked.members[picked.count++] = order->members[i];
    return picked;
}

/* Returns the optimizations that change something, a bit each, and normalizes them. */
static uint64_t find_used(const struct clopt_composition *composition, size_t *point)
{
    const struct clopt_product *order = order_of(composition, point);
    uint64_t used = 0, applied = 0;
    for (size_t i = 0; i < order->count; i++)
        applied |= UINT64_C(1) << order->members[i];
    for (size_t i = 0; i < composition->space.study->optimization_count; i++)
        if (has(composition, i) && normalize(composition, i, applied >> i & 1, point))
            used |= UINT64_C(1) << i;
    return used;
}

void clopt_composition_normalize(const struct clopt_composition *composition, size_t *point)
{
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    uint64_t used = find_used(composition, point);
    if (dimension == CLOPT_NO_PLACE)
        return;
    const struct clopt_product own = pick(order_of(composition, point), used);
    for (size_t order = 0; order < point[dimension]; order++) {
        const struct clopt_product same = pick(&composition->orders[order], used);
        if (same.count == own.count &&
            memcmp(same.members, own.members, own.count * sizeof *own.members) == 0)
            point[dimension] = order;
    }
}

/* Draws values for an optimization: one change, and perhaps some more. */
static void draw_values(const struct clopt_composition *composition, size_t optimization,
                        struct clopt_random *random, size_t *point)
{
    const struct clopt_study_optimization *wanted = optimization_of(composition, optimization);
    size_t seen = 0, change = CLOPT_NO_PLACE;
    for (size_t i = 0; i < composition->count; i++) {
        const struct clopt_dimension *own = &composition->dimensions[i];
        if (own->optimization != optimization)
            continue;
        bool dependent = wanted->links[own->parameter].with;
        if (dependent ? clopt_random_below(random, ONE_IN) == 0
                      : clopt_random_below(random, ONE_MORE_IN) == 0)
            point[i] = clopt_random_below(random, composition->domains[i].count);
        if (!dependent && clopt_random_below(random, ++seen) == 0)
            change = i;
    }
    if (change == CLOPT_NO_PLACE)
        return;
    size_t other = clopt_random_below(random, composition->domains[change].count - 1);
    point[change] = other + (other >= clopt_composition_rest(composition, change));
}

void clopt_composition_draw(const struct clopt_composition *composition,
                            struct clopt_random *random, size_t *point)
{
    for (size_t i = 0; i < composition->count; i++) {
        const struct clopt_dimension *own = &composition->dimensions[i];
        point[i] = clopt_composition_rest(composition, i);
        if ((own->optimization == CLOPT_ORDERS || own->optimization == CLOPT_STUDY_PARAMETER) &&
            clopt_random_below(random, ONE_IN) == 0)
            point[i] = clopt_random_below(random, composition->domains[i].count);
    }
    for (size_t i = 0; i < composition->space.study->optimization_count; i++)
        if (clopt_random_below(random, ONE_IN) == 0)
            draw_values(composition, i, random, point);
    clopt_composition_normalize(composition, point);
}

/* ---- variants ---- */

static enum clopt_status choose_parameters(const struct clopt_composition *composition,
                                           const size_t *point, struct clopt_trial *trial,
                                           struct clopt_error *error)
{
    size_t choice[CLOPT_MOST_PARAMETERS] = {0};
    for (size_t i = 0; i < composition->count; i++)
        if (composition->dimensions[i].optimization == CLOPT_STUDY_PARAMETER)
            choice[composition->dimensions[i].parameter] = listed(composition, i, point);
    return clopt_study_choose_values(&composition->space, choice, trial, error);
}

/* Appends the step of an optimization. */
static enum clopt_status add_step(const struct clopt_composition *composition, size_t optimization,
                                  const size_t *point, struct clopt_trial *trial,
                                  struct clopt_error *error)
{
    const struct clopt_study_optimization *wanted = optimization_of(composition, optimization);
    struct clopt_step *step = &trial->steps[trial->step_count];
    size_t choice[CLOPT_LONGEST_TABLE];
    for (size_t p = 0; p < wanted->parameter_count; p++)
        choice[p] =
            listed(composition, clopt_composition_dimension(composition, optimization, p), point);
    step->optimization = wanted->entry;
    enum clopt_status status =
        clopt_settings_make(&composition->settings[optimization], choice, &step->values, error);
    trial->step_count += step->values != NULL;
    return status;
}

enum clopt_status clopt_composition_trial(const struct clopt_composition *composition,
                                          const size_t *point, struct clopt_trial *trial,
                                          struct clopt_error *error)
{
    size_t *copy = calloc(composition->count + 1, sizeof *copy);
    enum clopt_status status = clopt_space_initial(&composition->space, trial, error);
    if (!copy || status) {
        free(copy);
        clopt_trial_fini(trial);
        return status ? status : clopt_fail_memory(error);
    }
    memcpy(copy, point, composition->count * sizeof *copy);
    const struct clopt_product steps =
        pick(order_of(composition, point), find_used(composition, copy));
    free(copy);
    status = choose_parameters(composition, point, trial, error);
    for (size_t i = 0; i < steps.count && !status; i++)
        status = add_step(composition, steps.members[i], point, trial, error);
    if (status)
        clopt_trial_fini(trial);
    return status;
}

uint64_t clopt_composition_number(const struct clopt_composition *composition, const size_t *point)
{
    uint64_t number = 0;
    for (size_t i = 0; i < composition->count; i++)
        number = (number * composition->domains[i].count + point[i]) % MOST_NUMBERS;
    return number + 1;
}
