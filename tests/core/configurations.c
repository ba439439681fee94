/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the numbered combinations are exactly those that satisfy the constraints, that each
 * is found again by its number, and that a space of 10^18 points costs next to nothing. */
#include "space/configurations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/random.h>

#include "number/expression.h"
#include <cmocka.h>

#define MOST 8

/* A space, its constraints, and who knows n = 12. */
struct space {
    struct clopt_domain domains[MOST];
    struct clopt_number values[MOST][16];
    size_t count;
    struct clopt_constraint constraints[MOST];
    size_t constraint_count;
    struct clopt_configurations *made;
    uint64_t budget;
    struct clopt_error error;
};

static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void add_parameter(struct space *space, size_t count, int64_t first, int64_t step)
{
    size_t i = space->count++;
    for (size_t v = 0; v < count; v++)
        space->values[i][v] = clopt_number_integer(first + step * (int64_t)v);
    space->domains[i] = (struct clopt_domain){names[i], count, space->values[i]};
}

static void add_constraint(struct space *space, const char *text)
{
    struct clopt_constraint *constraint = &space->constraints[space->constraint_count++];
    struct clopt_expression *expression;
    assert_int_equal(clopt_expression_create(text, &expression, &space->error), CLOPT_OK);
    *constraint = (struct clopt_constraint){(char *)"constraint", expression};
}

static bool look_up(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    (void)user;
    (void)variable;
    *value = clopt_number_integer(12);
    return strcmp(name, "n") == 0;
}

static enum clopt_status make(struct space *space)
{
    if (!space->budget)
        space->budget = 3000000;
    const struct clopt_constraint *listed[MOST];
    for (size_t i = 0; i < space->constraint_count; i++)
        listed[i] = &space->constraints[i];
    const struct clopt_configured configured = {space->domains,          space->count, listed,
                                                space->constraint_count, look_up,      NULL};
    return clopt_configurations_create(&configured, &space->budget, &space->made, &space->error);
}

static void fini(struct space *space)
{
    clopt_configurations_destroy(space->made);
    for (size_t i = 0; i < space->constraint_count; i++)
        clopt_expression_destroy(space->constraints[i].expression);
}

struct point {
    const struct space *space;
    const size_t *choice;
};

static bool look_up_point(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    const struct point *point = user;
    for (size_t i = 0; i < point->space->count; i++)
        if (strcmp(name, names[i]) == 0) {
            *value = point->space->values[i][point->choice[i]];
            return true;
        }
    return look_up(NULL, variable, name, value);
}

static bool is_valid(const struct space *space, const size_t *choice)
{
    struct point point = {space, choice};
    bool holds = true;
    for (size_t i = 0; i < space->constraint_count && holds; i++)
        assert_int_equal(clopt_expression_evaluate_condition(space->constraints[i].expression,
                                                             look_up_point, &point, &holds, NULL),
                         CLOPT_OK);
    return holds;
}

/* Compares with the whole product, filtered. */
static void check_all(const struct space *space)
{
    size_t choice[MOST] = {0};
    uint64_t valid = 0;
    uint64_t count = clopt_configurations_count(space->made);
    bool *seen = calloc(count + 1, sizeof *seen);
    for (;;) {
        uint64_t index = clopt_configurations_find(space->made, choice);
        assert_int_equal(is_valid(space, choice), index != UINT64_MAX);
        if (index != UINT64_MAX) {
            size_t again[MOST];
            assert_true(index < count && !seen[index]);
            seen[index] = true;
            valid++;
            clopt_configurations_get(space->made, index, again);
            assert_memory_equal(again, choice, space->count * sizeof choice[0]);
        }
        size_t i = space->count;
        while (i > 0 && ++choice[i - 1] == space->domains[i - 1].count)
            choice[--i] = 0;
        if (i == 0)
            break;
    }
    assert_int_equal(valid, count);
    free(seen);
}

static void a_product_is_numbered_as_one_counts(void **state)
{
    (void)state;
    struct space space = {0};
    add_parameter(&space, 2, 0, 1);
    add_parameter(&space, 3, 0, 1);
    assert_int_equal(make(&space), CLOPT_OK);
    assert_int_equal(clopt_configurations_count(space.made), 6);
    size_t choice[2];
    clopt_configurations_get(space.made, 4, choice);
    assert_int_equal(choice[0], 1);
    assert_int_equal(choice[1], 1);
    check_all(&space);
    fini(&space);
}

static void constraints_leave_what_satisfies_them(void **state)
{
    (void)state;
    struct space space = {0};
    for (int i = 0; i < 6; i++)
        add_parameter(&space, 5, 1, 1);
    add_constraint(&space, "a * b <= n");
    add_constraint(&space, "b % c == 0 or c > d");
    add_constraint(&space, "e != 3");
    add_constraint(&space, "n == 12 and a < 5");
    assert_int_equal(make(&space), CLOPT_OK);
    check_all(&space);
    fini(&space);
}

