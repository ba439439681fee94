/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that `clopt profile` accounts for a run, from planted records: what processes and queues
 * did when, how long no device did anything, and what people are told to do first. */
#include "commands/capture/profile.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/capture/activities.h"

#define PART 65536 /* the first length of the parts of a line */
#define UNIT (UINT64_C(4) * PART)
#define RUN  100 /* units */
#define NOW  (UINT64_C(5000) * UNIT)

/* ---- planting ---- */

static struct clopt_application application;

static int begin_record(void **state)
{
    (void)state;
    static char *argv[] = {(char *)"./app", NULL};
    struct clopt_record *record = calloc(1, sizeof *record);
    assert_non_null(record);
    record->began_ns = NOW;
    record->processes = 1;
    application = (struct clopt_application){.argv = argv, .record = record, .wall_ns = RUN * UNIT};
    return 0;
}

static int end_record(void **state)
{
    (void)state;
    free(application.record);
    return 0;
}

static struct clopt_record_line *plant_line(int64_t process, uint64_t queue, const char *device)
{
    struct clopt_record_line *line = &application.record->lines[application.record->line_count++];
    *line = (struct clopt_record_line){
        .ready = 1, .process = process, .queue = queue, .origin_ns = NOW};
    snprintf(line->device, sizeof line->device, "%s", device);
    return line;
}

/* What a process, or a queue, does from a unit to another. */
static void plant(struct clopt_record_line *line, enum clopt_activity activity, uint64_t from,
                  uint64_t to)
{
    clopt_line_add(line, activity, NOW + from * UNIT, NOW + to * UNIT);
    if (!line->queue)
        application.record->activity_ns[activity] += (to - from) * UNIT;
}

/* A kernel whose launches took so many units. */
static void plant_kernel(const char *name, uint64_t units)
{
    struct clopt_record_row *row = &application.record->rows[application.record->row_count++];
    snprintf(row->kernel, sizeof row->kernel, "%s", name);
    snprintf(row->device, sizeof row->device, "d");
    struct clopt_timing timing = {.row = row};
    struct clopt_record_sizes sizes = {.dimensions = 1, .global = {64}};
    timing.sizes = clopt_record_add_launch(row, &sizes);
    clopt_record_add_time(&timing, units * UNIT);
    row->ready = 1;
}

static uint64_t sum(const struct clopt_record_line *line, enum clopt_activity activity)
{
    uint64_t ns = 0;
    for (size_t part = 0; part < CLOPT_RECORD_PARTS; part++)
        ns += line->ns[part][activity];
    return ns;
}

/* ---- lines ---- */

static void test_parts_grow_with_the_run(void **state)
{
    struct clopt_record_line *line = plant_line(1, 0, "");
    (void)state;
    clopt_line_add(line, CLOPT_BUILDS, NOW + PART / 2, NOW + 2 * PART);
    assert_int_equal(line->part_ns, PART);
    assert_int_equal(line->ns[0][CLOPT_BUILDS], PART / 2);
    assert_int_equal(line->ns[1][CLOPT_BUILDS], PART);
    clopt_line_add(line, CLOPT_WAITS, NOW + 2 * PART, NOW + 4 * CLOPT_RECORD_PARTS * PART);
    assert_int_equal(line->part_ns, 4 * PART);
    assert_int_equal(line->ns[0][CLOPT_BUILDS], PART / 2 + PART);
    assert_int_equal(line->ns[0][CLOPT_WAITS], 2 * PART);
    assert_int_equal(line->ns[CLOPT_RECORD_PARTS - 1][CLOPT_WAITS], 4 * PART);
    assert_int_equal(sum(line, CLOPT_WAITS), 4 * CLOPT_RECORD_PARTS * PART - 2 * PART);
    clopt_line_add(line, CLOPT_MAPS, NOW - PART, NOW + PART); /* before the run there is none */
    assert_int_equal(sum(line, CLOPT_MAPS), PART);
}

static void test_what_was_waited_for_is_changed(void **state)
{
    struct clopt_record_line *line = plant_line(1, 0, "");
    (void)state;
    clopt_line_add(line, CLOPT_COPIES, NOW + 10 * PART, NOW + 20 * PART);
    assert_int_equal(
        clopt_line_change(line, CLOPT_COPIES, CLOPT_WAITS, NOW + 9 * PART, NOW + 13 * PART),
        3 * PART);
    assert_int_equal(sum(line, CLOPT_COPIES), 7 * PART);
    assert_int_equal(sum(line, CLOPT_WAITS), 3 * PART);
    assert_int_equal(line->ns[12][CLOPT_WAITS], PART);
    assert_int_equal(line->ns[13][CLOPT_WAITS], 0);
}

