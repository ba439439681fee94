/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a store with a study of made-up times, for tests of what reads stores.
 *
 * Usage: fill_store PATH HOW, where HOW is `full`, `resumed` (its workers had nothing to do),
 * `interrupted`, `waiting` (nothing measured yet), `bare` (no run), `several` (a run before the
 * full one was killed), `writing`: stays until standard input ends, the run goes on, `hostile`
 * (names that mean something to HTML, gnuplot or a shell), `failures` (one of every kind),
 * `changed` (the full one with another driver, times and outcomes), `searched` (30 variants, with
 * the sources of all), `three` (three kernels on two devices, all with counters), or, as 40x3, 40
 * variants on 3 devices; four devices and more have peaks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fill_rows.h"
#include "results/peaks.h"
#include "shared/access_rates.h"
#include "store/cursor.h"

/* What a thesis has of the same problem, and of another one. */
static void put_published(void)
{
    static const struct {
        const char *source, *figure, *app, *kernel, *problem, *variant, *device;
        double time_s;
        const char *outcome;
    } rows[] = {
        {"thesis", "6.1", "lud", "lud_internal", "size=64", "initial code", "AMD Cayman", 0.004,
         "ok"},
        {"thesis", "6.1", "lud", "lud_internal", "size=64", "initial code", "Xeon E5645", 0.003,
         "ok"},
        {"thesis", "6.1", "lud", "lud_internal", "size=64", "geometry(block_size=32)", "Xeon E5645",
         0.002, "ok"},
        {"thesis", "6.1", "lud", "lud_internal", "size=64", "geometry(block_size=32)", "AMD Cayman",
         NAN, "not run"},
        {"thesis", "6.2", "lud", "lud_internal", "size=64", "initial code", "Xeon E5645", 0.9,
         "ok"},
        {"thesis", "6.1", "lud", "lud_internal", "size=128", "initial code", "GTX480", 0.5, "ok"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        must(clopt_store_put(filled, CLOPT_SQL_PUT_PUBLISHED, &fill_error, "rsssssssds",
                             rows[i].source, rows[i].figure, rows[i].app, rows[i].kernel,
                             rows[i].problem, rows[i].variant, rows[i].device, rows[i].time_s,
                             rows[i].outcome));
}

/* How fast one device accesses memory; its columns are as slow as processors have them. */
static void put_access(int64_t device)
{
    struct clopt_access_rates rates;
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++)
            rates.gbytes_per_s[kind][p] = p < clopt_access_points(kind) ? 10 + kind + p : NAN;
    rates.gbytes_per_s[CLOPT_ACCESS_COLUMN][0] = 2.5;
    json_auto_t *json = clopt_access_to_json(&rates);
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT);
    must(clopt_store_put(filled, CLOPT_SQL_PUT_ACCESS, &fill_error, "is", device, text));
}

/* The peaks of one device; those of the others were not measured. */
static void put_peaks(int64_t device)
{
    struct clopt_peaks peaks = clopt_peaks_from_json(NULL);
    peaks.gbytes_per_s = 12.5;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_SINGLE] = 40;
    peaks.goperations_per_s[CLOPT_ARITHMETIC_INTEGER] = 12.5;
    must(clopt_store_put_peaks(filled, device, &peaks, &fill_error));
}

/* What two workers did; the second one makes room for another process. */
static void put_activities(void)
{
    static const struct {
        int64_t worker;
        const char *stage;
        double began_s, ended_s;
    } activities[] = {{1, "start", 0, 0.5},  {1, "open", 0.5, 2},    {0, "open", 0.5, 3},
                      {0, "build", 3, 20},   {1, "build", 2, 15},    {1, "end", 15, 16},
                      {1, "sample", 16, 25}, {0, "</svg>'", 21, 23}, {0, "verify", 24, 24.001}};
    for (size_t i = 0; i < sizeof activities / sizeof *activities; i++)
        must(clopt_store_put(filled, CLOPT_SQL_PUT_ACTIVITY, &fill_error, "risdd",
                             activities[i].worker, activities[i].stage, activities[i].began_s,
                             activities[i].ended_s));
}