static void a_constraint_without_parameters_holds_or_empties_the_space(void **state)
{
    (void)state;
    struct space space = {0};
    add_parameter(&space, 3, 1, 1);
    add_constraint(&space, "n < 12");
    assert_int_equal(make(&space), CLOPT_OK);
    assert_int_equal(clopt_configurations_count(space.made), 0);
    check_all(&space);
    fini(&space);

    struct space none = {0};
    add_parameter(&none, 3, 1, 1);
    add_parameter(&none, 3, 1, 1);
    add_constraint(&none, "a + b > 6");
    assert_int_equal(make(&none), CLOPT_OK);
    assert_int_equal(clopt_configurations_count(none.made), 0);
    check_all(&none);
    fini(&none);
}

/* One of a few shapes of constraints over random parameters. */
static void add_random_constraint(struct space *space, struct clopt_random *random)
{
    static const char *const shapes[] = {"%s * %s <= %s + 9", "%s %% %s == 0 or %s == 2",
                                         "%s + %s != n - %s", "%s < %s or %s in (1, 4)",
                                         "max(%s, %s) >= %s"};
    char text[64];
    const char *chosen[3];
    for (int i = 0; i < 3; i++)
        chosen[i] = names[clopt_random_next(random) % space->count];
    snprintf(text, sizeof text, shapes[clopt_random_next(random) % 5], chosen[0], chosen[1],
             chosen[2]);
    add_constraint(space, text);
}

static void random_spaces_are_as_filtered_products(void **state)
{
    (void)state;
    const char *rounds = getenv("CLOPT_ROUNDS");
    uint64_t count = rounds ? strtoull(rounds, NULL, 10) : 60;
    for (uint64_t round = 0; round < count; round++) {
        struct clopt_random random = clopt_random_seed(17, round);
        struct space space = {0};
        size_t parameters = 1 + clopt_random_next(&random) % 6;
        for (size_t i = 0; i < parameters; i++)
            add_parameter(&space, 1 + clopt_random_next(&random) % 5,
                          1 + (int64_t)(clopt_random_next(&random) % 3), 1);
        for (size_t i = clopt_random_next(&random) % 5; i > 0; i--)
            add_random_constraint(&space, &random);
        assert_int_equal(make(&space), CLOPT_OK);
        check_all(&space);
        fini(&space);
    }
}

static void huge_spaces_are_numbers(void **state)
{
    (void)state;
    struct space space = {0};
    for (int i = 0; i < 8; i++)
        add_parameter(&space, 16, 1, 1);
    add_constraint(&space, "a * b <= 64");
    add_constraint(&space, "b % c == 0");
    add_constraint(&space, "d <= e");
    add_constraint(&space, "e + f > g");
    assert_int_equal(make(&space), CLOPT_OK);
    uint64_t count = clopt_configurations_count(space.made);
    assert_true(count > 1000000);
    assert_true(space.budget > 2900000);
    struct clopt_random random = clopt_random_seed(3, 0);
    for (int i = 0; i < 1000; i++) {
        size_t choice[MOST];
        uint64_t index = clopt_random_next(&random) % count;
        clopt_configurations_get(space.made, index, choice);
        assert_true(is_valid(&space, choice));
        assert_int_equal(clopt_configurations_find(space.made, choice), index);
    }
    fini(&space);
}

static void what_is_too_big_or_wrong_is_refused(void **state)
{
    (void)state;
    struct space space = {.budget = 1000};
    for (int i = 0; i < 4; i++)
        add_parameter(&space, 16, 1, 1);
    add_constraint(&space, "a + b + c + d < 20");
    assert_int_equal(make(&space), CLOPT_INVALID);
    assert_string_equal(
        space.error.message,
        "constraint: the constraints connect too many values of the parameters a, b, c, d; "
        "shorten their lists, or add constraints on few parameters that rule out "
        "combinations early");
    fini(&space);

    struct space zero = {0};
    add_parameter(&zero, 3, 0, 1);
    add_constraint(&zero, "n % a == 0");
    assert_int_equal(make(&zero), CLOPT_INVALID);
    assert_string_equal(zero.error.message,
                        "constraint: \"n % a == 0\", column 3: division by zero (n = 12, a = 0)");
    fini(&zero);

    struct space unknown = {0};
    add_parameter(&unknown, 3, 0, 1);
    add_constraint(&unknown, "a < z");
    assert_int_equal(make(&unknown), CLOPT_INVALID);
    assert_string_equal(unknown.error.message, "constraint: \"a < z\", column 5: z has no value");
    fini(&unknown);

    struct space text = {0};
    add_parameter(&text, 3, 0, 1);
    text.domains[0].values = NULL;
    add_constraint(&text, "2 < a");
    assert_int_equal(make(&text), CLOPT_INVALID);
    assert_string_equal(text.error.message, "constraint: \"2 < a\", column 5: a is not a number");
    fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_numbered_as_one_counts),
        cmocka_unit_test(constraints_leave_what_satisfies_them),
        cmocka_unit_test(a_constraint_without_parameters_holds_or_empties_the_space),
        cmocka_unit_test(random_spaces_are_as_filtered_products),
        cmocka_unit_test(huge_spaces_are_numbers),
        cmocka_unit_test(what_is_too_big_or_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