/* The clock of the device is `ahead` of the other one; a call takes a part, and its command is
 * queued in the middle of that. */
static void run_command(struct clopt_record_line *line, uint64_t ahead, uint64_t enter,
                        uint64_t begin, uint64_t end)
{
    struct clopt_timing timing = {.activity = CLOPT_LAUNCHES,
                                  .line = line,
                                  .entered_ns = NOW + enter * PART,
                                  .returned_ns = NOW + (enter + 1) * PART};
    struct clopt_device_times times = {NOW + ahead + enter * PART + PART / 2,
                                       NOW + ahead + begin * PART, NOW + ahead + end * PART};
    clopt_line_add_command(&timing, &times, NOW + (end + 5) * PART);
}

static void test_clocks_of_devices_are_compared(void **state)
{
    struct clopt_record_line *line = plant_line(1, 1, "d");
    const uint64_t ahead = UINT64_C(1000000) * PART;
    (void)state;
    run_command(line, ahead, 10, 20, 30);
    assert_int_equal(sum(line, CLOPT_LAUNCHES), 10 * PART);
    assert_int_equal(line->ns[19][CLOPT_LAUNCHES], PART / 2); /* half a call is not known */
    assert_int_equal(line->ns[29][CLOPT_LAUNCHES], PART / 2);
    struct clopt_timing timing = {.activity = CLOPT_COPIES, /* a call that takes no time */
                                  .line = line,
                                  .entered_ns = NOW + 40 * PART,
                                  .returned_ns = NOW + 40 * PART};
    struct clopt_device_times times = {NOW + ahead + 40 * PART, NOW + ahead + 42 * PART,
                                       NOW + ahead + 44 * PART};
    clopt_line_add_command(&timing, &times, NOW + 50 * PART);
    assert_int_equal(line->ns[42][CLOPT_COPIES], PART);
    assert_int_equal(line->ns[43][CLOPT_COPIES], PART);
    run_command(line, ahead, 50, 60, 61); /* the same clocks: what was found stays */
    assert_int_equal(line->ns[60][CLOPT_LAUNCHES], PART);
    run_command(line, ahead + 100 * PART, 70, 80, 90); /* they have drifted */
    assert_int_equal(line->ns[80][CLOPT_LAUNCHES], PART);
    assert_int_equal(sum(line, CLOPT_LAUNCHES), 21 * PART);
}

static void test_times_that_cannot_be(void **state)
{
    struct clopt_record_line *line = plant_line(1, 1, "d");
    struct clopt_timing timing = {.activity = CLOPT_LAUNCHES,
                                  .line = line,
                                  .entered_ns = NOW + 10 * PART,
                                  .returned_ns = NOW + 11 * PART};
    (void)state;
    /* Never queued; and longer than from the call until the end was known. */
    clopt_line_add_command(&timing, &(struct clopt_device_times){0, 1, UINT64_MAX / 2},
                           NOW + 20 * PART);
    assert_int_equal(sum(line, CLOPT_LAUNCHES), 10 * PART);
    assert_int_equal(line->ns[10][CLOPT_LAUNCHES], PART);
    assert_int_equal(line->ns[20][CLOPT_LAUNCHES], 0);
    assert_int_equal(line->part_ns, PART);
}

/* ---- reports ---- */

/* Plants a run: 10 units before OpenCL, 40 of builds, 30 of waits, 10 outside, 10 after; kernels
 * take 20 of the waits. */
static void plant_run(void)
{
    struct clopt_record_line *host = plant_line(7, 0, ""), *queue = plant_line(7, 1, "d");
    plant(host, CLOPT_BUILDS, 10, 50);
    plant(host, CLOPT_WAITS, 50, 80);
    plant(host, CLOPT_OUTSIDE, 80, 90);
    plant(queue, CLOPT_LAUNCHES, 55, 75);
    plant_kernel("work", 20);
}

static double units(double ns)
{
    return ns / (double)UNIT;
}

