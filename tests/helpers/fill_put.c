/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts variants with made-up times into a store. */
#include "fill_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "store/cursor.h"

struct clopt_store *filled;
bool three;
struct clopt_error fill_error;

void must(enum clopt_status status)
{
    if (!status)
        return;
    fprintf(stderr, "fill_store: %s\n", fill_error.message);
    exit(1);
}

/* Adds the values of a step, "unroll=4,loops=innermost", and one that its name leaves out since it
 * changes nothing. */
static json_t *describe_step(const char *optimization, char *values)
{
    static const char *const usual[][3] = {
        {"geometry", "granularity", "1"}, {"loops", "pragma", "no"}, {"vector", "share", "no"}};
    json_t *json = json_object();
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i][0], optimization) == 0)
            json_object_set_new(json, usual[i][1], json_string(usual[i][2]));
    for (char *rest, *value = strtok_r(values, ",", &rest); value;
         value = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(value, '=');
        if (equals) {
            *equals = '\0';
            json_object_set_new(json, value, json_string(equals + 1));
        }
    }
    return json_pack("{s:s, s:o}", "optimization", optimization, "values", json);
}

/* Describes a variant as a study does: "loops(unroll=4)+vector(width=2)" by its steps, another name
 * by a macro that is its number. For the caller to free. */
char *describe(const char *name, int number)
{
    json_t *steps = json_array();
    char *copy = strdup(name);
    bool named = strcmp(name, "initial code") == 0 || name[strlen(name) - 1] == ')';
    for (char *step = copy, *values; named && (values = strchr(step, '('));) {
        char *end = strchr(values, ')');
        *values = *end = '\0';
        json_array_append_new(steps, describe_step(step, values + 1));
        step = end + 1 + (end[1] == '+');
    }
    json_t *json = json_pack("{s:o}", "steps", steps);
    char value[16];
    snprintf(value, sizeof value, "%d", number);
    if (!named)
        json_object_set_new(json, "parameters",
                            json_pack("[{s:s, s:s, s:s, s:s}]", "name", "NUMBER", "type", "integer",
                                      "value", value, "initial", "0"));
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    free(copy);
    return text;
}

/* Makes of a row of the full store that of the changed one. */
static void change(struct row *row)
{
    static const struct {
        const char *name;
        double factor; /* 0: crashes instead */
    } changes[] = {{"geometry(block_size=8)", 1.3},
                   {"loops(unroll=4)", 0.7},
                   {"geometry(block_size=32)", 1.02},
                   {"geometry(local_size=16)", 0},
                   {"vector(width=16)", 2},
                   {"geometry(block_size=16,granularity=4,dimension=0)+vector(width=4)+"
                    "loops(unroll=4)",
                    1.05}}; /* within the noise */
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (strcmp(row->name, changes[i].name) == 0 && row->first_ns > 0) {
            row->first_ns *= changes[i].factor;
            row->step_ns *= changes[i].factor;
            row->outcome = changes[i].factor > 0 ? row->outcome : CLOPT_OUTCOME_CRASHED;
            row->verified &= changes[i].factor > 0;
            row->fingerprint = changes[i].factor > 1 ? "other" : row->fingerprint;
        }
    if (row->outcome == CLOPT_OUTCOME_CRASHED)
        row->reason = "killed by signal 11 (SIGSEGV)";
    if (strcmp(row->name, "vector(width=8)") == 0)
        *row = (struct row){.name = row->name,
                            .outcome = CLOPT_OUTCOME_OK,
                            .first_ns = 900e3,
                            .step_ns = 10e3,
                            .verified = true,
                            .fingerprint = "f9"};
    if (strcmp(row->name, "vector(width=2)") == 0)
        row->name = "vector(width=3)";
}

