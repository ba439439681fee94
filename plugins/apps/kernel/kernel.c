/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel: any kernel, described by the study alone (clopt-kernel(5)). */

#include <math.h>

#include "change.h"
#include "data.h"
#include "init/draft.h"
#include "plan.h"
#include "signature.h"

/* What belongs to one problem. */
struct kernel_state {
    const struct kernel_definition *definition;
    struct kernel_datum data[KERNEL_MOST_ARGUMENTS];
    struct kernel_plan plan;
    bool approximate; /* the program that the results were learned from is; see clopt/app.h */
    char unchanged[KERNEL_UNCHANGED]; /* results that it has not changed */
};

/* ---- what a run does ---- */

/* What is found out of one kernel. */
struct tally {
    unsigned kernel;
    double largest; /* work-items of the largest launch */
    size_t launches;
    struct clopt_kernel_work *work;
};

/* Evaluates an argument, if it is an integer as long as an int or a long. */
static struct clopt_known_argument know(const struct kernel_argument *argument,
                                        struct kernel_scope *scope)
{
    union {
        unsigned char bytes[KERNEL_MOST_VALUE_BYTES];
        int32_t of_int;
        uint32_t of_uint;
        int64_t of_long;
    } value = {{0}};
    const struct kernel_type *type = &argument->type;
    if (argument->kind != KERNEL_SCALAR || type->width != 1 ||
        (type->kind != KERNEL_SIGNED && type->kind != KERNEL_UNSIGNED) ||
        (type->scalar_bytes != 4 && type->scalar_bytes != 8))
        return (struct clopt_known_argument){.known = false};
    kernel_argument_evaluate(argument, scope, value.bytes);
    int64_t of_word = type->kind == KERNEL_SIGNED ? (int64_t)value.of_int : (int64_t)value.of_uint;
    return (struct clopt_known_argument){true, type->scalar_bytes == 4 ? of_word : value.of_long};
}

/* Forgets of the arguments what this launch passes otherwise than those before it. */
static void tally_arguments(struct tally *tally, struct kernel_scope *scope,
                            const struct kernel_step *step)
{
    for (size_t i = 0; i < step->argument_count && i < CLOPT_MOST_KNOWN; i++) {
        const struct kernel_step_argument *argument = &step->arguments[i];
        struct clopt_known_argument *all = &tally->work->arguments[i];
        if (tally->launches && !all->known)
            continue;
        struct clopt_known_argument own =
            know(argument->shared ? argument->shared : &argument->own, scope);
        own.known = own.known && (!tally->launches || own.value == all->value);
        *all = own;
    }
    tally->launches++;
}

static void tally_launch(void *user, struct kernel_scope *scope, const struct kernel_step *step)
{
    struct tally *tally = user;
    struct clopt_kernel_work *work = tally->work;
    if (step->kernel != tally->kernel)
        return;
    struct clopt_ndrange ndrange = kernel_step_ndrange(step, scope);
    double items = 1;
    for (unsigned d = 0; d < 3; d++)
        items *= (double)ndrange.global[d];
    if (items > tally->largest) {
        tally->largest = items;
        work->ndrange = ndrange;
    }
    tally_arguments(tally, scope, step);
    work->arithmetic = step->arithmetic;
    work->operations += kernel_step_number(&step->operations, scope);
    work->bytes += kernel_step_number(&step->bytes, scope);
}

/* Tells what a kernel does in a run; buffers must have a size, and scalars a value at the first
 * launch. */
static enum clopt_status describe(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct kernel_definition *definition = problem->definition;
    struct clopt_error ignored;
    struct kernel_scope scope =
        kernel_scope_begin(&definition->names, problem, error ? error : &ignored);
    struct tally tally = {.kernel = (unsigned)(kernel - definition->tables.kernels), .work = work};
    (void)state;
    *work = (struct clopt_kernel_work){
        .ndrange = {.dimensions = kernel->dimensions, .local = {1, 1, 1}}};
    for (size_t i = 0; i < definition->argument_count; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        unsigned char value[KERNEL_MOST_VALUE_BYTES];
        if (argument->kind == KERNEL_SCALAR)
            kernel_argument_evaluate(argument, &scope, value);
        else
            kernel_argument_bytes(argument, &scope);
    }
    kernel_walk(definition, &scope, tally_launch, &tally);
    return scope.error->status;
}

/* ---- running ---- */

static struct kernel_scope begin(const struct kernel_state *state,
                                 const struct clopt_problem *problem, struct clopt_session *session)
{
    return kernel_scope_begin(&state->definition->names, problem, clopt_session_error(session));
}