static void put_stage(const char *stage, double seconds)
{
    must(clopt_store_put(filled, CLOPT_SQL_PUT_STAGE, &fill_error, "rsd", stage, seconds));
}

static void put_stages(bool changed)
{
    put_stage("supervisor", 0.05);
    put_stage("waiting", 0.25);
    put_stage("other", 0.5);
    put_stage("others", changed ? 8 : 4);
    put_stage("machine", 50);
    put_stage("wall", 25);
    put_stage("sample", 10);
    put_stage("build", 30);
}

static void put_study(const char *how)
{
    const bool waiting = strcmp(how, "waiting") == 0;
    const bool changed = strcmp(how, "changed") == 0;
    struct clopt_device_info one = {.platform = "Portable Computing Language",
                                    .name = "cpu, \"quoted\"",
                                    .type = "cpu",
                                    .driver_version = "3.1"};
    const struct clopt_device_info other = {
        .platform = "Intel(R) OpenCL", .name = "Xeon", .type = "cpu", .driver_version = "2024"};
    if (changed)
        snprintf(one.driver_version, sizeof one.driver_version, "5.0");
    int64_t devices[2], problem;
    must(clopt_store_put_run(filled, "A study of lud", changed ? "[study]\nx\n" : "[study]\n", 7,
                             waiting ? 0 : 31, waiting ? 0 : 4, &fill_error));
    must(clopt_store_put_device(filled, "PoCL", &one, &devices[0], &fill_error));
    must(clopt_store_put_device(filled, "Intel", &other, &devices[1], &fill_error));
    must(clopt_store_put_problem(filled, "lud", "size=64", "{\"size\": \"64\"}", &problem,
                                 &fill_error));
    must(clopt_store_put(filled, CLOPT_SQL_PUT_WORK, &fill_error, "issdd", problem, "lud_internal",
                         clopt_arithmetic_name(CLOPT_ARITHMETIC_SINGLE), 2.18e6, 1.09e6));
    for (int64_t process = 0; process < SAMPLES;)
        must(clopt_store_next_process(filled, NULL, &process, &fill_error));
    put_rows(pocl, sizeof pocl / sizeof *pocl, devices[0], problem, how);
    put_rows(intel, sizeof intel / sizeof *intel, devices[1], problem, how);
    if (waiting)
        return;
    put_peaks(devices[0]);
    put_access(devices[0]);
    must(clopt_store_put(
        filled, CLOPT_SQL_PUT_PATTERNS, &fill_error, "iss", problem, "lud_internal",
        "[{\"array\": \"m\", \"access\": \"read\", \"work_item\": \"column\","
        " \"work_item_distance\": \"n\", \"work_group\": \"separate\","
        " \"work_group_distance\": \"1\"}, {\"array\": \"m\", \"access\": \"write\","
        " \"work_item\": \"unknown\", \"work_item_distance\": null,"
        " \"work_group\": \"unknown\", \"work_group_distance\": null},"
        " {\"array\": \"a\", \"access\": \"read\", \"work_item\": \"row\", \"work_group\": "
        "\"focused\"},"
        " {\"array\": \"m\", \"access\": \"read\", \"work_item\": \"single\","
        " \"work_group\": \"focused\"},"
        " {\"array\": \"b\", \"access\": \"read\", \"work_item\": \"row\","
        " \"work_group\": \"focused\"},"
        " {\"array\": \"c\", \"access\": \"read\", \"work_item\": \"row\","
        " \"work_group\": \"separate\", \"work_group_distance\": \"16*n\"},"
        " {\"array\": \"d\", \"access\": \"read\", \"work_item\": \"single\","
        " \"work_group\": \"separate\", \"work_group_distance\": \"2\"},"
        " {\"array\": \"d\", \"access\": \"write\", \"work_item\": \"single\","
        " \"work_group\": \"separate\", \"work_group_distance\": \"2\"}]"));
    put_published();
    must(clopt_store_put(filled, CLOPT_SQL_PUT_NOISE, &fill_error, "riisdd", devices[0], problem,
                         "lud_internal", 0.06, 0.01));
    must(clopt_store_put(filled, CLOPT_SQL_PUT_NOISE, &fill_error, "riisdd", devices[1], problem,
                         "lud_internal", 0.01, -0.05));
    must(clopt_store_put(filled, CLOPT_SQL_PUT_NOISE, &fill_error, "riisdd", devices[0], problem,
                         "", 0.02, (double)NAN));
    put_stages(changed);
    put_activities();
}

