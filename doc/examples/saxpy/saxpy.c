/* SPDX-License-Identifier: BSD-3-Clause */
/* The app saxpy; the comment in saxpy.cl says what it computes. */
#include <clopt/clopt.h>
#include <stdlib.h>

enum { X, Y };

static const float a = 2.5f;

struct vectors {
    float *x, *y, *expected;
};

/* The NDRange of the initial code: work-groups of 64, the last one in part beyond the vectors. */
static struct clopt_ndrange range(size_t n)
{
    return CLOPT_RANGE1((n + 63) / 64 * 64, 64);
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    size_t n = (size_t)clopt_values_integer(problem->inputs, "size");
    (void)state, (void)kernel, (void)error;
    work->ndrange = range(n);
    work->operations = 2.0 * (double)n;
    work->bytes = 12.0 * (double)n;
    return CLOPT_OK;
}

static enum clopt_status setup(const struct clopt_problem *problem, void **state,
                               struct clopt_error *error)
{
    size_t n = (size_t)clopt_values_integer(problem->inputs, "size");
    struct vectors *v = calloc(1, sizeof *v + 3 * n * sizeof(float));
    if (!v)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for 3 vectors of %zu", n);
    v->x = (float *)(v + 1), v->y = v->x + n, v->expected = v->y + n;
    struct clopt_random random = clopt_random_seed(problem->seed, 0);
    for (size_t i = 0; i < n; i++) {
        v->x[i] = (float)clopt_random_real(&random);
        v->y[i] = (float)clopt_random_real(&random);
        v->expected[i] = a * v->x[i] + v->y[i];
    }
    *state = v;
    return CLOPT_OK;
}

static enum clopt_status prepare(void *state, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    struct vectors *v = state;
    size_t bytes = (size_t)clopt_values_integer(problem->inputs, "size") * sizeof(float);
    enum clopt_status status = clopt_buffer(session, X, "x", CLOPT_INPUT, bytes, v->x);
    return status ? status : clopt_buffer(session, Y, "y", CLOPT_IN_OUT, bytes, v->y);
}

static enum clopt_status launch(void *state, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    uint32_t n = (uint32_t)clopt_values_integer(problem->inputs, "size");
    (void)state;
    return clopt_launch(session, 0, range(n), CLOPT_BUFFER(X), CLOPT_BUFFER(Y), CLOPT_VALUE(a),
                        CLOPT_VALUE(n));
}

static enum clopt_status check(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    struct vectors *v = state;
    size_t n = (size_t)clopt_values_integer(problem->inputs, "size");
    return clopt_compare(session, Y, CLOPT_FLOAT32, v->expected, n, 0, 1e-6, verdict);
}

static const struct clopt_kernel kernels[] = {
    {.name = "saxpy", .dimensions = 1, .any_local_size = true}, {.name = NULL}};

static const struct clopt_parameter inputs[] = {
    {.name = "size",
     .type = CLOPT_INTEGER,
     .legal = "1..100M",
     .initial = "1Mi",
     .help = "elements of a vector"},
    {.name = NULL},
};

static const struct clopt_app app = {
    .dwarf = "dense linear algebra",
    .source = "saxpy.cl",
    .kernels = kernels,
    .inputs = inputs,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
};

CLOPT_APP_PLUGIN("saxpy", "an app made from the example y = a * x + y", &app);