static void test_all_of_the_run_has_a_name(void **state)
{
    struct clopt_queue_timeline timeline;
    double idle = 0;
    (void)state;
    plant_run();
    clopt_queue_timeline_init(&timeline, &application);
    assert_int_equal(timeline.count, 2);
    assert_int_equal(timeline.parts, RUN * UNIT / PART);
    for (size_t a = 0; a <= CLOPT_ACTIVITIES; a++)
        idle += timeline.idle_ns[a];
    assert_float_equal(units(timeline.idle_ns[CLOPT_BUILDS]), 40, 1e-6);
    assert_float_equal(units(timeline.idle_ns[CLOPT_WAITS]), 10, 1e-6);
    assert_float_equal(units(timeline.idle_ns[CLOPT_OUTSIDE]), 10, 1e-6);
    assert_float_equal(units(timeline.idle_ns[CLOPT_ACTIVITIES]), 20, 1e-6);
    assert_float_equal(units(timeline.busy_ns[CLOPT_LAUNCHES]), 20, 1e-6);
    assert_float_equal(units(idle + timeline.busy_ns[CLOPT_LAUNCHES]), RUN, 1e-6);
    clopt_queue_timeline_fini(&timeline);
}

static void test_overlap_is_divided(void **state)
{
    struct clopt_record_line *host = plant_line(7, 0, ""), *queue = plant_line(7, 1, "d");
    struct clopt_record_line *other = plant_line(7, 2, "d");
    struct clopt_queue_timeline timeline;
    (void)state;
    plant(host, CLOPT_COPIES, 0, 50); /* a part is whole: it cannot be waited for in it */
    plant(host, CLOPT_OUTSIDE, 50, 100);
    plant(queue, CLOPT_COPIES, 0, 25);
    plant(queue, CLOPT_LAUNCHES, 25, 75);
    plant(other, CLOPT_LAUNCHES, 70, 100); /* two queues at once are no more than the time */
    clopt_queue_timeline_init(&timeline, &application);
    for (size_t a = 0; a <= CLOPT_ACTIVITIES; a++)
        assert_float_equal(units(timeline.idle_ns[a]), 0, 1e-6);
    assert_float_equal(units(timeline.busy_ns[CLOPT_LAUNCHES]), 80, 1e-6);
    clopt_queue_timeline_fini(&timeline);
}

/* The report of what was planted. */
static struct clopt_document report(bool for_programs)
{
    struct clopt_document document = {.program = "clopt profile", .for_programs = for_programs};
    clopt_profile_report(&application, &document);
    return document;
}

/* Whether a sentence says this. */
static bool says(const struct clopt_document *document, const char *text)
{
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == CLOPT_BLOCK_SENTENCE &&
            strstr(document->blocks[i].text, text))
            return true;
    return false;
}

static const struct clopt_grid *find_table(const struct clopt_document *document,
                                           const char *heading)
{
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == CLOPT_BLOCK_TABLE &&
            strcmp(document->blocks[i].grid.heading, heading) == 0)
            return &document->blocks[i].grid;
    fail_msg("no table: %s", heading);
    return NULL;
}

static const char *find_cell(const struct clopt_grid *grid, size_t row, size_t from_last)
{
    return clopt_grid_cell(grid, row, grid->column_count - 1 - from_last)->text;
}

static void test_rows_are_shown_by_queue(void **state)
{
    (void)state;
    plant_run();
    struct clopt_document document = report(false);
    const struct clopt_grid *grid = find_table(&document, "Timeline");
    assert_int_equal(grid->row_count, 2);
    assert_string_equal(clopt_grid_cell(grid, 0, 0)->text, "host");
    assert_string_equal(clopt_grid_cell(grid, 1, 0)->text, "queue 1");
    assert_string_equal(find_cell(grid, 1, 1), "20");
    /* 48 letters for 100 units: 4.8 are before, and the last 4.8 after. */
    assert_string_equal(find_cell(grid, 0, 0), "....bBBBBBBBBBBBBBBBBBBBWWWWWWWWWWWWWWHHHHHh....");
    assert_string_equal(find_cell(grid, 1, 0), "..........................KKKKKKKKKK............");
    const struct clopt_grid *run = find_table(&document, "The run by what it did");
    assert_string_equal(find_cell(run, CLOPT_BUILDS, 1), "40");
    assert_string_equal(find_cell(run, CLOPT_BUILDS, 0), "40");
    assert_string_equal(find_cell(run, CLOPT_WAITS, 0), "10");
    assert_true(says(&document, "80.0% in all, at least"));
    assert_true(clopt_document_has(&document, CLOPT_BLOCK_CHART));
    clopt_document_fini(&document);
}