/* Names that try to be more than names. Each would make a file called `broken`, a second element,
 * or a page that is no UTF-8. */
static const char *const hostile_names[] = {
    "<script>alert(1)</script>",
    "a&b &amp; \"quoted\" 'single' <b>",
    "'; system('touch broken'); set label '",
    "x' at 0,0\nsystem 'touch broken'\nset label 2 'y",
    "`touch broken`",
    "$(touch broken) @GPVAL_VERSION {/=40 large} a_b^c \\n \\",
    "invalid \xff\xfe\xc3( UTF-8 \xed\xa0\x80",
    "control \001\033[31m\t\r\n\177 \xe2\x80\xae reversed",
    "]]> --> </svg></style></title> id='gnuplot_canvas' href='#gpPt0'",
    "END_OF_MARKS\nsystem 'touch broken'",
    "| touch broken #%s%n%d",
    "naïve(größe=Ω,\xe2\x89\xa4 4)",
};

static void put_hostile(void)
{
    struct clopt_device_info device = {
        .platform = "<i>platform</i>", .name = "a & b", .type = "cpu", .driver_version = "1\"'>"};
    int64_t id, problem;
    struct row rows[1 + sizeof hostile_names / sizeof *hostile_names] = {
        {.name = "initial code", .first_ns = 1e6}};
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 1; i < count; i++)
        rows[i] = (struct row){.name = hostile_names[i - 1], .first_ns = 2e6 / (double)i};
    for (size_t i = 0; i < count; i++) {
        rows[i].outcome = CLOPT_OUTCOME_OK;
        rows[i].step_ns = 1e3;
        rows[i].verified = true;
    }
    rows[3].outcome = CLOPT_OUTCOME_CRASHED;
    rows[3].reason = "=cmd|\033[31m<img src=x onerror=alert(1)> & 'said' \"so\"";
    rows[4].outcome = CLOPT_OUTCOME_CRASHED;
    rows[4].reason = "-1.5";
    must(clopt_store_put_run(filled, "<title> & 'study' \xff", "", 1, 0, 0, &fill_error));
    must(clopt_store_put_device(filled, "'; system('touch broken') #<u>", &device, &id,
                                &fill_error));
    must(clopt_store_put_problem(filled, "../app", "size=<64> '/../\n", "{}", &problem,
                                 &fill_error));
    for (int64_t process = 0; process < SAMPLES;)
        must(clopt_store_next_process(filled, NULL, &process, &fill_error));
    put_rows(rows, count, id, problem, "full");
}

/* Every way to fail, at the stages where it happens. */
static void put_failures(void)
{
    static const struct {
        enum clopt_outcome outcome;
        const char *stage;
    } ways[] = {
        {CLOPT_OUTCOME_INFEASIBLE, "make"},         {CLOPT_OUTCOME_BUILD_FAILED, "build"},
        {CLOPT_OUTCOME_WRONG_RESULT, "verify"},     {CLOPT_OUTCOME_CRASHED, "build"},
        {CLOPT_OUTCOME_CRASHED, "sample"},          {CLOPT_OUTCOME_TIMEOUT, "build"},
        {CLOPT_OUTCOME_TIMEOUT, "launch"},          {CLOPT_OUTCOME_OUT_OF_RESOURCES, "build"},
        {CLOPT_OUTCOME_OUT_OF_RESOURCES, "launch"}, {CLOPT_OUTCOME_DEVICE_LOST, "sample"},
    };
    struct clopt_device_info device = {
        .platform = "P", .name = "N", .type = "gpu", .driver_version = "1"};
    struct row rows[1 + sizeof ways / sizeof *ways] = {{.name = "initial code"}};
    char names[sizeof ways / sizeof *ways][32];
    int64_t id, problem;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(names[i], sizeof names[i], "loops(unroll=%zu)", 2 + i);
        rows[1 + i] = (struct row){.name = names[i],
                                   .outcome = ways[i].outcome,
                                   .stage = ways[i].stage,
                                   .reason = "by design"};
    }
    must(clopt_store_put_run(filled, "All failed", "", 1, 0, 0, &fill_error));
    must(clopt_store_put_device(filled, "one", &device, &id, &fill_error));
    must(clopt_store_put_problem(filled, "lud", "size=64", "{\"size\": \"64\"}", &problem,
                                 &fill_error));
    put_rows(rows, sizeof rows / sizeof *rows, id, problem, "full");
}

