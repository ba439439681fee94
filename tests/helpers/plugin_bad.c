/* SPDX-License-Identifier: BSD-3-Clause */
/* One plugin that is good as it is, and bad in one way for each macro that tests/cli/loader
 * defines. A plugin that is refused must not be called: every operation ends the program. */
#define _POSIX_C_SOURCE 200809L
#include <clopt/clopt.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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
#ifndef RELEASE
#define RELEASE CLOPT_RELEASE
#endif
#ifndef EXTENSIONS
#define EXTENSIONS extensions
#endif
#ifndef KIND
#define KIND CLOPT_KIND_APP
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

/* Where it is set, the file of this name shows that a plugin was loaded. */
static void leave_a_trace(void)
{
    const char *path = getenv("PLUGIN_TRACE");
    int file = path ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
    if (file >= 0)
        close(file);
}

__attribute__((unused)) static void hang(void)
{
    for (;;)
        pause();
}

__attribute__((unused)) static void segfault(void)
{
    signal(SIGSEGV, SIG_DFL); /* sanitizers or not */
    raise(SIGSEGV);
}

__attribute__((constructor)) static void begin(void)
{
    leave_a_trace();
#ifdef CONSTRUCTOR
    CONSTRUCTOR;
#endif
}

__attribute__((destructor)) static void end(void)
{
#ifdef DESTRUCTOR
    DESTRUCTOR;
#endif
}

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

static const struct clopt_kernel kernels[] = {{.name = KERNEL, .dimensions = DIMENSIONS},
                                              {.name = NULL}};

static const struct clopt_parameter inputs[] = {
    {.name = INPUT, .type = CLOPT_INTEGER, .legal = LEGAL, .initial = "4", .help = "size of it"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "geometry",
     .parameter = "block_size",
     .macro = "BLOCK_SIZE",
     .legal = "pow2 2..64",
     .initial = "16",
     .kernels = KNOB_KERNELS,
     .help = "size of a tile"},
    {.parameter = NULL},
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
static const struct clopt_extension extensions[] = {
    {KIND, OPERATIONS_SIZE, NAME, SUMMARY, {OPERATIONS}},
    {0},
};
const struct clopt_plugin clopt_plugin = {ABI, SIZE, RELEASE, EXTENSIONS};
#endif
