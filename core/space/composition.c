/* SPDX-License-Identifier: BSD-3-Clause */
/* All variants of a kernel, as points of a space. */
#include "space/composition.h"

#include "space/parameters.h"

/* One optimization in this many is drawn, and of one that is drawn one change more in this many. */
#define ONE_IN       2
#define ONE_MORE_IN  4
#define MOST_NUMBERS (UINT64_C(1) << 62)

/* ---- dimensions ---- */

/* Reads the numbers of a dimension's values, the initial one first where it was added. */
static void read_numbers(struct clopt_dimension *dimension, const struct clopt_list *list,
                         enum clopt_type type, const char *initial)
{
    bool numeric = type != CLOPT_TEXT && type != CLOPT_FILE && (!dimension->added || initial);
    dimension->numbers = clopt_calloc(list->count + 1, sizeof *dimension->numbers);
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
}

/* Adds a dimension, unless it has one value only; then the composition owns it. */
static void add_dimension(struct clopt_composition *composition, struct clopt_dimension dimension,
                          const struct clopt_list *list, enum clopt_type type, const char *initial)
{
    size_t at = composition->count;
    if (list->count + dimension.added < 2) {
        free(dimension.name);
        return;
    }
    read_numbers(&dimension, list, type, initial);
    composition->dimensions[at] = dimension;
    composition->domains[at] = (struct clopt_domain){.name = dimension.name,
                                                     .count = list->count + dimension.added,
                                                     .values = dimension.numbers};
    composition->count++;
}

static void add_slot(struct clopt_composition *composition, size_t slot)
{
    const struct clopt_settings *settings = &composition->slots[slot];
    const struct clopt_study_optimization *wanted = settings->optimization;
    const struct clopt_extension *extension = wanted->entry->extension;
    const struct clopt_parameter *parameters = extension->optimization->parameters;
    for (size_t p = 0; p < wanted->parameter_count; p++) {
        /* What means something beside another change only is never what an optimization changes. */
        bool added = !wanted->links[p].with && settings->nothing[p] == SIZE_MAX;
        if (settings->foreign & CLOPT_PARAMETER_BIT(p))
            continue;
        add_dimension(composition,
                      (struct clopt_dimension){
                          .name = clopt_text_format("%s.%s", extension->name, parameters[p].name),
                          .slot = slot,
                          .parameter = p,
                          .added = added},
                      &wanted->lists[p], parameters[p].type, parameters[p].initial);
    }
}

static void add_parameters(struct clopt_composition *composition)
{
    const struct clopt_app_parameters *parameters = composition->app->parameters;
    for (size_t i = 0; parameters && i < parameters->count; i++) {
        const struct clopt_study_parameter *parameter = parameters->members[i];
        if (clopt_study_names(&parameter->kernels, composition->kernel->name))
            add_dimension(composition,
                          (struct clopt_dimension){.name = clopt_strdup(parameter->name),
                                                   .slot = CLOPT_STUDY_PARAMETER,
                                                   .parameter = i,
                                                   .added = parameter->initial_number == SIZE_MAX},
                          &parameter->values, parameter->type, parameter->initial.text);
    }
}

/* ---- slots and orders ---- */

/* How often an order has a member before it has it at `position`. */
static size_t count_before(const struct clopt_product *order, size_t position)
{
    size_t count = 0;
    for (size_t i = 0; i < position; i++)
        count += order->members[i] == order->members[position];
    return count;
}

/* Finds the settings of the optimizations that the study wants for the kernel. */
static void make_slots(struct clopt_composition *composition)
{
    const struct clopt_study *study = composition->study;
    const struct clopt_plugin_entry *app = composition->app->entry;
    size_t most = study->optimization_count + 1;
    for (size_t i = 0; i < study->product_count; i++)
        for (size_t m = 0; m < study->products[i].count; m++)
            most += count_before(&study->products[i], m) > 0;
    composition->slots = clopt_calloc(most, sizeof *composition->slots);
    composition->slot_count = study->optimization_count;
    for (size_t i = 0; i < study->optimization_count; i++) {
        const struct clopt_study_optimization *optimization = &study->optimizations[i];
        if (clopt_study_names(&optimization->kernels, composition->kernel->name) &&
            clopt_study_names(&optimization->apps, app->extension->name))
            clopt_settings_init(&composition->slots[i], optimization, app, composition->kernel);
    }
}

