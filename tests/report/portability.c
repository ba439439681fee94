/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves Pennycook's metric with numbers computed by hand, what is 0 and what is not known, which
 * variants the matrix lists, and what is in it. */
#include "view/view.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "text/text.h"

#include <cmocka.h>

#define ROWS    5
#define DEVICES 3

/* A view of one kernel, made without a store: nothing was tried until a test says otherwise. */
struct fixture {
    struct clopt_results results;
    struct clopt_results_device devices[DEVICES];
    struct clopt_results_problem problem;
    struct clopt_results_table table;
    struct clopt_results_row rows[ROWS];
    struct clopt_result cells[ROWS][DEVICES];
    struct clopt_view view;
    struct clopt_view_row view_rows[ROWS];
};

static void begin(struct fixture *fixture, size_t rows, size_t devices)
{
    static char *const names[ROWS] = {"initial code", "a", "b", "c", "d"};
    static char *const labels[DEVICES] = {"x", "y", "z"};
    *fixture = (struct fixture){0};
    for (size_t d = 0; d < DEVICES; d++)
        fixture->devices[d].label = labels[d];
    for (size_t i = 0; i < ROWS; i++) {
        fixture->rows[i] = (struct clopt_results_row){
            .table = &fixture->table, .name = names[i], .cells = fixture->cells[i]};
        fixture->view_rows[i] = (struct clopt_view_row){names[i], &fixture->rows[i], i == 0, false};
    }
    fixture->problem = (struct clopt_results_problem){.app = "p", .label = "n=1"};
    fixture->table = (struct clopt_results_table){
        .kernel = "k", .rows = fixture->rows, .row_count = rows, .initial = 0};
    fixture->results = (struct clopt_results){.devices = fixture->devices,
                                              .device_count = devices,
                                              .problems = &fixture->problem,
                                              .problem_count = 1,
                                              .tables = &fixture->table,
                                              .table_count = 1};
    fixture->view = (struct clopt_view){.results = &fixture->results,
                                        .problem = &fixture->problem,
                                        .table = &fixture->table,
                                        .scope = CLOPT_SCOPE_KERNEL,
                                        .name = "k",
                                        .rows = fixture->view_rows,
                                        .row_count = rows};
}

/* A variant was tried, and has no time: why, tells the outcome. */
static struct clopt_result *try(struct fixture *fixture, size_t row, size_t device,
                                enum clopt_outcome outcome)
{
    const struct clopt_interval none = clopt_interval_estimate(NULL, NULL, 0);
    struct clopt_result *result = &fixture->cells[row][device];
    *result = (struct clopt_result){.row = &fixture->rows[row],
                                    .device = device,
                                    .present = true,
                                    .outcome = outcome,
                                    .alias = CLOPT_NO_ROW};
    result->trial.id = (int64_t)(1 + row + ROWS * device);
    for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
        result->times[scope] =
            (struct clopt_result_time){.interval = none, .speedup = none, .efficiency = none};
    return result;
}

/* A variant was measured, and is so fast beside the best, in four processes. */
static struct clopt_result *measure(struct fixture *fixture, size_t row, size_t device,
                                    double efficiency, double low, double high)
{
    struct clopt_result *result = try(fixture, row, device, CLOPT_OUTCOME_OK);
    struct clopt_result_time *time = &result->times[CLOPT_SCOPE_KERNEL];
    result->ranked = result->trial.verdict.right = true;
    time->interval = (struct clopt_interval){100 / efficiency, 90, 110, 40, 4, true};
    time->efficiency = (struct clopt_interval){efficiency, low, high, 40, 4, true};
    return result;
}

static void win(struct fixture *fixture, size_t row, size_t device)
{
    measure(fixture, row, device, 1, 1, 1)->times[CLOPT_SCOPE_KERNEL].best = true;
}

static struct clopt_interval rate(const struct fixture *fixture, size_t row)
{
    struct clopt_portability portability;
    clopt_portability_init(&portability, &fixture->view);
    struct clopt_interval metric = portability.metrics[row];
    clopt_portability_fini(&portability);
    return metric;
}

/* What the report says below the matrix. */
static void assert_said(const struct clopt_portability *portability, const char *expected)
{
    static const char begin_of_all[] = "Most portable by harmonic mean (Pennycook's metric): ";
    struct clopt_text text = {0};
    clopt_portability_say(&text, portability);
    assert_int_equal(strncmp(clopt_text_string(&text), begin_of_all, strlen(begin_of_all)), 0);
    assert_string_equal(clopt_text_string(&text) + strlen(begin_of_all), expected);
    clopt_text_fini(&text);
}

