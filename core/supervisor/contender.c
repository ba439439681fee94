/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial in the supervisor's hands. */
#include "supervisor/contender.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LOSSES_EXCUSED 1
#define KILLS_EXCUSED  1

/* What is known of a trial whose worker was killed from outside: that is excused once. */
static const char killed_again[] =
    "; it was tried twice, the second time alone; --retry=out-of-resources tries it once more";

void clopt_contender_fini(struct clopt_contender *contender)
{
    clopt_store_trial_fini(&contender->row);
    clopt_trial_fini(&contender->trial);
    json_decref(contender->variant);
    for (size_t column = 0; contender->known && column < contender->columns; column++)
        clopt_medians_fini(&contender->known[column].medians);
    free(contender->known);
    free(contender->times_ns);
    free(contender->process);
    *contender = (struct clopt_contender){0};
}

void clopt_contender_destroy(struct clopt_contender *contender)
{
    clopt_contender_fini(contender);
    free(contender);
}

bool clopt_contender_has_failed(const struct clopt_contender *contender)
{
    return contender->row.complete && contender->row.outcome != CLOPT_OUTCOME_OK;
}

bool clopt_contender_is_unbuilt(const struct clopt_contender *contender)
{
    return contender->phase == CLOPT_PHASE_CHECK || contender->phase == CLOPT_PHASE_BUILD;
}

/* ---- what workers tell ---- */

/* Replaces a text by one of the answer's, if that has one. */
static void take_text(char **text, const json_t *answer, const char *key)
{
    const char *value = json_string_value(json_object_get(answer, key));
    if (!value)
        return;
    free(*text);
    *text = strdup(value);
}

/* Makes the same program with other data, or compared otherwise, another trial. */
static void salt_fingerprint(struct clopt_contender *contender)
{
    char *fingerprint = contender->row.fingerprint;
    struct clopt_sha256 hash;
    if (!fingerprint || strlen(fingerprint) + 1 != CLOPT_HASH_SIZE)
        return;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, contender->initial_key);
    clopt_sha256_add_string(&hash, fingerprint);
    clopt_sha256_end(&hash, fingerprint);
}

static void take_variant(struct clopt_contender *contender, json_t *variant)
{
    struct clopt_store_trial *row = &contender->row;
    if (contender->variant || !variant)
        return;
    contender->variant = json_incref(variant);
    take_text(&row->fingerprint, variant, "fingerprint");
    salt_fingerprint(contender);
    take_text(&row->source, variant, "source");
    take_text(&row->options, variant, "options");
    row->lines_changed = (int)json_integer_value(json_object_get(variant, "lines_changed"));
}

/* Takes what the first build cost: later processes get what that one built. */
static void take_build(struct clopt_contender *contender, const json_t *answer, int64_t paused_ns)
{
    struct clopt_store_trial *row = &contender->row;
    int64_t build_ns = json_integer_value(json_object_get(answer, "build_ns"));
    int64_t deferred_ns = json_integer_value(json_object_get(answer, "deferred_ns"));
    if (row->build_ns == 0 && build_ns > 0) {
        row->build_kept = json_is_true(json_object_get(answer, "kept"));
        row->build_ns = row->build_kept ? build_ns : build_ns - paused_ns;
        if (row->build_ns < 1)
            row->build_ns = 1;
        take_text(&row->log, answer, "log");
    }
    if (deferred_ns > row->deferred_ns)
        row->deferred_ns = deferred_ns;
}

/* JSON has no infinity and no NaN: they come as text. */
static double number(const json_t *value)
{
    if (json_is_number(value))
        return json_number_value(value);
    const char *text = json_string_value(value);
    return text && strcmp(text, "inf") == 0 ? INFINITY : NAN;
}

static void take_verdict(struct clopt_contender *contender, const json_t *answer)
{
    struct clopt_store_trial *row = &contender->row;
    const json_t *verified = json_object_get(answer, "verified");
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    if (!verified)
        return;
    row->verified = json_is_true(verified);
    if (digest && digest[0] && strcmp(digest, contender->digest) == 0)
        return; /* what the app said of it stays */
    if (digest && row->verified)
        snprintf(contender->digest, sizeof contender->digest, "%s", digest);
    row->verify_error = number(json_object_get(answer, "error"));
    row->verify_bound = number(json_object_get(answer, "bound"));
    take_text(&row->verify_text, answer, "text");
}

enum clopt_status clopt_contender_take(struct clopt_contender *contender, const json_t *answer,
                                       int64_t paused_ns, struct clopt_error *error)
{
    if (!answer)
        return CLOPT_OK;
    take_variant(contender, json_object_get(answer, "variant"));
    take_build(contender, answer, paused_ns);
    take_verdict(contender, answer);
    return clopt_message_get_error(answer, error);
}

/* ---- samples ---- */

