/* SPDX-License-Identifier: BSD-3-Clause */
/* The combinations of parameter values that an app's kernels are tried with. */
#include "space/parameters.h"

#include "number/expression.h"

/* Edges of all graphs of a study: 100 MB and two seconds are not to be exceeded. */
#define BUDGET UINT64_C(3000000)

/* ---- what constraints can name ---- */

static const struct {
    const char *name;
    size_t offset;
    bool is_wide; /* a size_t or uint64_t, not a uint32_t */
} device_limits[] = {
    {"device.compute_units", offsetof(struct clopt_device_info, compute_units), false},
    {"device.max_work_group_size", offsetof(struct clopt_device_info, max_work_group_size), true},
    {"device.local_memory_bytes", offsetof(struct clopt_device_info, local_memory_bytes), true},
    {"device.preferred_vector_width_float",
     offsetof(struct clopt_device_info, preferred_vector_width_float), false},
    {"device.preferred_vector_width_double",
     offsetof(struct clopt_device_info, preferred_vector_width_double), false},
    {"device.preferred_vector_width_int",
     offsetof(struct clopt_device_info, preferred_vector_width_int), false},
};

#define LIMIT_COUNT (sizeof device_limits / sizeof device_limits[0])

static bool is_device_limit(const char *name)
{
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        if (strcmp(device_limits[i].name, name) == 0)
            return true;
    return false;
}

size_t clopt_study_name_variables(const struct clopt_study *study, const char **names, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < study->parameter_count && count < most; i++)
        names[count++] = study->parameters[i].name;
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_parameter *input = study->apps[i].entry->extension->app->inputs;
        for (; input && input->name && count < most; input++)
            names[count++] = input->name;
    }
    for (size_t i = 0; i < LIMIT_COUNT && count < most; i++)
        names[count++] = device_limits[i].name;
    return count;
}

/* What a constraint's variables are looked up in. */
struct known {
    const struct clopt_values *inputs;
    const struct clopt_device_info *device; /* NULL: not known */
    const struct clopt_values *initial;     /* parameters; NULL: they have no single value */
};

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    const struct known *known = user;
    (void)variable;
    for (size_t i = 0; known->device && i < LIMIT_COUNT; i++) {
        if (strcmp(device_limits[i].name, name) != 0)
            continue;
        const char *field = (const char *)known->device + device_limits[i].offset;
        uint64_t wide = 0;
        uint32_t narrow = 0;
        memcpy(device_limits[i].is_wide ? (void *)&wide : (void *)&narrow, field,
               device_limits[i].is_wide ? sizeof wide : sizeof narrow);
        wide += narrow;
        *value = clopt_number_integer(wide > INT64_MAX ? INT64_MAX : (int64_t)wide);
        return true;
    }
    return clopt_values_number(known->initial, name, value) ||
           clopt_values_number(known->inputs, name, value);
}

/* ---- finding them ---- */

void clopt_app_parameters_destroy(struct clopt_app_parameters *parameters)
{
    if (!parameters)
        return;
    size_t count = parameters->problems * parameters->devices * parameters->kernels;
    for (size_t i = 0; i < count; i++)
        clopt_configurations_destroy(parameters->cells[i].configurations);
    free(parameters->cells);
    free(parameters);
}

static bool has_parameter(const struct clopt_app_parameters *parameters, const char *name)
{
    for (size_t i = 0; i < parameters->count; i++)
        if (strcmp(parameters->members[i]->name, name) == 0)
            return true;
    return false;
}

/* Adds a constraint, if the app has all that it names. */
static void add_constraint(struct clopt_app_parameters *parameters, const struct clopt_study *study,
                           const struct clopt_study_app *app, bool devices_known,
                           const struct clopt_constraint *constraint)
{
    const struct clopt_expression *expression = constraint->expression;
    bool by_problem = false, by_device = false;
    for (size_t i = 0; i < expression->variable_count; i++) {
        const char *name = expression->variables[i];
        if (is_device_limit(name))
            by_device = true;
        else if (clopt_parameter_find(app->entry->extension->app->inputs, name))
            by_problem = true;
        else if (!has_parameter(parameters, name))
            return;
    }
    if (by_device && !devices_known)
        return;
    parameters->constraints[parameters->constraint_count++] = constraint;
    if (by_problem)
        parameters->problems = app->problem_count;
    if (by_device)
        parameters->devices = study->device_count;
}

/* Picks the parameters and constraints of an app. */
static void pick(const struct clopt_study *study, const struct clopt_study_app *app,
                 bool devices_known, struct clopt_app_parameters *parameters)
{
    parameters->problems = parameters->devices = parameters->kernels = 1;
    for (size_t i = 0; i < study->parameter_count; i++)
        if (clopt_study_names(&study->parameters[i].apps, app->entry->extension->name)) {
            parameters->members[parameters->count++] = &study->parameters[i];
            if (study->parameters[i].kernels.count)
                parameters->kernels = app->kernel_count;
        }
    for (size_t i = 0; i < study->constraint_count; i++)
        add_constraint(parameters, study, app, devices_known, &study->constraints[i]);
}