static void assert_matrices(const struct clopt_results *results, size_t count)
{
    json_t *matrices = clopt_portability_to_json(results);
    assert_int_equal(json_array_size(matrices), count);
    json_decref(matrices);
}

static double metric_of(const struct fixture *fixture, size_t row)
{
    return rate(fixture, row).median;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static void it_is_the_harmonic_mean(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2, 3);
    win(&fixture, 0, 0);
    measure(&fixture, 0, 1, 0.5, 0.5, 0.5);
    measure(&fixture, 0, 2, 0.25, 0.25, 0.25);
    assert_near(metric_of(&fixture, 0), 3 / (1.0 + 2 + 4));
    for (size_t d = 0; d < 3; d++)
        win(&fixture, 1, d);
    assert_near(metric_of(&fixture, 1), 1);
}

static void its_interval_is_that_of_independent_parts(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2, 2);
    win(&fixture, 0, 0);
    measure(&fixture, 0, 1, 0.5, 0.4, 0.625); /* takes 2, from 1.6 to 2.5 */
    struct clopt_interval metric = rate(&fixture, 0);
    assert_near(metric.median, 2.0 / 3);
    assert_near(metric.low, 2 / 3.5);
    assert_near(metric.high, 2 / 2.6);
    assert_true(metric.attained);
    assert_int_equal(metric.processes, 4);
    measure(&fixture, 1, 0, 0.5, 0.4, 0.625);
    measure(&fixture, 1, 1, 0.25, 0.2, 0.5); /* takes 4, from 2 to 5 */
    metric = rate(&fixture, 1);
    assert_near(metric.median, 2.0 / 6);
    assert_near(metric.low, 2 / (6 + sqrt(0.25 + 1)));
    assert_near(metric.high, 2 / (6 - sqrt(0.16 + 4)));
}

static void it_is_0_where_a_variant_fails(void **state)
{
    (void)state;
    static const enum clopt_outcome failures[] = {
        CLOPT_OUTCOME_INFEASIBLE, CLOPT_OUTCOME_BUILD_FAILED, CLOPT_OUTCOME_WRONG_RESULT,
        CLOPT_OUTCOME_CRASHED,    CLOPT_OUTCOME_TIMEOUT,      CLOPT_OUTCOME_OUT_OF_RESOURCES,
        CLOPT_OUTCOME_DEVICE_LOST};
    struct fixture fixture;
    begin(&fixture, 2, 3);
    win(&fixture, 0, 0);
    win(&fixture, 0, 1);
    win(&fixture, 0, 2);
    measure(&fixture, 1, 0, 0.5, 0.4, 0.6);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        try(&fixture, 1, 1, failures[i]);
        try(&fixture, 1, 2, CLOPT_OUTCOME_PENDING); /* whatever comes of it */
        assert_true(metric_of(&fixture, 1) == 0);
        measure(&fixture, 1, 2, 0.5, 0.4, 0.6);
        assert_true(metric_of(&fixture, 1) == 0);
    }
}

static void what_was_not_verified_or_measured_is_not_known(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 5, 2);
    for (size_t i = 0; i < 4; i++)
        measure(&fixture, i, 0, 0.9, 0.8, 1);
    win(&fixture, 0, 1);
    measure(&fixture, 1, 1, 0.9, 0.8, 1)->ranked = false; /* fast, and perhaps wrong */
    fixture.cells[1][1].trial.verdict.right = false;
    try(&fixture, 2, 1, CLOPT_OUTCOME_PENDING);
    assert_near(metric_of(&fixture, 0), 2 / (1 / 0.9 + 1));
    for (size_t i = 1; i < 5; i++) /* 3 was not tried on y, 4 nowhere */
        assert_true(isnan(metric_of(&fixture, i)));
}

static void devices_on_which_nothing_was_tried_do_not_count(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2, 3);
    win(&fixture, 0, 0);
    measure(&fixture, 0, 2, 0.5, 0.4, 0.6);
    assert_near(metric_of(&fixture, 0), 2.0 / 3);
    try(&fixture, 1, 1, CLOPT_OUTCOME_CRASHED);
    assert_true(isnan(metric_of(&fixture, 0)));
}