enum clopt_status clopt_contender_add(struct clopt_contender *contender, uint32_t process,
                                      const double *times_ns, size_t count,
                                      struct clopt_error *error)
{
    if (!contender->known)
        contender->known = calloc(contender->columns, sizeof *contender->known);
    if (!contender->known)
        return clopt_fail_memory(error);
    if (contender->count + count > contender->capacity) {
        size_t capacity = 2 * (contender->count + count);
        double *times = realloc(contender->times_ns,
                                capacity * contender->columns * sizeof *contender->times_ns);
        if (times)
            contender->times_ns = times;
        uint32_t *processes =
            times ? realloc(contender->process, capacity * sizeof *contender->process) : NULL;
        if (!processes)
            return clopt_fail_memory(error);
        contender->process = processes;
        contender->capacity = capacity;
    }
    memcpy(contender->times_ns + contender->count * contender->columns, times_ns,
           count * contender->columns * sizeof *times_ns);
    for (size_t i = 0; i < count; i++)
        contender->process[contender->count + i] = process;
    contender->count += count;
    contender->unstored = true;
    return CLOPT_OK;
}

/* Copies the samples of a column: all, or those of one process. Where `alone`, each counts as a
 * process of its own, since nothing is to be said of others. */
static double *copy_column(const struct clopt_contender *contender, size_t column, uint32_t process,
                           bool alone, uint32_t *processes, size_t *count)
{
    double *times = calloc(contender->count + 1, sizeof *times);
    *count = 0;
    for (size_t i = 0; times && i < contender->count; i++) {
        if (process != UINT32_MAX && contender->process[i] != process)
            continue;
        times[*count] = contender->times_ns[i * contender->columns + column];
        processes[*count] = alone ? (uint32_t)i : contender->process[i];
        ++*count;
    }
    return times;
}

static struct clopt_interval estimate(const struct clopt_contender *contender, size_t column,
                                      uint32_t process, bool alone)
{
    size_t count = 0;
    uint32_t *processes = calloc(contender->count + 1, sizeof *processes);
    double *times =
        processes ? copy_column(contender, column, process, alone, processes, &count) : NULL;
    struct clopt_interval interval = clopt_interval_estimate(times, processes, count);
    free(times);
    free(processes);
    return interval;
}

struct clopt_interval clopt_contender_interval(const struct clopt_contender *contender,
                                               size_t column, uint32_t process)
{
    return estimate(contender, column, process, false);
}

const struct clopt_medians *clopt_contender_medians(const struct clopt_contender *contender,
                                                    size_t column)
{
    static const struct clopt_medians none;
    struct clopt_column *known = contender->known ? &contender->known[column] : NULL;
    size_t count = 0;
    if (!known || known->count == contender->count)
        return known ? &known->medians : &none;
    uint32_t *processes = calloc(contender->count + 1, sizeof *processes);
    double *times =
        processes ? copy_column(contender, column, UINT32_MAX, false, processes, &count) : NULL;
    clopt_medians_fini(&known->medians);
    bool good = times && clopt_medians_init(&known->medians, times, processes, count);
    known->count = good ? count : 0;
    free(times);
    free(processes);
    return good ? &known->medians : NULL;
}

bool clopt_contender_is_precise(const struct clopt_contender *contender, double precision,
                                uint32_t process)
{
    for (size_t k = 0; k + 1 < contender->columns; k++) {
        if (!(contender->kernels >> k & 1))
            continue;
        struct clopt_interval interval = estimate(contender, k, process, process != UINT32_MAX);
        if (!interval.attained || !(clopt_interval_precision(&interval) <= precision))
            return false;
    }
    return true;
}

/* ---- how it ends ---- */

bool clopt_contender_excuses(struct clopt_contender *contender, const struct clopt_loss *loss)
{
    if (loss->stage == CLOPT_STAGE_OPEN)
        return true;
    if (loss->signal == SIGKILL)
        return contender->kills++ < KILLS_EXCUSED;
    if (loss->stage != CLOPT_STAGE_SETUP || loss->error.status == CLOPT_TIMED_OUT)
        return false;
    return contender->losses++ < LOSSES_EXCUSED;
}

void clopt_contender_put(struct clopt_contender *contender, const struct clopt_run *run)
{
    struct clopt_error error = {0};
    clopt_store_put_trial(run->store, &contender->row, &error);
    clopt_run_note(run, &error);
}

void clopt_contender_end(struct clopt_contender *contender, const struct clopt_run *run)
{
    struct clopt_error error = {0};
    contender->phase = CLOPT_PHASE_OVER;
    contender->row.complete = true;
    clopt_contender_put(contender, run);
    if (contender->has_aliases)
        clopt_store_share_outcome(run->store, contender->row.id, &error);
    clopt_run_note(run, &error);
}

void clopt_contender_fail(struct clopt_contender *contender, const struct clopt_run *run,
                          const struct clopt_loss *loss)
{
    struct clopt_store_trial *row = &contender->row;
    struct clopt_error memory = {0};
    struct clopt_text reason = {0};
    clopt_text_printf(&reason, "%s%s", loss->error.message,
                      loss->signal == SIGKILL ? killed_again : "");
    row->outcome = clopt_outcome_from_status(loss->error.status);
    row->verified = false;
    row->signal = loss->signal;
    free(row->stage);
    free(row->reason);
    row->stage = strdup(clopt_stage_name(loss->stage));
    row->reason = clopt_text_take(&reason);
    if (!row->stage || !row->reason)
        clopt_fail_memory(&memory);
    clopt_run_note(run, &memory);
    clopt_contender_end(contender, run);
}
