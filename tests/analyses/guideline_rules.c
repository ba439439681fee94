/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a guideline's rule is not found in noise, of as many tables as one report has, and is
 * found where one was planted. All is drawn from fixed seeds. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define KERNELS  17
#define CASES    8 /* parameters, in a table */
#define TABLES   100
#define FEATURES CLOPT_GUIDELINE_FEATURES

struct sample {
    struct clopt_feature features[FEATURES];
    double values[KERNELS][FEATURES];
    double targets[KERNELS];
    struct clopt_observations kernels;
};

static void draw_features(struct sample *sample, struct clopt_random *random)
{
    for (size_t i = 0; i < KERNELS; i++)
        for (size_t f = 0; f < FEATURES; f++)
            sample->values[i][f] = clopt_random_real(random);
    for (size_t f = 0; f < FEATURES; f++)
        sample->features[f] = (struct clopt_feature){.name = clopt_guideline_features[f].name};
    sample->kernels = (struct clopt_observations){sample->features, FEATURES, &sample->values[0][0],
                                                  sample->targets, KERNELS};
}

/* Whether a table of parameters that pay on random kernels, each on `share` of them, has a rule. */
static bool has_rule_in_noise(struct clopt_random *random, double share)
{
    struct sample sample;
    struct clopt_guideline_rule rules[CASES];
    bool any = false;
    draw_features(&sample, random);
    for (size_t c = 0; c < CASES; c++) {
        for (size_t i = 0; i < KERNELS; i++)
            sample.targets[i] = clopt_random_real(random) < share;
        clopt_guideline_rule_find(&sample.kernels, &rules[c]);
    }
    clopt_guideline_rules_choose(rules, CASES);
    for (size_t c = 0; c < CASES; c++)
        any |= rules[c].holds;
    return any;
}

/* Whether a rule holds among others that are nothing but chance. */
static bool holds(const struct clopt_guideline_rule *rule)
{
    struct clopt_guideline_rule rules[CASES];
    for (size_t c = 0; c < CASES; c++)
        rules[c] = (struct clopt_guideline_rule){
            .asked = true, .count = KERNELS, .base = 0.6, .probability = 1};
    *rules = *rule;
    clopt_guideline_rules_choose(rules, CASES);
    return rules->holds;
}

static void noise_has_no_rule(void **state)
{
    static const double shares[] = {0.5, 0.7, 0.85};
    (void)state;
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        size_t invented = 0;
        for (uint64_t seed = 1; seed <= TABLES; seed++) {
            struct clopt_random random = clopt_random_seed(seed, s);
            invented += has_rule_in_noise(&random, shares[s]);
        }
        if (invented > TABLES / 20)
            fail_msg("%zu of %d random tables have a rule, at a share of %g", invented, TABLES,
                     shares[s]);
    }
}

/* What pays above, or up to, a threshold of one feature; `wrong` kernels are the other way. */
static bool plant(struct clopt_random *random, size_t feature, bool above, size_t wrong,
                  struct clopt_guideline_rule *rule)
{
    struct sample sample;
    draw_features(&sample, random);
    for (size_t i = 0; i < KERNELS; i++) {
        sample.values[i][feature] = ((double)i + (i >= KERNELS / 2 ? 4 : 0)) / KERNELS;
        sample.targets[i] = (i >= KERNELS / 2) == above;
    }
    for (size_t i = 0; i < wrong; i++)
        sample.targets[i * 5] = 1 - sample.targets[i * 5];
    return clopt_guideline_rule_find(&sample.kernels, rule) && holds(rule);
}

static void planted_rules_are_found(void **state)
{
    struct clopt_guideline_rule rule;
    (void)state;
    for (size_t feature = 0; feature < FEATURES; feature++)
        for (int above = 0; above < 2; above++) {
            struct clopt_random random = clopt_random_seed(feature, (uint64_t)above);
            assert_true(plant(&random, feature, above, 0, &rule));
            assert_int_equal(rule.feature, feature);
            assert_int_equal(rule.above, above);
            assert_true(rule.threshold > 7.0 / KERNELS && rule.threshold < 12.0 / KERNELS);
            assert_true(rule.hits >= KERNELS - 1); /* what is random may tell 16 apart, too */
            assert_int_equal(rule.count, KERNELS);
            assert_true(fabs(rule.base - 9.0 / KERNELS) < 1e-12);
        }
}

/* One kernel that is otherwise is foretold wrong, and the rule holds all the same. */
static void a_rule_may_err(void **state)
{
    struct clopt_guideline_rule rule;
    struct clopt_random random = clopt_random_seed(7, 7);
    (void)state;
    assert_true(plant(&random, 3, true, 1, &rule));
    assert_int_equal(rule.feature, 3);
    assert_int_equal(rule.hits, KERNELS - 1);
}

/* The level is for all rules together: the better others are, the weaker one may be. Those of too
 * few kernels do not count. */
static void level_is_for_all(void **state)
{
    struct clopt_guideline_rule rules[3] = {
        {.asked = true, .count = KERNELS, .base = 0.6, .probability = 0.03},
        {.asked = true, .count = KERNELS, .base = 0.6, .probability = 0.5},
        {.asked = true, .count = 3, .base = 0.6, .probability = 0.3}};
    (void)state;
    assert_int_equal(clopt_guideline_rules_choose(rules, 1), 1);
    assert_true(rules[0].holds);
    assert_int_equal(clopt_guideline_rules_choose(rules, 3), 2);
    assert_false(rules[0].holds);
    rules[1].probability = 0.001;
    assert_int_equal(clopt_guideline_rules_choose(rules, 3), 2);
    assert_true(rules[0].holds);
    assert_true(rules[1].holds);
    assert_false(rules[2].holds);
}

/* A rule that is always right is none where the larger class alone nearly is. */
static void base_rate_counts(void **state)
{
    struct sample sample;
    struct clopt_guideline_rule rule;
    struct clopt_random random = clopt_random_seed(5, 5);
    (void)state;
    draw_features(&sample, &random);
    for (size_t i = 0; i < KERNELS; i++) {
        sample.values[i][2] = i < 3 ? 0 : 1;
        sample.targets[i] = i < 3;
    }
    assert_true(clopt_guideline_rule_find(&sample.kernels, &rule));
    assert_int_equal(rule.hits, KERNELS);
    assert_true(rule.probability >= pow(14.0 / KERNELS, KERNELS) * (1 - 1e-9));
    assert_false(holds(&rule));
}

/* What pays on all kernels, or on none, and what no feature tells, asks for no rule. */
static void nothing_to_ask(void **state)
{
    struct sample sample;
    struct clopt_guideline_rule rule;
    struct clopt_random random = clopt_random_seed(2, 2);
    (void)state;
    draw_features(&sample, &random);
    for (size_t i = 0; i < KERNELS; i++)
        sample.targets[i] = 1;
    assert_false(clopt_guideline_rule_find(&sample.kernels, &rule));
    assert_false(rule.asked);
    for (size_t i = 0; i < KERNELS; i++) {
        sample.targets[i] = i % 2;
        for (size_t f = 0; f < FEATURES; f++)
            sample.values[i][f] = 1;
    }
    assert_false(clopt_guideline_rule_find(&sample.kernels, &rule));
    assert_true(rule.asked);
    sample.kernels.count = 0;
    assert_false(clopt_guideline_rule_find(&sample.kernels, &rule));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_no_rule), cmocka_unit_test(planted_rules_are_found),
        cmocka_unit_test(a_rule_may_err),    cmocka_unit_test(level_is_for_all),
        cmocka_unit_test(base_rate_counts),  cmocka_unit_test(nothing_to_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