/* Whether variants of a kernel have several values of a parameter. */
static bool varies(const struct clopt_study_app *app, const struct clopt_study_parameter *parameter,
                   size_t kernel)
{
    return clopt_study_names(&parameter->kernels, app->kernels[kernel]->name);
}

/* Finds the number of the initial values. */
static uint64_t find_nothing(const struct clopt_study_app *app, size_t kernel,
                             const struct clopt_configurations *configurations)
{
    const struct clopt_app_parameters *parameters = app->parameters;
    size_t choice[CLOPT_MOST_PARAMETERS];
    for (size_t i = 0; i < parameters->count; i++) {
        const struct clopt_study_parameter *parameter = parameters->members[i];
        choice[i] = varies(app, parameter, kernel) ? parameter->initial_number : 0;
        if (choice[i] == SIZE_MAX)
            return UINT64_MAX;
    }
    return clopt_configurations_find(configurations, choice);
}

/* Finds the combinations of one cell of an app. */
static enum clopt_status fill_cell(const struct clopt_study_app *app, size_t index,
                                   struct known *known, uint64_t *budget, struct clopt_error *error)
{
    const struct clopt_app_parameters *parameters = app->parameters;
    struct clopt_combinations *cell = &parameters->cells[index];
    size_t kernel = index % parameters->kernels;
    struct clopt_domain domains[CLOPT_MOST_PARAMETERS];
    struct clopt_number initial[CLOPT_MOST_PARAMETERS];
    for (size_t i = 0; i < parameters->count; i++) {
        const struct clopt_study_parameter *parameter = parameters->members[i];
        domains[i] =
            (struct clopt_domain){parameter->name, parameter->values.count, parameter->numbers};
        initial[i] = parameter->type == CLOPT_INTEGER
                         ? clopt_number_integer(parameter->initial.integer)
                         : clopt_number_real(parameter->initial.real);
        if (!varies(app, parameter, kernel))
            domains[i] =
                (struct clopt_domain){parameter->name, 1, parameter->numbers ? &initial[i] : NULL};
    }
    const struct clopt_configured configured = {
        domains, parameters->count, parameters->constraints, parameters->constraint_count, look_up,
        known};
    CLOPT_TRY(clopt_configurations_create(&configured, budget, &cell->configurations, error));
    cell->nothing = find_nothing(app, kernel, cell->configurations);
    cell->count = clopt_configurations_count(cell->configurations) - (cell->nothing != UINT64_MAX);
    return CLOPT_OK;
}

/* Says that the initial code breaks a constraint. */
static enum clopt_status fail_initial(const struct clopt_constraint *constraint,
                                      struct known *known, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) values = {0};
    const struct clopt_expression *expression = constraint->expression;
    for (size_t i = 0; i < expression->variable_count; i++) {
        const char *name = expression->variables[i];
        struct clopt_number number;
        if (look_up(known, i, name, &number))
            clopt_text_printf(&values, "%s%s = %.17g", i ? ", " : "", name, number.real);
    }
    return clopt_fail(
        error, CLOPT_INVALID,
        "%s: \"%s\" does not hold for the initial code (%s); set initial in the sections of "
        "the parameters",
        constraint->name, expression->text, clopt_text_string(&values));
}

/* Checks that the initial code satisfies the constraints, as far as they do not ask a device. */
static enum clopt_status check_initial(const struct clopt_study_app *app,
                                       const struct clopt_app_parameters *parameters,
                                       const struct clopt_values *initial,
                                       struct clopt_error *error)
{
    for (size_t p = 0; p < parameters->problems; p++)
        for (size_t i = 0; i < parameters->constraint_count; i++) {
            const struct clopt_constraint *constraint = parameters->constraints[i];
            struct known known = {.inputs = app->problems[p], .initial = initial};
            bool holds;
            enum clopt_status status = clopt_expression_evaluate_condition(
                constraint->expression, look_up, &known, &holds, error);
            if (status)
                return clopt_fail_within(error, "%s", constraint->name);
            if (!holds)
                return fail_initial(constraint, &known, error);
        }
    return CLOPT_OK;
}