static void teardown(void *user)
{
    CLOPT_FREED struct kernel_state *state = user;
    for (size_t i = 0; i < KERNEL_MOST_ARGUMENTS; i++)
        kernel_datum_fini(&state->data[i]);
    kernel_plan_fini(&state->plan);
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    const struct kernel_definition *definition = problem->definition;
    struct kernel_scope scope = kernel_scope_begin(&definition->names, problem, error);
    struct kernel_state *state = clopt_calloc(1, sizeof *state);
    state->definition = definition;
    for (size_t i = 0; i < definition->argument_count && !error->status; i++)
        kernel_datum_fill(&definition->arguments[i], &scope, &state->data[i]);
    kernel_program_expect(definition, &scope, state->data);
    if (error->status)
        teardown(state);
    else
        *user = state;
    return error->status;
}

/* Creates a buffer or an image. */
static void create(const struct kernel_argument *argument, struct kernel_scope *scope,
                   const struct kernel_datum *datum, struct clopt_session *session)
{
    struct clopt_image_format format = {.channel = argument->channel,
                                        .channels = argument->type.width,
                                        .dimensions = (unsigned)argument->values.count,
                                        .size = {1, 1, 1}};
    size_t bytes = kernel_argument_bytes(argument, scope);
    if (datum->contents && datum->contents_bytes != bytes)
        kernel_fail(&argument->position, scope->error,
                    "a buffer with content has the same size in all variants");
    for (size_t d = 0; d < argument->values.count && argument->is_image; d++)
        format.size[d] = (size_t)kernel_evaluate_integer(scope, &argument->values, d, 1);
    if (scope->error->status)
        return;
    if (argument->is_image)
        clopt_image(session, argument->number, argument->name, argument->use, &format,
                    datum->contents);
    else
        clopt_buffer(session, argument->number, argument->name, argument->use, bytes,
                     datum->contents);
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    for (size_t i = 0; i < state->definition->argument_count && !scope.error->status; i++)
        if (state->definition->arguments[i].kind == KERNEL_BUFFER)
            create(&state->definition->arguments[i], &scope, &state->data[i], session);
    return scope.error->status;
}

static enum clopt_status hand_out(const struct kernel_launch *launch,
                                  const struct kernel_plan *plan, struct clopt_session *session)
{
    return clopt_launch_arguments(session, launch->kernel, launch->ndrange,
                                  plan->arguments + launch->first_argument, launch->argument_count);
}

/* Finds out whether there is another repetition; then what said so has its content again. */
static enum clopt_status ask_on(const struct kernel_state *state, struct clopt_session *session,
                                bool *goes_on)
{
    const struct kernel_argument *argument = state->definition->goes_on;
    const struct kernel_datum *datum = &state->data[argument - state->definition->arguments];
    unsigned char number[8];
    enum clopt_status status =
        clopt_read(session, argument->number, 0, argument->type.scalar_bytes, number);
    *goes_on = !status && kernel_load_integer(&argument->type, number) != 0;
    return status || !*goes_on
               ? status
               : clopt_write(session, argument->number, 0, datum->contents_bytes, datum->contents);
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    struct kernel_state *state = user;
    const struct kernel_plan *plan = &state->plan;
    struct kernel_scope scope = begin(state, problem, session);
    kernel_plan_provide(state->definition, &scope, &state->plan);
    CLOPT_TRY(scope.error->status);
    for (size_t i = 0; i < plan->launch_count; i++) {
        bool next = i && plan->launches[i].repetition != plan->launches[i - 1].repetition;
        bool goes_on = true;
        if (next && state->definition->goes_on)
            CLOPT_TRY(ask_on(state, session, &goes_on));
        if (!goes_on)
            break;
        CLOPT_TRY(hand_out(&plan->launches[i], plan, session));
    }
    return CLOPT_OK;
}

/* ---- the reference ---- */

static enum clopt_status describe_reference(const struct clopt_problem *problem, const void *state,
                                            const struct clopt_kernel *kernel,
                                            struct clopt_kernel_work *work,
                                            struct clopt_error *error)
{
    const struct kernel_definition *definition = problem->definition;
    struct kernel_scope scope = kernel_scope_begin(&definition->names, problem, error);
    (void)state;
    (void)kernel;
    *work = (struct clopt_kernel_work){
        .ndrange = kernel_step_ndrange(&definition->reference.step, &scope)};
    return error->status;
}