static void two_names_of_a_device_count_once(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_portability portability;
    begin(&fixture, 2, 3);
    measure(&fixture, 0, 0, 0.5, 0.4, 0.625);
    win(&fixture, 0, 1);
    measure(&fixture, 0, 2, 0.5, 0.4, 0.625);
    fixture.cells[0][2].trial.id = fixture.cells[0][0].trial.id;
    win(&fixture, 1, 0);
    measure(&fixture, 1, 1, 0.1, 0.1, 0.1);
    win(&fixture, 1, 2);
    fixture.cells[1][2].trial.id = fixture.cells[1][0].trial.id;
    struct clopt_interval metric = rate(&fixture, 0);
    assert_near(metric.median, 2.0 / 3);
    assert_near(metric.low, 2 / 3.5);
    assert_near(metric.high, 2 / 2.6);
    for (size_t i = 0; i < 2; i++)
        fixture.cells[i][1] = (struct clopt_result){0};
    clopt_portability_init(&portability, &fixture.view);
    assert_int_equal(portability.best_count, 1);
    clopt_portability_fini(&portability);
}

static void luck_counts_as_1(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 2, 2);
    measure(&fixture, 0, 0, 1.25, 0.8, 2);
    measure(&fixture, 0, 1, 0.5, 0.5, 0.5);
    struct clopt_interval metric = rate(&fixture, 0);
    assert_near(metric.median, 2.0 / 3);
    assert_near(metric.low, 2 / (3 + 0.25));
    assert_near(metric.high, 2.0 / 3);
}

static void abandoned_variants_count_with_a_reservation(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 1, 2);
    win(&fixture, 0, 0);
    struct clopt_result *result = measure(&fixture, 0, 1, 0.1, 0.1, 0.1);
    result->trial.abandoned = true;
    result->times[CLOPT_SCOPE_KERNEL].efficiency.attained = false;
    result->times[CLOPT_SCOPE_KERNEL].efficiency.processes = 1;
    struct clopt_interval metric = rate(&fixture, 0);
    assert_near(metric.median, 2.0 / 11);
    assert_false(metric.attained);
    assert_int_equal(metric.processes, 1);
}

/* x: a is best, initial code half as fast, b 0.8; y: c is best, a crashes, initial code 0.5,
 * b is c's program and borrows its times; z: not in the study. */
static void fill_matrix(struct fixture *fixture)
{
    begin(fixture, 5, 2);
    measure(fixture, 0, 0, 0.5, 0.45, 0.55);
    win(fixture, 1, 0);
    measure(fixture, 2, 0, 0.8, 0.75, 0.85);
    measure(fixture, 4, 0, 0.7, 0.6, 0.8);
    measure(fixture, 0, 1, 0.0123, 0.0121, 0.0125);
    try(fixture, 1, 1, CLOPT_OUTCOME_CRASHED)->trial.reason = "SIGSEGV";
    measure(fixture, 2, 1, 1, 1, 1)->borrowed = true;
    fixture->cells[2][1].alias = 3;
    win(fixture, 3, 1);
    measure(fixture, 4, 1, 0.1, 0.1, 0.1);
}

static void the_best_the_most_portable_and_the_initial_code_are_listed(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_portability portability;
    fill_matrix(&fixture);
    clopt_portability_init(&portability, &fixture.view);
    assert_int_equal(portability.best_count, 2);
    assert_int_equal(portability.most, 2);
    assert_int_equal(portability.initial, 0);
    static const bool listed[] = {true, true, true, true, false};
    assert_memory_equal(portability.listed, listed, sizeof listed);
    assert_said(&portability, "b, 88.9% [85.7, 91.9]; initial code 2.40% [2.36, 2.44]");
    clopt_portability_fini(&portability);
}

static void of_equals_the_first_is_the_most_portable(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_portability portability;
    begin(&fixture, 3, 2);
    win(&fixture, 0, 0);
    win(&fixture, 2, 1);
    for (size_t i = 1; i < 3; i++)
        measure(&fixture, i, 0, 0.5, 0.5, 0.5);
    measure(&fixture, 0, 1, 0.5, 0.5, 0.5);
    clopt_portability_init(&portability, &fixture.view);
    assert_int_equal(portability.most, 0);
    assert_false(portability.listed[1]);
    assert_said(&portability, "initial code, 66.7%");
    clopt_portability_fini(&portability);
}