/* Returns the slot of an optimization that an order has `again` times before. */
static size_t provide_slot(struct clopt_composition *composition, size_t optimization, size_t again)
{
    const struct clopt_settings *first = &composition->slots[optimization];
    size_t slot = composition->study->optimization_count;
    if (!again || !first->optimization)
        return optimization;
    for (; slot < composition->slot_count; slot++)
        if (composition->slots[slot].optimization == first->optimization && --again == 0)
            return slot;
    composition->slots[slot] = *first;
    composition->slot_count++;
    return slot;
}

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

/* Finds the orders: the study's products; of a search those with several members, or else the
 * study's order and what is next to it. */
static void find_orders(struct clopt_composition *composition)
{
    const struct clopt_study *study = composition->study;
    bool search = study->search.strategy;
    struct clopt_product own = {0};
    for (size_t i = 0; i < study->optimization_count; i++)
        if (composition->slots[i].optimization && own.count < CLOPT_MAX_STEPS)
            own.members[own.count++] = i;
    size_t most = study->product_count + own.count * own.count + 1;
    composition->orders = clopt_calloc(most, sizeof *composition->orders);
    for (size_t i = 0; i < study->product_count; i++) {
        const struct clopt_product *product = &study->products[i];
        struct clopt_product *order = &composition->orders[composition->order_count];
        if (search && product->count < 2)
            continue;
        *order = *product;
        for (size_t m = 0; m < product->count; m++)
            order->members[m] =
                provide_slot(composition, product->members[m], count_before(product, m));
        composition->order_count++;
    }
    if (!search || composition->order_count)
        return;
    composition->orders[composition->order_count++] = own;
    for (size_t from = 0; from < own.count; from++)
        for (size_t to = 0; to < own.count; to++)
            if (to != from && to + 1 != from) /* that swaps two: it is there from the other side */
                add_order(composition, &own, from, to);
}

static void compose(struct clopt_composition *composition)
{
    make_slots(composition);
    find_orders(composition);
    size_t most = 1 + composition->study->parameter_count;
    for (size_t i = 0; i < composition->slot_count; i++)
        if (composition->slots[i].optimization)
            most += composition->slots[i].optimization->parameter_count;
    composition->domains = clopt_calloc(most, sizeof *composition->domains);
    composition->dimensions = clopt_calloc(most, sizeof *composition->dimensions);
    struct clopt_list orders = {.count = composition->order_count};
    add_dimension(composition,
                  (struct clopt_dimension){.name = clopt_strdup("order"), .slot = CLOPT_ORDERS},
                  &orders, CLOPT_TEXT, NULL);
    add_parameters(composition);
    for (size_t i = 0; i < composition->slot_count; i++)
        if (composition->slots[i].optimization)
            add_slot(composition, i);
}

void clopt_study_compose(struct clopt_study *study)
{
    for (size_t a = 0; a < study->app_count; a++) {
        struct clopt_study_app *app = &study->apps[a];
        app->compositions = clopt_calloc(app->kernel_count + 1, sizeof *app->compositions);
        for (size_t k = 0; k < app->kernel_count; k++) {
            app->compositions[k] =
                (struct clopt_composition){.study = study, .app = app, .kernel = app->kernels[k]};
            compose(&app->compositions[k]);
        }
    }
}

void clopt_compositions_destroy(struct clopt_composition *compositions, size_t count)
{
    for (size_t k = 0; compositions && k < count; k++) {
        struct clopt_composition *composition = &compositions[k];
        for (size_t i = 0; i < composition->count; i++) {
            free(composition->dimensions[i].name);
            free(composition->dimensions[i].numbers);
        }
        free(composition->domains);
        free(composition->dimensions);
        free(composition->slots);
        free(composition->orders);
    }
    free(compositions);
}

/* ---- points ---- */

size_t clopt_composition_dimension(const struct clopt_composition *composition, size_t slot,
                                   size_t parameter)
{
    for (size_t i = 0; i < composition->count; i++)
        if (composition->dimensions[i].slot == slot &&
            composition->dimensions[i].parameter == parameter)
            return i;
    return CLOPT_NO_POSITION;
}