static enum clopt_status launch_reference(void *user, const struct clopt_problem *problem,
                                          struct clopt_session *session)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    CLOPT_OWNED(kernel_plan) plan = {0};
    kernel_plan_single(&state->definition->reference.step, &scope, &plan);
    CLOPT_TRY(scope.error->status);
    return hand_out(&plan.launches[0], &plan, session);
}

/* ---- results ---- */

/* Reads a result back, for the caller to free. What goes wrong is in the error of the scope. */
static struct kernel_values read_result(const struct kernel_argument *argument,
                                        struct kernel_scope *scope, struct clopt_session *session)
{
    size_t bytes = kernel_argument_bytes(argument, scope);
    if (scope->error->status)
        return (struct kernel_values){0};
    void *data = malloc(bytes);
    if (!data)
        clopt_fail_memory(scope->error);
    else if (clopt_read(session, argument->number, 0, bytes, data)) {
        free(data);
        data = NULL;
    }
    return (struct kernel_values){data, kernel_evaluate_product(scope, &argument->values)};
}

static enum clopt_status learn(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session)
{
    struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    for (size_t i = 0; i < state->definition->argument_count && !scope.error->status; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        struct kernel_datum *datum = &state->data[i];
        if (!kernel_argument_is_expected(argument))
            continue;
        free((void *)datum->expected.data);
        datum->expected = read_result(argument, &scope, session);
        kernel_compare_refuse_nan(argument, datum->expected, scope.error);
    }
    state->approximate = problem->is_approximate;
    if (!scope.error->status)
        kernel_learn_unchanged(state->definition, state->data, &scope, state->unchanged);
    return scope.error->status;
}

/* Whether a program may be less precise than the one it stands for: somebody has written it in
 * place of that, and is not believed. Parameters of one's own program are. */
static bool is_less_precise(const struct kernel_state *state, const struct clopt_problem *problem)
{
    const char *name =
        problem->parameters ? clopt_values_text(problem->parameters, CLOPT_ALTERNATIVE) : NULL;
    return name && strcmp(name, CLOPT_ALTERNATIVE_INITIAL) != 0 && problem->is_approximate &&
           !state->approximate;
}

/* Compares a result that has been read back, or as it is read, where that will do. */
static void compare(const struct kernel_state *state, struct kernel_pair *pair,
                    struct kernel_scope *scope, struct clopt_session *session,
                    struct clopt_verdict *verdict)
{
    const struct kernel_argument *argument = pair->argument;
    size_t count = kernel_evaluate_product(scope, &argument->values);
    if (argument->tolerance.how == KERNEL_EACH && !argument->is_image &&
        count == pair->expected.count && !scope->error->status) {
        struct clopt_rows rows =
            clopt_rows_begin(session, argument->number, kernel_type_bytes(&argument->type), count);
        kernel_compare_rows(pair, &rows, verdict);
        return;
    }
    pair->actual = read_result(argument, scope, session);
    if (!scope->error->status && argument->tolerance.program)
        kernel_program_compare(state->definition, pair, scope, verdict);
    else if (!scope->error->status)
        kernel_compare(pair, verdict, scope->error);
    free((void *)pair->actual.data);
}

/* Compares one result. */
static void check_result(const struct kernel_state *state, size_t index, struct kernel_scope *scope,
                         struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct kernel_argument *argument = &state->definition->arguments[index];
    bool less = is_less_precise(state, scope->problem);
    struct kernel_pair pair = {.argument = argument,
                               .expected = state->data[index].expected,
                               .approximate =
                                   state->approximate || (scope->problem->is_approximate && !less)};
    compare(state, &pair, scope, session, verdict);
    if (scope->error->status)
        return;
    size_t length = strlen(verdict->text);
    if (less && !verdict->right)
        snprintf(verdict->text + length, sizeof verdict->text - length,
                 "; it computes by native_ or half_ functions, or relaxed, and the initial code "
                 "does not");
}

/* An error as a multiple of what is allowed, to order results by that are compared otherwise. */
static double ratio(const struct clopt_verdict *verdict)
{
    return verdict->error > 0 ? verdict->error / verdict->bound : verdict->error;
}

/* All results must be right; the verdict is that of the first that is wrong, or of the worst. */
static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    struct clopt_verdict one = {.right = true};
    *verdict = (struct clopt_verdict){.error = -1};
    for (size_t i = 0; i < state->definition->argument_count && one.right; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        if (!kernel_argument_is_result(argument) || argument->tolerance.how == KERNEL_IGNORED)
            continue;
        check_result(state, i, &scope, session, &one);
        if (scope.error->status)
            break;
        if (!one.right || ratio(&one) > ratio(verdict))
            *verdict = one;
    }
    if (state->unchanged[0] && one.right) {
        size_t length = strlen(verdict->text);
        snprintf(verdict->text + length, sizeof verdict->text - length,
                 "; the reference changes no element of %s", state->unchanged);
    }
    return scope.error->status;
}