void put_samples(int64_t trial, const struct row *row)
{
    static const char *const kernels[] = {"lud_internal", "lud_perimeter", "", "lud_diagonal"};
    size_t count = row->abandoned ? 3 : SAMPLES;
    for (size_t i = 0; i < count && row->first_ns > 0; i++) {
        double time_ns = row->first_ns + row->step_ns * (double)i;
        const double times_ns[] = {time_ns, 0.25 * time_ns, 1.5 * time_ns, 0.1 * time_ns};
        const double *const columns[] = {&times_ns[0], &times_ns[1], &times_ns[2], &times_ns[3]};
        int64_t process = row->abandoned ? 1 : 1 + (int64_t)i;
        struct clopt_store_samples samples = {trial, process, kernels, three ? 4 : 3, columns, 1};
        must(clopt_store_put_samples(filled, &samples, &fill_error));
    }
}

void put_counter(int64_t trial, const char *kernel, const char *name, double value,
                 const char *unit, const char *source)
{
    must(clopt_store_put(filled, CLOPT_SQL_PUT_COUNTER, &fill_error, "issdss", trial, kernel, name,
                         value, unit, source));
}

/* Those of two variants. */
static void put_counters(int64_t trial, size_t row)
{
    const struct {
        const char *kernel, *name;
        double value;
        const char *unit, *source;
    } counters[] = {
        {"lud_internal", "global_loads", row ? 512 : 2048, "", "oclgrind size=64"},
        {"lud_internal", "instructions", row ? 900 : 3000, "", "oclgrind size=64"},
        {"lud_internal", "private_memory", 128, "bytes", "driver"},
        {"lud_perimeter", "global_loads", 77, "", "oclgrind size=64"},
        {"lud_internal", "bell\007", 1, "", "driver"},
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters && row < 2; i++)
        put_counter(trial, counters[i].kernel, counters[i].name, counters[i].value,
                    counters[i].unit, counters[i].source);
}

void put_rows(const struct row *all, size_t count, int64_t device, int64_t problem, const char *how)
{
    const bool waiting = strcmp(how, "waiting") == 0;
    for (size_t i = 0; i < count; i++) {
        struct row row = all[i];
        if (strcmp(how, "changed") == 0)
            change(&row);
        struct clopt_store_trial trial = {
            .device = device,
            .problem = problem,
            .outcome = row.outcome,
            .abandoned = row.abandoned,
            .complete = row.outcome != CLOPT_OUTCOME_PENDING,
            .verdict = {.right = row.verified, .error = 1e-7, .bound = 1e-6},
            .fingerprint = (char *)row.fingerprint,
            .stage = (char *)row.stage,
            .reason = (char *)row.reason,
            .signal = row.outcome == CLOPT_OUTCOME_CRASHED ? 11 : 0,
            .build = {.ns = 25000000, .kept = device == 2},
            .lines_changed = row.lines_changed,
        };
        char source[200];
        snprintf(
            source, sizeof source,
            "__kernel void k(__global float *a)\n{\n    a[get_global_id(0)] += %zu; /* <b> */\n"
            "}\n",
            i);
        if (strcmp(how, "searched") == 0)
            trial.source = source;
        snprintf(trial.key, sizeof trial.key, "key-%lld-%zu", (long long)device, i);
        if (!row.no_trial && !waiting) {
            must(clopt_store_put_trial(filled, &trial, &fill_error));
            put_samples(trial.id, &row);
            put_counters(trial.id, i);
        }
        struct clopt_store_variant variant = {
            .trial = trial.id,
            .device = device,
            .problem = problem,
            .kernel = "lud_internal",
            .name = row.name,
            .trial_json = describe(row.name, (int)i),
            .reason = row.no_trial && !waiting ? row.reason : NULL,
            .ordinal = (int64_t)i,
        };
        must(clopt_store_put_variants(filled, &variant, 1, &fill_error));
        variant.kernel = "lud_perimeter";
        variant.ordinal += 100;
        if (row.whole_program)
            must(clopt_store_put_variants(filled, &variant, 1, &fill_error));
        free((char *)variant.trial_json);
    }
}
