/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which run that was verified is the one sample of a slow variant: one that was long enough
 * and timed by events, and in which nothing was compiled between the launches. */
#include "worker/sampling.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trial/rival.h"

#define KERNELS 2

struct fixture {
    struct clopt_error error;
    struct clopt_workspace workspace;
    struct clopt_buffers wanted, buffers;
    struct clopt_session session;
    struct clopt_rival rival;
    double first_ns[KERNELS + 2]; /* the kernels, the whole run, what threads waited of it */
};

/* Takes the place of a run, which needs a device. */
static enum clopt_status refuse(struct clopt_session *session, double *time_ns)
{
    (void)time_ns;
    return clopt_fail(session->error, CLOPT_FAILED, "it is run once more");
}

/* A run of half a second and one of a whole one, of which the rest is neither. */
static void begin(struct fixture *fixture, double rest)
{
    *fixture = (struct fixture){.rival.solve = refuse,
                                .first_ns = {500e6, 1000e6, 1500e6 / (1 - rest), 0.125}};
    struct clopt_workspace *workspace = &fixture->workspace;
    workspace->error = &fixture->error;
    workspace->once_ns = 600e6;
    workspace->buffers = &fixture->buffers;
    workspace->context.clock.source = CLOPT_CLOCK_EVENTS;
    fixture->session = (struct clopt_session){.workspace = workspace,
                                              .error = &fixture->error,
                                              .kernel_count = KERNELS,
                                              .wanted = &fixture->wanted,
                                              .rival = &fixture->rival,
                                              .first_ns = fixture->first_ns};
}

/* Whether the run is the sample. */
static bool is_sample(struct fixture *fixture)
{
    struct clopt_sample_block block;
    enum clopt_status status =
        clopt_samples_take(&fixture->session, CLOPT_OBJECTIVE_TIME, 5, 1000000, &block);
    assert_int_equal(status, block.verified ? CLOPT_OK : CLOPT_FAILED);
    if (block.verified) {
        assert_int_equal(block.count, 1);
        assert_int_equal(fixture->session.batch, 1);
        assert_memory_equal(block.times_ns, fixture->first_ns, sizeof fixture->first_ns);
        assert_true(fabs(block.waited_ns - 0.125 * fixture->first_ns[KERNELS]) < 1);
        assert_true(fabs(block.least_ns - 0.875 * fixture->first_ns[KERNELS]) < 1);
    }
    free(block.times_ns);
    return block.verified;
}

static void a_run_of_kernels_alone_is_a_sample(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0.005);
    assert_true(is_sample(&fixture));
    begin(&fixture, 0.015); /* something was compiled between the kernels */
    assert_false(is_sample(&fixture));
}

static void others_are_run_once_more(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0);
    fixture.workspace.once_ns = 2000e6; /* it does not take much of the time */
    assert_false(is_sample(&fixture));
    begin(&fixture, 0);
    fixture.workspace.context.clock.source = CLOPT_CLOCK_HOST;
    assert_false(is_sample(&fixture));
    begin(&fixture, 0);
    fixture.session.first_ns = NULL; /* it was not timed */
    assert_false(is_sample(&fixture));
    begin(&fixture, 0);
    fixture.session.batch = 1; /* it is the sample already */
    fixture.session.batch_source = CLOPT_CLOCK_EVENTS;
    assert_false(is_sample(&fixture));
    begin(&fixture, 0);
    assert_true(is_sample(&fixture));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_kernels_alone_is_a_sample),
        cmocka_unit_test(others_are_run_once_more),
    };
    return cmocka_run_group_tests_name("unit_verified", tests, NULL, NULL);
}