/* A variant of a large study: its name is that of one to three steps. */
static void name_variant(size_t i, char *name, size_t size)
{
    static const char *const second[] = {"", "+vector(across=16)",
                                         "+loops(unroll=8,loops=innermost)"};
    static const char *const third[] = {"", "+branches(flatten=yes,threshold=12)"};
    snprintf(name, size, "geometry(granularity=%zu,dimension=%zu,merge=groups)%s%s", 1 + i, i % 2,
             second[i % 3], third[i % 5 == 0]);
}

/* A study of many variants, whose speed-ups go from 0.2 to 5; one in ten crashes. */
static void put_many(size_t variants, size_t devices, const char *config)
{
    struct clopt_device_info device = {
        .platform = "P", .name = "N", .type = "cpu", .driver_version = "1"};
    int64_t problem;
    struct row *rows = calloc(variants + 1, sizeof *rows);
    char(*names)[160] = calloc(variants + 1, sizeof *names);
    must(clopt_store_put_run(filled, "A large study", config, 1, 0, 0, &fill_error));
    must(clopt_store_put_problem(filled, "lud", "size=64", "{}", &problem, &fill_error));
    for (int64_t process = 0; process < SAMPLES;)
        must(clopt_store_next_process(filled, NULL, &process, &fill_error));
    for (size_t d = 0; rows && names && d < devices; d++) {
        char label[32];
        int64_t id;
        snprintf(label, sizeof label, "device %zu", d + 1);
        must(clopt_store_put_device(filled, label, &device, &id, &fill_error));
        for (size_t i = 0; i <= variants; i++) {
            double share = (double)((i * 37 + d * 11) % (variants + 1)) / (double)variants;
            name_variant(i, names[i], sizeof names[i]);
            rows[i] = (struct row){.name = i ? names[i] : "initial code",
                                   .outcome = CLOPT_OUTCOME_OK,
                                   .first_ns = i ? 1e6 * pow(25, share - 0.5) : 1e6,
                                   .step_ns = 1e3 * (double)(1 + i * d % 7 * 8),
                                   .verified = true};
            if (i % 10 == 9)
                rows[i].outcome = CLOPT_OUTCOME_CRASHED;
        }
        put_rows(rows, variants + 1, id, problem, *config ? "searched" : "full");
        if (devices > 3)
            put_peaks(id);
    }
    if (devices > 3)
        must(clopt_store_put(filled, CLOPT_SQL_PUT_WORK, &fill_error, "issdd", problem,
                             "lud_internal", clopt_arithmetic_name(CLOPT_ARITHMETIC_SINGLE), 2.18e6,
                             1.09e6));
    free(rows);
    free(names);
}