/* Returns the value of a dimension that changes nothing, or the first. */
static size_t find_rest(const struct clopt_composition *composition, size_t dimension)
{
    const struct clopt_dimension *own = &composition->dimensions[dimension];
    size_t nothing = 0;
    if (own->added || own->slot == CLOPT_ORDERS)
        return 0;
    if (own->slot == CLOPT_STUDY_PARAMETER)
        nothing = composition->app->parameters->members[own->parameter]->initial_number;
    else
        nothing = composition->slots[own->slot].nothing[own->parameter];
    return nothing == SIZE_MAX ? 0 : nothing;
}

void clopt_composition_reset(const struct clopt_composition *composition, size_t slot,
                             size_t *point)
{
    for (size_t i = 0; i < composition->count; i++)
        if (slot == CLOPT_NO_POSITION || composition->dimensions[i].slot == slot)
            point[i] = find_rest(composition, i);
}

void clopt_composition_set(const struct clopt_composition *composition, size_t slot,
                           size_t parameter, size_t listed, size_t *point)
{
    size_t dimension = clopt_composition_dimension(composition, slot, parameter);
    if (dimension != CLOPT_NO_POSITION)
        point[dimension] = listed == SIZE_MAX ? find_rest(composition, dimension)
                                              : listed + composition->dimensions[dimension].added;
}

/* Returns the number of a value in the study's list; SIZE_MAX: it is the initial one, not there. */
static size_t listed(const struct clopt_composition *composition, size_t dimension,
                     const size_t *point)
{
    if (dimension == CLOPT_NO_POSITION)
        return 0;
    return point[dimension] - composition->dimensions[dimension].added;
}

/* Whether a parameter's value changes something. */
static bool changes(const struct clopt_settings *settings, size_t parameter, size_t number)
{
    return number != SIZE_MAX && number != settings->nothing[parameter] &&
           !(settings->foreign & CLOPT_PARAMETER_BIT(parameter));
}

/* Normalizes a slot's values, or takes them all back; tells whether they change something. */
static bool normalize(const struct clopt_composition *composition, size_t slot, bool applied,
                      size_t *point)
{
    const struct clopt_settings *settings = &composition->slots[slot];
    uint64_t changed = 0;
    for (size_t p = 0; p < settings->optimization->parameter_count; p++) {
        size_t dimension = clopt_composition_dimension(composition, slot, p);
        bool means = applied && clopt_settings_mean(settings, p, changed);
        if (!means && dimension != CLOPT_NO_POSITION)
            point[dimension] = find_rest(composition, dimension);
        if (means && changes(settings, p, listed(composition, dimension, point)))
            changed |= CLOPT_PARAMETER_BIT(p);
    }
    return changed;
}

static bool has_member(const struct clopt_product *order, size_t slot)
{
    for (size_t i = 0; i < order->count; i++)
        if (order->members[i] == slot)
            return true;
    return false;
}

/* Picks the members of an order that others are among. */
static struct clopt_product pick(const struct clopt_product *order,
                                 const struct clopt_product *used)
{
    struct clopt_product picked = {0};
    for (size_t i = 0; i < order->count; i++)
        if (has_member(used, order->members[i]))
            picked.members[picked.count++] = order->members[i];
    return picked;
}

/* Returns the members of a point's order that change something, and normalizes all slots. */
static struct clopt_product find_used(const struct clopt_composition *composition, size_t *point)
{
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    const struct clopt_product *order =
        &composition->orders[dimension == CLOPT_NO_POSITION ? 0 : point[dimension]];
    struct clopt_product used = {0};
    for (size_t i = 0; i < composition->slot_count; i++)
        if (composition->slots[i].optimization &&
            normalize(composition, i, has_member(order, i), point))
            used.members[used.count++] = i;
    return pick(order, &used);
}

void clopt_composition_normalize(const struct clopt_composition *composition, size_t *point)
{
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    const struct clopt_product own = find_used(composition, point);
    if (dimension == CLOPT_NO_POSITION)
        return;
    for (size_t order = 0; order < point[dimension]; order++) {
        const struct clopt_product same = pick(&composition->orders[order], &own);
        if (same.count == own.count &&
            memcmp(same.members, own.members, own.count * sizeof *own.members) == 0)
            point[dimension] = order;
    }
}