static enum clopt_status find_for_app(const struct clopt_study *study, struct clopt_study_app *app,
                                      const struct clopt_device_info *devices, uint64_t *budget,
                                      struct clopt_error *error)
{
    struct clopt_app_parameters *parameters = clopt_calloc(1, sizeof *parameters);
    clopt_app_parameters_destroy(app->parameters);
    app->parameters = parameters;
    pick(study, app, devices != NULL, parameters);
    size_t count = parameters->problems * parameters->devices * parameters->kernels;
    parameters->cells = clopt_calloc(count, sizeof *parameters->cells);
    CLOPT_OWNED(clopt_trial) trial = {0};
    clopt_study_initial_parameters(study, app->entry, &trial);
    if (!devices)
        CLOPT_TRY(check_initial(app, parameters, trial.initial_parameters, error));
    for (size_t i = 0; i < count; i++) {
        size_t device = i / parameters->kernels % parameters->devices;
        size_t problem = i / parameters->kernels / parameters->devices;
        struct known known = {.inputs = app->problems[problem],
                              .device = devices ? &devices[device] : NULL};
        CLOPT_TRY(fill_cell(app, i, &known, budget, error));
    }
    return CLOPT_OK;
}

static bool asks_devices(const struct clopt_study *study)
{
    for (size_t i = 0; i < study->constraint_count; i++) {
        const struct clopt_expression *expression = study->constraints[i].expression;
        for (size_t j = 0; j < expression->variable_count; j++)
            if (is_device_limit(expression->variables[j]))
                return true;
    }
    return false;
}

enum clopt_status clopt_study_find_combinations(struct clopt_study *study,
                                                const struct clopt_device_info *devices,
                                                struct clopt_error *error)
{
    uint64_t budget = BUDGET;
    if (devices && !asks_devices(study))
        return CLOPT_OK; /* nothing can have changed */
    for (size_t i = 0; i < study->app_count && study->parameter_count; i++)
        CLOPT_TRY(find_for_app(study, &study->apps[i], devices, &budget, error));
    return CLOPT_OK;
}

/* ---- asking for them ---- */

/* The combinations of a place, of an app that has parameters. */
static const struct clopt_combinations *cell_of(const struct clopt_subspace *space)
{
    const struct clopt_app_parameters *parameters = space->app->parameters;
    size_t problem = space->where.problem < parameters->problems ? space->where.problem : 0;
    size_t device = space->where.device < parameters->devices ? space->where.device : 0;
    size_t kernel = space->number < parameters->kernels ? space->number : 0;
    return &parameters
                ->cells[(problem * parameters->devices + device) * parameters->kernels + kernel];
}

uint64_t clopt_study_combination_count(const struct clopt_subspace *space)
{
    return space->app->parameters ? cell_of(space)->count : 0;
}

void clopt_study_initial_parameters(const struct clopt_study *study,
                                    const struct clopt_plugin_entry *app, struct clopt_trial *trial)
{
    struct clopt_parameter table[CLOPT_MOST_PARAMETERS + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < study->parameter_count; i++) {
        const struct clopt_study_parameter *parameter = &study->parameters[i];
        if (clopt_study_names(&parameter->apps, app->extension->name))
            table[count++] = (struct clopt_parameter){.name = parameter->name,
                                                      .type = parameter->type,
                                                      .initial = parameter->initial.text};
    }
    if (!count)
        return;
    trial->parameters = clopt_values_create(table);
    trial->initial_parameters = clopt_values_create(table);
}

/* Sets the parameters that vary to these values. */
static enum clopt_status set_values(const struct clopt_subspace *space, const size_t *choice,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_study_app *app = space->app;
    for (size_t i = 0; i < app->parameters->count; i++) {
        const struct clopt_study_parameter *parameter = app->parameters->members[i];
        struct clopt_parameter described = {.name = parameter->name, .type = parameter->type};
        if (!varies(app, parameter, space->number))
            continue;
        CLOPT_TRY(clopt_values_set(trial->parameters, &described,
                                   parameter->values.items[choice[i]], error));
    }
    return CLOPT_OK;
}

void clopt_study_combination(const struct clopt_subspace *space, uint64_t index, size_t *choice)
{
    const struct clopt_combinations *cell = cell_of(space);
    clopt_configurations_get(cell->configurations, index + (index >= cell->nothing), choice);
}

enum clopt_status clopt_study_choose_values(const struct clopt_subspace *space,
                                            const size_t *choice, struct clopt_trial *trial,
                                            struct clopt_error *error)
{
    const struct clopt_study_app *app = space->app;
    size_t numbers[CLOPT_MOST_PARAMETERS] = {0};
    bool initial = true, listed = true;
    for (size_t i = 0; app->parameters && i < app->parameters->count; i++) {
        const struct clopt_study_parameter *parameter = app->parameters->members[i];
        if (!varies(app, parameter, space->number))
            continue;
        numbers[i] = choice[i] == SIZE_MAX ? parameter->initial_number : choice[i];
        initial = initial && numbers[i] == parameter->initial_number;
        listed = listed && numbers[i] != SIZE_MAX;
    }
    if (initial)
        return CLOPT_OK;
    if (!listed || clopt_configurations_find(cell_of(space)->configurations, numbers) == UINT64_MAX)
        return CLOPT_INFEASIBLE;
    return set_values(space, numbers, trial, error);
}