/* Three kernels, of which each variant changes one, on two devices; what is slow executes more. */
static void put_three(void)
{
    static const char *const kernels[] = {"lud_diagonal", "lud_internal", "lud_perimeter"};
    static const char *const names[] = {
        "geometry(granularity=2)", "geometry(granularity=4)",
        "loops(unroll=2)",         "loops(unroll=4)",
        "vector(width=4)",         "geometry(granularity=2)+loops(unroll=4)"};
    const size_t count = sizeof names / sizeof *names;
    int64_t problem, device;
    three = true;
    must(clopt_store_put_run(filled, "Three kernels", "[study]\n", 3, 0, 0, &fill_error));
    must(clopt_store_put_problem(filled, "lud", "size=64", "{\"size\": \"64\"}", &problem,
                                 &fill_error));
    for (int64_t process = 0; process < SAMPLES;)
        must(clopt_store_next_process(filled, NULL, &process, &fill_error));
    for (size_t d = 0; d < 2; d++) {
        struct clopt_device_info info = {
            .platform = "First", .name = "CPU", .type = "cpu", .driver_version = "1"};
        if (d)
            info = (struct clopt_device_info){
                .platform = "Second", .name = "GPU", .type = "gpu", .driver_version = "2"};
        must(clopt_store_put_device(filled, d ? "gpu" : "cpu", &info, &device, &fill_error));
        for (size_t i = 0; i <= 3 * count; i++) {
            const size_t k = i % 3, n = (i - 1) / 3;
            const char *name = i ? names[n] : "initial code";
            const double share = i ? 0.4 + 0.3 * (double)((i * (d ? 5 : 3) + k) % 4) : 1;
            const struct row row = {.first_ns = 1e6 * share, .step_ns = 2e3 * (double)(1 + i % 3)};
            char key[32];
            snprintf(key, sizeof key, "three-%zu-%zu", d, i);
            struct clopt_store_trial trial = {.device = device,
                                              .problem = problem,
                                              .outcome = CLOPT_OUTCOME_OK,
                                              .complete = true,
                                              .verdict.right = true,
                                              .fingerprint = key,
                                              .build.ns = 1000000,
                                              .lines_changed = (int)i};
            snprintf(trial.key, sizeof trial.key, "%s", key);
            must(clopt_store_put_trial(filled, &trial, &fill_error));
            put_samples(trial.id, &row);
            for (size_t of = 0; of < 3; of++) {
                put_counter(trial.id, kernels[of], "instructions", 1000 * share, "",
                            "oclgrind size=64");
                struct clopt_store_variant variant = {.trial = trial.id,
                                                      .device = device,
                                                      .problem = problem,
                                                      .kernel = kernels[of],
                                                      .name = name,
                                                      .trial_json = describe(name, (int)i),
                                                      .ordinal = (int64_t)(100 * of + i)};
                if (!i || of == k)
                    must(clopt_store_put_variants(filled, &variant, 1, &fill_error));
                free((char *)variant.trial_json);
            }
        }
    }
    must(clopt_store_end_run(filled, CLOPT_OK, 0, &fill_error));
}

int main(int argc, char **argv)
{
    const char *how = argc == 3 ? argv[2] : "";
    if (!*how)
        return 2;
    must(clopt_store_open(argv[1], &filled, &fill_error));
    if (strcmp(how, "several") == 0)
        must(clopt_store_put_run(filled, "Killed at once", "", 1, 0, 0, &fill_error));
    size_t variants, devices;
    if (sscanf(how, "%zux%zu", &variants, &devices) == 2)
        put_many(variants, devices, "");
    else if (strcmp(how, "searched") == 0)
        put_many(30, 1, "[study]\n[search]\ntrials = 30\n");
    else if (strcmp(how, "three") == 0)
        put_three();
    else if (strcmp(how, "hostile") == 0)
        put_hostile();
    else if (strcmp(how, "failures") == 0)
        put_failures();
    else if (strcmp(how, "bare") != 0)
        put_study(how);
    if (strcmp(how, "resumed") == 0) {
        static const char *const stages[] = {"build", "sample", "other"};
        for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
            put_stage(stages[i], 0);
    }
    if (strcmp(how, "full") == 0 || strcmp(how, "hostile") == 0 || strcmp(how, "resumed") == 0 ||
        strcmp(how, "several") == 0 || strcmp(how, "changed") == 0)
        must(clopt_store_end_run(filled, CLOPT_OK, 0, &fill_error));
    if (strcmp(how, "interrupted") == 0)
        must(clopt_store_end_run(filled, CLOPT_INTERRUPTED, 0, &fill_error));
    if (strcmp(how, "writing") == 0) {
        puts("ready");
        fflush(stdout);
        while (getchar() != EOF)
            continue;
    }
    clopt_store_close(filled);
    return 0;
}
