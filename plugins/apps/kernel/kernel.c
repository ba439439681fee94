/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel: any kernel, described by the study alone (clopt-kernel(5)). */

#include "init/draft.h"
#include "result.h"
#include "signature.h"

/* ---- what a run does ---- */

/* What is found out of one kernel. */
struct tally {
    unsigned kernel;
    double largest; /* work-items of the largest launch */
    struct clopt_kernel_work *work;
};

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
        else if (argument->kind != KERNEL_SAMPLER)
            kernel_argument_bytes(argument, &scope);
    }
    kernel_walk(definition, &scope, tally_launch, &tally);
    return scope.error->status;
}

/* ---- running ---- */

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
    struct clopt_error *error = clopt_session_error(session);
    struct kernel_scope scope = kernel_scope_begin(&state->definition->names, problem, error);
    for (size_t i = 0; i < state->definition->argument_count && !error->status; i++)
        if (state->definition->arguments[i].kind == KERNEL_BUFFER)
            create(&state->definition->arguments[i], &scope, &state->data[i], session);
    return error->status;
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
    struct kernel_scope scope =
        kernel_scope_begin(&state->definition->names, problem, clopt_session_error(session));
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
    struct kernel_scope scope =
        kernel_scope_begin(&state->definition->names, problem, clopt_session_error(session));
    CLOPT_OWNED(kernel_plan) plan = {0};
    kernel_plan_single(&state->definition->reference.step, &scope, &plan);
    CLOPT_TRY(scope.error->status);
    return hand_out(&plan.launches[0], &plan, session);
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
            definition->defined.learn = kernel_result_learn;
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
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = kernel_result_check,
    .summarize = kernel_result_summarize,
    .write = kernel_result_write,
    .teardown = teardown,
    .define = &definer,
};

CLOPT_APP_PLUGIN("kernel", "a kernel of your own, described by the study: see clopt-kernel(5)",
                 &app);