/* Draws values for a slot: one change, and perhaps some more. */
static void draw_values(const struct clopt_composition *composition, size_t slot,
                        struct clopt_random *random, size_t *point)
{
    size_t seen = 0, change = CLOPT_NO_POSITION;
    for (size_t i = 0; i < composition->count; i++) {
        const struct clopt_dimension *own = &composition->dimensions[i];
        if (own->slot != slot)
            continue;
        bool dependent = composition->slots[slot].optimization->links[own->parameter].with;
        if (dependent ? clopt_random_below(random, ONE_IN) == 0
                      : clopt_random_below(random, ONE_MORE_IN) == 0)
            point[i] = clopt_random_below(random, composition->domains[i].count);
        if (!dependent && clopt_random_below(random, ++seen) == 0)
            change = i;
    }
    if (change == CLOPT_NO_POSITION)
        return;
    size_t other = clopt_random_below(random, composition->domains[change].count - 1);
    point[change] = other + (other >= find_rest(composition, change));
}

void clopt_composition_draw(const struct clopt_composition *composition,
                            struct clopt_random *random, size_t *point)
{
    clopt_composition_reset(composition, CLOPT_NO_POSITION, point);
    for (size_t i = 0; i < composition->count; i++) {
        size_t slot = composition->dimensions[i].slot;
        if ((slot == CLOPT_ORDERS || slot == CLOPT_STUDY_PARAMETER) &&
            clopt_random_below(random, ONE_IN) == 0)
            point[i] = clopt_random_below(random, composition->domains[i].count);
    }
    for (size_t i = 0; i < composition->slot_count; i++)
        if (clopt_random_below(random, ONE_IN) == 0)
            draw_values(composition, i, random, point);
    clopt_composition_normalize(composition, point);
}

/* ---- variants ---- */

static void make_initial(const struct clopt_subspace *space, struct clopt_trial *trial)
{
    *trial = (struct clopt_trial){.app = space->app->entry,
                                  .kernel = space->kernel,
                                  .seed = space->study->seed,
                                  .objective = space->study->measure.objective,
                                  .source_limit = space->study->limits.source_bytes};
    trial->inputs = clopt_values_copy(space->app->problems[space->where.problem]);
    clopt_study_initial_parameters(space->study, trial->app, trial);
}

static enum clopt_status choose_parameters(const struct clopt_subspace *space, const size_t *point,
                                           struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_composition *composition = space->composition;
    size_t choice[CLOPT_MOST_PARAMETERS] = {0};
    for (size_t i = 0; i < composition->count; i++)
        if (composition->dimensions[i].slot == CLOPT_STUDY_PARAMETER)
            choice[composition->dimensions[i].parameter] = listed(composition, i, point);
    return clopt_study_choose_values(space, choice, trial, error);
}

/* Appends the step of a slot. */
static enum clopt_status add_step(const struct clopt_composition *composition, size_t slot,
                                  const size_t *point, struct clopt_trial *trial,
                                  struct clopt_error *error)
{
    const struct clopt_settings *settings = &composition->slots[slot];
    struct clopt_step *step = &trial->steps[trial->step_count];
    size_t choice[CLOPT_LONGEST_TABLE];
    for (size_t p = 0; p < settings->optimization->parameter_count; p++)
        choice[p] = listed(composition, clopt_composition_dimension(composition, slot, p), point);
    step->optimization = settings->optimization->entry;
    trial->step_count++;
    return clopt_settings_make(settings, choice, &step->values, error);
}

enum clopt_status clopt_composition_trial(const struct clopt_subspace *space, const size_t *point,
                                          struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_composition *composition = space->composition;
    CLOPT_FREED size_t *copy = clopt_calloc(composition->count + 1, sizeof *copy);
    enum clopt_status status = CLOPT_OK;
    make_initial(space, trial);
    if (point) {
        memcpy(copy, point, composition->count * sizeof *copy);
        const struct clopt_product steps = find_used(composition, copy);
        status = choose_parameters(space, point, trial, error);
        for (size_t i = 0; i < steps.count && !status; i++)
            status = add_step(composition, steps.members[i], point, trial, error);
    }
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