static void without_a_variant_on_all_devices_none_is_the_most_portable(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_portability portability;
    begin(&fixture, 3, 2);
    win(&fixture, 0, 0);
    win(&fixture, 1, 1);
    try(&fixture, 1, 0, CLOPT_OUTCOME_INFEASIBLE);
    clopt_portability_init(&portability, &fixture.view);
    assert_true(portability.most == CLOPT_NO_ROW);
    assert_said(&portability, "no variant has a time on all devices");
    clopt_portability_fini(&portability);
}

static void assert_cell(const struct clopt_grid *grid, size_t row, size_t column,
                        const char *number, const char *comment, const char *marks)
{
    const struct clopt_cell *cell = clopt_grid_cell(grid, row, 1 + column); /* after its name */
    assert_string_equal(cell->text, number);
    assert_string_equal(cell->comment, comment);
    assert_string_equal(cell->marks, marks);
}

static void the_matrix_says_how_fast_or_why_not(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_document document = {.program = "test"};
    struct clopt_notes notes = {0};
    fill_matrix(&fixture);
    struct clopt_result *once = &fixture.cells[2][0];
    once->times[CLOPT_SCOPE_KERNEL].efficiency.processes = 1;
    once->times[CLOPT_SCOPE_KERNEL].efficiency.attained = false;
    clopt_portability_report(&fixture.view, &document, &notes);
    assert_int_equal(document.count, 2);
    assert_int_equal(document.blocks[0].kind, CLOPT_BLOCK_TABLE);
    assert_int_equal(document.blocks[1].kind, CLOPT_BLOCK_SENTENCE);
    const struct clopt_grid *grid = &document.blocks[0].grid;
    assert_int_equal(grid->row_count, 4);
    assert_string_equal(grid->columns[2].label, "y");
    assert_string_equal(grid->columns[3].label, "mean");
    assert_cell(grid, 0, 0, "50.0", "[45.0, 55.0]", "");
    assert_cell(grid, 0, 1, "1.23", "[1.21, 1.25]", "");
    assert_cell(grid, 0, 2, "2.40", "", "");
    assert_cell(grid, 1, 0, "100", "best", "");
    assert_cell(grid, 1, 1, "--", "crashed", "[1]");
    assert_cell(grid, 1, 2, "0", "", "");
    assert_cell(grid, 2, 0, "80.0", "[75.0, 85.0]", "[2]");
    assert_cell(grid, 2, 1, "100", "= c", "");
    assert_cell(grid, 2, 2, "88.9", "", "[3]");
    assert_cell(grid, 3, 0, "--", "not tried", "");
    assert_cell(grid, 3, 2, "--", "", "");
    assert_int_equal(notes.count, 3);
    assert_string_equal(notes.texts[0], "crashed: SIGSEGV");
    clopt_document_fini(&document);
    clopt_notes_fini(&notes);
}

static void one_device_is_no_matrix(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_document document = {.program = "test"};
    struct clopt_notes notes = {0};
    begin(&fixture, 2, 2);
    win(&fixture, 0, 0);
    try(&fixture, 0, 1, CLOPT_OUTCOME_CRASHED)->trial.reason = "SIGSEGV";
    clopt_portability_report(&fixture.view, &document, &notes);
    assert_int_equal(document.count, 0);
    assert_int_equal(notes.count, 0);
    assert_matrices(&fixture.results, 0);
    fill_matrix(&fixture);
    assert_matrices(&fixture.results, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_harmonic_mean),
        cmocka_unit_test(its_interval_is_that_of_independent_parts),
        cmocka_unit_test(it_is_0_where_a_variant_fails),
        cmocka_unit_test(what_was_not_verified_or_measured_is_not_known),
        cmocka_unit_test(devices_on_which_nothing_was_tried_do_not_count),
        cmocka_unit_test(two_names_of_a_device_count_once),
        cmocka_unit_test(luck_counts_as_1),
        cmocka_unit_test(abandoned_variants_count_with_a_reservation),
        cmocka_unit_test(the_best_the_most_portable_and_the_initial_code_are_listed),
        cmocka_unit_test(of_equals_the_first_is_the_most_portable),
        cmocka_unit_test(without_a_variant_on_all_devices_none_is_the_most_portable),
        cmocka_unit_test(the_matrix_says_how_fast_or_why_not),
        cmocka_unit_test(one_device_is_no_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
