/* SPDX-License-Identifier: BSD-3-Clause */
/* One plugin that is good as it stands, and bad in one way for each macro that tests/plugin_loader
 * defines. A plugin that is refused must not be called: every operation ends the program. */
#include <clopt/clopt.h>

#include <stdlib.h>

#ifndef NAME
#define NAME "good"
#endif
#ifndef SUMMARY
#define SUMMARY "does nothing"
#endif
#ifndef ABI
#define ABI CLOPT_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(struct clopt_plugin)
#endif
#ifndef KIND
#define KIND CLOPT_PLUGIN_APP
#endif
#ifndef OPERATIONS_SIZE
#define OPERATIONS_SIZE sizeof(struct clopt_app)
#endif
#ifndef OPERATIONS
#define OPERATIONS &app
#endif
#ifndef SOURCE
#define SOURCE "good.cl"
#endif
#ifndef DIMENSIONS
#define DIMENSIONS 1
#endif
#ifndef KERNEL
#define KERNEL "run"
#endif
#ifndef LAUNCH
#define LAUNCH launch
#endif
#ifndef APPLY
#define APPLY NULL
#endif
#ifndef LEGAL
#define LEGAL "1..8"
#endif
#ifndef INPUT
#define INPUT "size"
#endif
#ifndef KNOB_KERNELS
#define KNOB_KERNELS "run"
#endif

static enum clopt_status describe(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    (void)problem, (void)state, (void)kernel, (void)work, (void)error;
    abort();
}

static enum clopt_status setup(const struct clopt_problem *problem, void **state,
                               struct clopt_error *error)
{
    (void)problem, (void)state, (void)error;
    abort();
}

__attribute__((unused)) static enum clopt_status launch(void *state,
                                                        const struct clopt_problem *problem,
                                                        struct clopt_session *session)
{
    (void)state, (void)problem, (void)session;
#ifdef UNRESOLVED
    UNRESOLVED(session);
#endif
    abort();
}

static enum clopt_status check(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    (void)state, (void)problem, (void)session, (void)verdict;
    abort();
}

__attribute__((unused)) static enum clopt_status apply(struct clopt_transform *transform,
                                                       const struct clopt_values *values,
                                                       struct clopt_error *error)
{
    (void)transform, (void)values, (void)error;
    abort();
}

static const struct clopt_kernel kernels[] = {{KERNEL, DIMENSIONS, false}, {NULL, 0, false}};

static const struct clopt_parameter inputs[] = {
    {.name = INPUT, .type = CLOPT_INTEGER, .legal = LEGAL, .initial = "4", .help = "size of it"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {"geometry", "block_size", "BLOCK_SIZE", "pow2 2..64", "16", KNOB_KERNELS, "size of a tile"},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

__attribute__((unused)) static const struct clopt_app app = {
    .dwarf = "none",
    .source = SOURCE,
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .describe = describe,
    .setup = setup,
    .prepare = launch,
    .launch = LAUNCH,
    .check = check,
};

__attribute__((unused)) static const struct clopt_parameter parameters[] = {
    {.name = "factor", .type = CLOPT_INTEGER, .legal = "1..8", .initial = "1", .help = "how often"},
    {.name = NULL},
};

__attribute__((unused)) static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .apply = APPLY,
};

#if defined(NO_SYMBOL)
#elif defined(FUNCTION)
CLOPT_API void clopt_plugin(void);
void clopt_plugin(void)
{
    abort();
}
#elif defined(SHORT)
CLOPT_API extern const uint32_t clopt_plugin;
const uint32_t clopt_plugin = ABI;
#elif defined(TINY)
CLOPT_API extern const char clopt_plugin;
const char clopt_plugin = 1;
#else
CLOPT_API extern const struct clopt_plugin clopt_plugin;
const struct clopt_plugin clopt_plugin = {
    ABI, SIZE, KIND, OPERATIONS_SIZE, NAME, SUMMARY, OPERATIONS,
};
#endif