/* Prints a line on a result: how many elements, and between what they are. */
static void summarize_result(const struct kernel_argument *argument, struct kernel_values values,
                             const struct kernel_datum *datum, FILE *stream)
{
    const struct kernel_type *type = &argument->type;
    char name[KERNEL_WORD];
    double least = INFINITY, most = -INFINITY;
    bool is_real = type->kind == KERNEL_REAL && type->width == 1;
    kernel_type_name(type, name);
    fprintf(stream, "%s: %zu %s", argument->name, values.count, name);
    for (size_t i = 0; i < values.count && is_real; i++) {
        double value = kernel_load_real(type, (const char *)values.data + i * type->scalar_bytes);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (is_real)
        fprintf(stream, " from %.6g to %.6g", least, most);
    fputs(kernel_is_changed(argument, values, datum) ? "\n" : ", none of them changed\n", stream);
}

static enum clopt_status summarize(void *user, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    for (size_t i = 0; i < state->definition->argument_count && !scope.error->status; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        if (!kernel_argument_is_result(argument))
            continue;
        struct kernel_values values = read_result(argument, &scope, session);
        if (values.data)
            summarize_result(argument, values, &state->data[i], stream);
        free((void *)values.data);
    }
    return scope.error->status;
}

/* Finds a result by its number in the table. */
static const struct kernel_argument *find_result(const struct kernel_definition *definition,
                                                 unsigned number)
{
    for (size_t i = 0; i < definition->argument_count; i++)
        if (kernel_argument_is_result(&definition->arguments[i]) && number-- == 0)
            return &definition->arguments[i];
    return NULL;
}

static enum clopt_status write(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct kernel_state *state = user;
    const struct kernel_argument *argument = find_result(state->definition, result);
    struct kernel_scope scope = begin(state, problem, session);
    if (!argument)
        return clopt_fail(scope.error, CLOPT_FAILED, "no result has the number %u", result);
    struct kernel_values values = read_result(argument, &scope, session);
    if (values.data)
        kernel_array_write(argument, values, &scope, stream);
    free((void *)values.data);
    return scope.error->status;
}

/* ---- the plugin ---- */

static enum clopt_status define(const struct clopt_description *description, struct clopt_app *app,
                                struct clopt_error *error)
{
    CLOPT_TRY(kernel_define(description, app, error));
    struct kernel_definition *definition = (struct kernel_definition *)app->defined->definition;
    struct kernel_reference *reference = &definition->reference;
    for (size_t i = 0; i < definition->argument_count && !reference->program; i++)
        if (kernel_argument_is_expected(&definition->arguments[i]))
            definition->defined.learn = learn;
    if (!reference->has_step)
        return CLOPT_OK;
    reference->app.kernels = reference->kernels;
    reference->app.inputs = app->inputs;
    reference->app.describe = describe_reference;
    reference->app.launch = launch_reference;
    definition->defined.reference = &reference->app;
    return CLOPT_OK;
}

static const struct clopt_section_help sections[] = {
    {"size", "names of sizes, each with a list of integers: n = 1024, 4096"},
    {"let", "expressions that are given a name: rows = ceildiv(n, 16)"},
    {"arguments", "the kernel's arguments, in its order: x = input float[n] uniform(-1, 1)"},
    {"results", "how results are compared: y = relative 1e-6"},
    {"reference", "what computes the right results; without it, the initial code does"},
    {"variant NAME",
     "another program, written by hand, which is tried as well, with all optimizations"},
    {"step", "[step 1], [step 2] ...: launches of several kernels, one after the other"},
    {NULL, NULL},
};

static const struct clopt_define definer = {
    .sections = sections,
    .inputs_section = "size",
    .define = define,
    .check = kernel_signature_check,
    .undefine = kernel_undefine,
    .draft = kernel_draft_write,
};

static const struct clopt_app app = {
    .dwarf = "any",
    .inputs = kernel_keys,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
    .summarize = summarize,
    .write = write,
    .teardown = teardown,
    .define = &definer,
};

CLOPT_APP_PLUGIN("kernel", "a kernel of your own, described by the study: see clopt-kernel(5)",
                 &app);
