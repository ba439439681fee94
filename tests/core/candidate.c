/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a trial's samples are kept by process, and which losses of
 * workers are no fault of it. */
#include "race/candidate.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>

#include <cmocka.h>

#define KERNELS 2

/* A candidate that is reported under the first of two kernels. */
static struct clopt_candidate make_candidate(void)
{
    return (struct clopt_candidate){.kernels = 1, .samples.column_count = KERNELS + 1};
}

/* Adds samples of one process whose first kernel takes `time`, give or take `spread`. */
static void add(struct clopt_candidate *candidate, uint32_t process, size_t count, double time,
                double spread)
{
    for (size_t i = 0; i < count; i++) {
        double part = (double)(i * 7 % count) / (double)(count - 1) - 0.5;
        double row[KERNELS + 1] = {time * (1 + 2 * spread * part), i % 2 ? 1 : 1000, 0};
        row[KERNELS] = row[0] + row[1];
        clopt_samples_add(&candidate->samples, process, row, 0);
    }
    candidate->samples.measurements++;
}

static void samples_are_kept_by_process(void **state)
{
    (void)state;
    struct clopt_candidate candidate = make_candidate();
    add(&candidate, 1, 11, 100, 0);
    add(&candidate, 2, 11, 300, 0);
    assert_int_equal(candidate.samples.count, 22);
    assert_true(clopt_samples_interval(&candidate.samples, 0, 1, false).median == 100);
    assert_true(clopt_samples_interval(&candidate.samples, 0, 2, false).median == 300);
    assert_int_equal(clopt_samples_interval(&candidate.samples, 0, 2, false).processes, 1);
    assert_int_equal(clopt_samples_interval(&candidate.samples, 0, 2, true).processes, 11);
    assert_true(isnan(clopt_samples_interval(&candidate.samples, 0, 3, false).median));
    assert_int_equal(clopt_samples_medians(&candidate.samples, 0)->count, 2);
    /* The 21st and 22nd. */
    double rest_s = clopt_samples_seconds(&candidate.samples, CLOPT_OBJECTIVE_TIME, 20, 2);
    assert_true(rest_s > 1600e-9 && rest_s < 1602e-9);
    rest_s = clopt_samples_seconds(&candidate.samples, CLOPT_OBJECTIVE_ENERGY, 20, 2);
    assert_true(rest_s > 1.9 && rest_s < 2.1);
    size_t first; /* two processes that sample at the same time stay apart */
    add(&candidate, 1, 4, 100, 0);
    add(&candidate, 2, 2, 300, 0);
    assert_int_equal(clopt_samples_find(&candidate.samples, 1, &first), 15);
    assert_int_equal(first, 0);
    assert_int_equal(clopt_samples_find(&candidate.samples, 2, &first), 13);
    assert_int_equal(first, 15);
    assert_true(clopt_samples_interval(&candidate.samples, 0, 1, false).median == 100);
    assert_true(clopt_samples_interval(&candidate.samples, 0, 2, false).median == 300);
    clopt_candidate_fini(&candidate);
}

static bool excuses(struct clopt_candidate *candidate, enum clopt_stage stage,
                    enum clopt_status status, int signal_number)
{
    const struct clopt_loss loss = {
        .error.status = status, .stage = stage, .signal = signal_number};
    return clopt_candidate_excuses(candidate, &loss);
}

/* A crash after another one's wrong result may be that one's work; any other is its own. */
static void crashes_under_suspicion_are_excused(void **state)
{
    (void)state;
    struct clopt_candidate candidate = make_candidate();
    struct clopt_loss loss = {
        .error.status = CLOPT_CRASHED, .stage = CLOPT_STAGE_SAMPLE, .signal = SIGABRT};
    unsigned excused = 0;
    assert_false(clopt_candidate_excuses(&candidate, &loss));
    loss.was_suspect = true;
    while (clopt_candidate_excuses(&candidate, &loss))
        excused++;
    assert_in_range(excused, 1, 5);
    loss.error.status = CLOPT_TIMED_OUT;
    assert_false(clopt_candidate_excuses(&candidate, &loss));
    clopt_candidate_fini(&candidate);
}

static void only_some_losses_are_excused_once(void **state)
{
    (void)state;
    struct clopt_candidate candidate = make_candidate();
    assert_true(excuses(&candidate, CLOPT_STAGE_OPEN, CLOPT_CRASHED, 0));
    assert_true(excuses(&candidate, CLOPT_STAGE_OPEN, CLOPT_CRASHED, SIGKILL));
    assert_false(excuses(&candidate, CLOPT_STAGE_LAUNCH, CLOPT_CRASHED, SIGSEGV));
    assert_false(excuses(&candidate, CLOPT_STAGE_LAUNCH, CLOPT_OUT_OF_RESOURCES, 0));
    assert_false(excuses(&candidate, CLOPT_STAGE_SETUP, CLOPT_TIMED_OUT, 0));
    assert_true(excuses(&candidate, CLOPT_STAGE_SETUP, CLOPT_CRASHED, SIGSEGV));
    assert_false(excuses(&candidate, CLOPT_STAGE_SETUP, CLOPT_CRASHED, SIGSEGV));
    assert_true(excuses(&candidate, CLOPT_STAGE_LAUNCH, CLOPT_OUT_OF_RESOURCES, SIGKILL));
    assert_false(excuses(&candidate, CLOPT_STAGE_BUILD, CLOPT_OUT_OF_RESOURCES, SIGKILL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_kept_by_process),
        cmocka_unit_test(only_some_losses_are_excused_once),
        cmocka_unit_test(crashes_under_suspicion_are_excused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