static void test_programs_get_the_parts(void **state)
{
    (void)state;
    plant_run();
    struct clopt_document document = report(true);
    json_t *timeline = NULL, *idle = NULL;
    for (size_t i = 0; i < document.count; i++) {
        const struct clopt_block *block = &document.blocks[i];
        if (block->kind == CLOPT_BLOCK_DATA && strcmp(block->text, "timeline") == 0)
            timeline = block->data;
        if (block->kind == CLOPT_BLOCK_DATA &&
            strcmp(block->text, "devices_idle_by_activity_ns") == 0)
            idle = block->data;
    }
    assert_int_equal(json_integer_value(json_object_get(timeline, "part_ns")), PART);
    json_t *queue = json_array_get(json_object_get(timeline, "rows"), 1);
    json_t *kernels = json_object_get(json_object_get(queue, "ns"), "kernels");
    assert_int_equal(json_array_size(kernels), RUN * UNIT / PART);
    assert_int_equal(json_integer_value(json_array_get(kernels, 55 * 4)), PART);
    assert_int_equal(json_integer_value(json_array_get(kernels, 75 * 4)), 0);
    assert_string_equal(json_string_value(json_object_get(queue, "device")), "d");
    assert_int_equal(json_integer_value(json_object_get(idle, "building programs")), 40 * UNIT);
    clopt_document_fini(&document);
}

/* ---- what to do first ---- */

/* Plants a run of which a process spends `host` units on something, the rest before, and a queue
 * `device` units; says what is wanted. */
static void expect_advice(enum clopt_activity activity, uint64_t host, uint64_t copies,
                          uint64_t kernels, const char *wanted, const char *then)
{
    begin_record(NULL);
    struct clopt_record_line *line = plant_line(7, 0, ""), *queue = plant_line(7, 1, "d");
    plant(line, activity, RUN - host, RUN);
    plant(queue, CLOPT_COPIES, 0, copies);
    plant(queue, CLOPT_LAUNCHES, copies, copies + kernels);
    plant_kernel("work", kernels);
    struct clopt_document document = report(false);
    if (!says(&document, wanted) || !says(&document, then))
        fail_msg("not said: %s ... %s", wanted, then);
    clopt_document_fini(&document);
    end_record(NULL);
}

static void test_what_to_do_first_is_said(void **state)
{
    static const char one[] = "Tune " CLOPT_STRONG "work" CLOPT_WEAK " first",
                      then[] = "Of the kernels, tune " CLOPT_STRONG "work" CLOPT_WEAK " first";
    (void)state;
    end_record(NULL); /* each case has its own */
    expect_advice(CLOPT_BUILDS, 40, 0, 20,
                  "First: building programs takes 40% of the run, all kernels 20%: keep what it "
                  "builds: CLOPT_KEEP_BINARIES in clopt-apply(1), or CL_PROGRAM_BINARIES.",
                  then);
    expect_advice(CLOPT_COPIES, 30, 0, 20,
                  "First: copying takes 30% of the run, all kernels 20%: let data stay on the "
                  "device, or pin it",
                  then);
    expect_advice(CLOPT_WAITS, 65, 45, 20, "First: copying takes 45% of the run, all kernels 20%",
                  then); /* in a queue */
    expect_advice(CLOPT_MAPS, 30, 0, 20, "First: mapping takes 30%", then);
    expect_advice(CLOPT_WAITS, 80, 0, 20,
                  "First: waiting for devices that have nothing to do takes 80% of the run", then);
    expect_advice(CLOPT_OUTSIDE, 80, 0, 20,
                  "First: what the host does while no device works takes 80% of the run", then);
    expect_advice(CLOPT_LAUNCHES, 80, 0, 20, "First: launching kernels takes 80% of the run", then);
    expect_advice(CLOPT_WAITS, 30, 0, 60, one, one);
    expect_advice(CLOPT_BUILDS, 9, 0, 5, "Kernels take 5.0% of the run: faster ones change little",
                  one);
    begin_record(NULL);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, begin_record, end_record)
    const struct CMUnitTest tests[] = {
        TEST(test_parts_grow_with_the_run),        TEST(test_what_was_waited_for_is_changed),
        TEST(test_clocks_of_devices_are_compared), TEST(test_times_that_cannot_be),
        TEST(test_all_of_the_run_has_a_name),      TEST(test_overlap_is_divided),
        TEST(test_rows_are_shown_by_queue),        TEST(test_programs_get_the_parts),
        TEST(test_what_to_do_first_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
