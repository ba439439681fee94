/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what is said of a ratio with its interval and of the noise around it, in full and in a
 * cell. */
#include "results/verdict.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

#include "number/number.h"

static const struct {
    struct clopt_interval speedup;
    double noise;
    enum clopt_verdict_kind kind;
    const char *text;
    const char *cell;
} verdicts[] = {
    {{2, 1.5, 2.5, 30, 3, true},
     0.02,
     CLOPT_VERDICT_FASTER,
     "2.00 times as fast as the initial code [1.50, 2.50]",
     "[1.50, 2.50]"},
    {{0.5, 0.4, 0.6, 30, 3, true},
     NAN,
     CLOPT_VERDICT_SLOWER,
     "0.500 times as fast as the initial code [0.400, 0.600]",
     "[0.400, 0.600]"},
    {{1.01, 1.005, 1.015, 30, 3, true},
     0.02,
     CLOPT_VERDICT_SAME,
     "no difference from the initial code within 2.0%",
     "same within 2.0%"},
    {{1.01, 0.98, 1.041, 30, 3, true},
     0.02,
     CLOPT_VERDICT_SAME,
     "no difference from the initial code within 4.1%",
     "same within 4.1%"},
    {{1.1, 0.7, 1.6, 30, 3, true},
     0.02,
     CLOPT_VERDICT_TOO_NOISY,
     "not decided: 1.10 times as fast as the initial code [0.70, 1.60]",
     "[0.70, 1.60]"},
    {{2.17, 1.23, 3.84, 16, 1, false},
     0.02,
     CLOPT_VERDICT_TOO_FEW,
     "not decided: no process has measured both",
     "too few processes"},
    {{53.2, 17.7, 160, 16, 1, true},
     0.02,
     CLOPT_VERDICT_FASTER,
     "53.2 times as fast as the initial code [17.7, 160.0]",
     "[17.7, 160.0]"},
    {{1.05, 0.35, 3.15, 16, 1, true},
     0.02,
     CLOPT_VERDICT_TOO_FEW,
     "not decided by one process: 1.05 times as fast as the initial code [0.35, 3.15]",
     "[0.35, 3.15]"},
    {{1.71, 1.23, 2.38, 30, 3, true},
     0.72,
     CLOPT_VERDICT_TOO_NOISY,
     "not decided: 1.71 times as fast as the initial code [1.23, 2.38], too noisy to say (A/A 72%)",
     "too noisy"},
    {{0.583, 0.42, 0.81, 30, 3, true},
     0.72,
     CLOPT_VERDICT_TOO_NOISY,
     "not decided: 0.583 times as fast as the initial code [0.420, 0.810], "
     "too noisy to say (A/A 72%)",
     "too noisy"},
    {{1.97, 1.23, 3.16, 30, 3, true},
     150.445,
     CLOPT_VERDICT_TOO_NOISY,
     "not decided: 1.97 times as fast as the initial code [1.23, 3.16], "
     "too noisy to say (A/A above 100%)",
     "too noisy"},
    {{2.17, 1.23, 3.84, 30, 3, true},
     0.72,
     CLOPT_VERDICT_FASTER,
     "2.17 times as fast as the initial code [1.23, 3.84]",
     "[1.23, 3.84]"},
    {{2.17, 0.93, 5.06, 30, 3, true},
     0.72,
     CLOPT_VERDICT_TOO_NOISY,
     "not decided: 2.17 times as fast as the initial code [0.93, 5.06], too noisy to say (A/A 72%)",
     "[0.93, 5.06]"},
    {{6.69, 2.42, 38.1, 50, 2, true},
     12.9,
     CLOPT_VERDICT_FASTER,
     "6.69 times as fast as the initial code [2.42, 38.10]",
     "[2.42, 38.10]"},
    {{NAN, NAN, NAN, 0, 0, false},
     0.02,
     CLOPT_VERDICT_UNKNOWN,
     "no time of the initial code to compare with",
     ""},
};

static void verdicts_are_no_stronger_than_their_intervals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        struct clopt_text text = {0}, cell = {0};
        clopt_verdict_append(&text, &verdicts[i].speedup, verdicts[i].noise, 0,
                             clopt_objective_words(CLOPT_OBJECTIVE_TIME));
        clopt_verdict_append_short(&cell, &verdicts[i].speedup, verdicts[i].noise);
        assert_int_equal(clopt_verdict_find(&verdicts[i].speedup, verdicts[i].noise),
                         verdicts[i].kind);
        assert_string_equal(clopt_text_string(&text), verdicts[i].text);
        assert_string_equal(clopt_text_string(&cell), verdicts[i].cell);
        clopt_text_fini(&text);
        clopt_text_fini(&cell);
    }
}

static void load_leaves_a_bound_and_its_reason(void **state)
{
    (void)state;
    const struct clopt_interval speedup = {70, 65, 76, 30, 3, true};
    struct clopt_text text = {0};
    clopt_verdict_append(&text, &speedup, 0.02, 459, clopt_objective_words(CLOPT_OBJECTIVE_TIME));
    assert_string_equal(clopt_text_string(&text),
                        "at least 70.0 times as fast as the initial code [65.0, 76.0] by the time "
                        "that its threads had processors (by the clock 459: other programs "
                        "lengthened the initial code more)");
    clopt_text_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_leaves_a_bound_and_its_reason),
        cmocka_unit_test(verdicts_are_no_stronger_than_their_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
