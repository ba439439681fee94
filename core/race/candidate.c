/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial of a run. */
#include "race/candidate.h"

#include <math.h>
#include <signal.h>

#include "store/cursor.h"
#include "text/text.h"

#define LOSSES_EXCUSED     1
#define KILLS_EXCUSED      1
#define SUSPICIONS_EXCUSED 3 /* others may fail before it in the next process, too */

/* What is known of a trial whose worker was killed from outside: that is excused once. */
static const char killed_again[] =
    "; it was tried twice, the second time alone; --retry=out-of-resources tries it once more";

void clopt_candidate_fini(struct clopt_candidate *candidate)
{
    clopt_store_trial_fini(&candidate->row);
    clopt_trial_fini(&candidate->trial);
    json_decref(candidate->variant);
    for (size_t c = 0; candidate->columns && c < candidate->column_count; c++) {
        clopt_medians_fini(&candidate->columns[c].medians);
        free(candidate->columns[c].times_ns);
    }
    free(candidate->columns);
    free(candidate->process);
    *candidate = (struct clopt_candidate){0};
}

void clopt_candidate_destroy(struct clopt_candidate *candidate)
{
    clopt_candidate_fini(candidate);
    free(candidate);
}

/* ---- what workers report ---- */

/* Replaces a text by one of the answer's, if that has one. */
static void take_text(char **text, const json_t *answer, const char *key)
{
    const char *value = json_string_value(json_object_get(answer, key));
    if (!value)
        return;
    free(*text);
    *text = strdup(value);
}

static void take_variant(struct clopt_candidate *candidate, json_t *variant)
{
    struct clopt_store_trial *row = &candidate->row;
    if (candidate->variant || !variant)
        return;
    candidate->variant = json_incref(variant);
    take_text(&row->fingerprint, variant, "fingerprint");
    if (row->fingerprint && strlen(row->fingerprint) + 1 == CLOPT_HASH_SIZE)
        clopt_sha256_salt_end(candidate->initial_key, row->fingerprint); /* other data: another */
    if (candidate->role == CLOPT_ROLE_RIVAL) /* plugins make that of variants again */
        take_text(&row->source, variant, "source");
    take_text(&row->options, variant, "options");
    row->lines_changed = (int)json_integer_value(json_object_get(variant, "lines_changed"));
}

/* Takes what the first build cost: later processes get what that one built. */
static void take_build(struct clopt_candidate *candidate, const json_t *answer, int64_t paused_ns)
{
    struct clopt_store_trial *row = &candidate->row;
    int64_t build_ns = json_integer_value(json_object_get(answer, "build_ns"));
    int64_t deferred_ns = json_integer_value(json_object_get(answer, "deferred_ns"));
    if (row->build_ns == 0 && build_ns > 0) {
        row->build_kept = json_is_true(json_object_get(answer, "cached"));
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

static void take_verdict(struct clopt_candidate *candidate, const json_t *answer)
{
    struct clopt_store_trial *row = &candidate->row;
    const json_t *verified = json_object_get(answer, "verified");
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    if (!verified)
        return;
    row->verified = json_is_true(verified);
    if (digest && digest[0] && strcmp(digest, candidate->digest) == 0)
        return; /* what the app said of it stays */
    if (digest && row->verified)
        snprintf(candidate->digest, sizeof candidate->digest, "%s", digest);
    row->verify_error = number(json_object_get(answer, "error"));
    row->verify_bound = number(json_object_get(answer, "bound"));
    take_text(&row->verify_text, answer, "text");
}

enum clopt_status clopt_candidate_take(struct clopt_candidate *candidate, const json_t *answer,
                                       int64_t paused_ns, struct clopt_error *error)
{
    if (!answer)
        return CLOPT_OK;
    take_variant(candidate, clopt_message_get_variant(answer));
    take_build(candidate, answer, paused_ns);
    take_verdict(candidate, answer);
    return clopt_message_get_error(answer, error);
}

/* ---- samples ---- */

static bool grow(struct clopt_candidate *candidate)
{
    size_t capacity = 2 * candidate->count + 8;
    uint32_t *process = realloc(candidate->process, capacity * sizeof *process);
    if (process)
        candidate->process = process;
    if (!candidate->columns)
        candidate->columns = calloc(candidate->column_count, sizeof *candidate->columns);
    bool good = process && candidate->columns;
    for (size_t c = 0; good && c < candidate->column_count; c++) {
        double *times = realloc(candidate->columns[c].times_ns, capacity * sizeof *times);
        good = times;
        if (times)
            candidate->columns[c].times_ns = times;
    }
    if (good)
        candidate->capacity = capacity;
    return good;
}

size_t clopt_candidate_find(const struct clopt_candidate *candidate, uint32_t process,
                            size_t *first)
{
    size_t count = 0;
    *first = 0;
    while (*first < candidate->count && candidate->process[*first] != process)
        ++*first;
    while (*first + count < candidate->count && candidate->process[*first + count] == process)
        count++;
    return count;
}

enum clopt_status clopt_candidate_add(struct clopt_candidate *candidate, uint32_t process,
                                      const double *times_ns, struct clopt_error *error)
{
    if (candidate->count == candidate->capacity && !grow(candidate))
        return clopt_fail_memory(error);
    size_t first, position = clopt_candidate_find(candidate, process, &first) + first;
    size_t after = candidate->count++ - position; /* of a process that takes some, too */
    for (size_t c = 0; c < candidate->column_count; c++) {
        double *times = candidate->columns[c].times_ns + position;
        memmove(times + 1, times, after * sizeof *times);
        *times = times_ns[c];
    }
    memmove(candidate->process + position + 1, candidate->process + position,
            after * sizeof process);
    candidate->process[position] = process;
    return CLOPT_OK;
}

double clopt_candidate_seconds(const struct clopt_candidate *candidate,
                               enum clopt_objective objective, size_t first, size_t count)
{
    if (objective != CLOPT_OBJECTIVE_TIME)
        return (double)count * CLOPT_ENERGY_SAMPLE_NS * 1e-9;
    double seconds = 0;
    for (size_t i = first; i < first + count; i++)
        seconds += candidate->columns[candidate->column_count - 1].times_ns[i] * 1e-9;
    return seconds;
}

struct clopt_interval clopt_candidate_interval(const struct clopt_candidate *candidate,
                                               size_t column, uint32_t process, bool alone)
{
    size_t first, count = clopt_candidate_find(candidate, process, &first);
    if (!count)
        return clopt_interval_estimate(NULL, NULL, 0);
    return clopt_interval_estimate(candidate->columns[column].times_ns + first,
                                   alone ? NULL : candidate->process + first, count);
}

const struct clopt_medians *clopt_candidate_medians(const struct clopt_candidate *candidate,
                                                    size_t column)
{
    static const struct clopt_medians none;
    struct clopt_column *known = candidate->columns ? &candidate->columns[column] : NULL;
    if (!known)
        return &none;
    if (known->known != candidate->count) {
        clopt_medians_fini(&known->medians);
        bool good = clopt_medians_init(&known->medians, known->times_ns, candidate->process,
                                       candidate->count);
        known->known = good ? candidate->count : 0;
    }
    return known->known == candidate->count ? &known->medians : NULL;
}

/* ---- how it ends ---- */

bool clopt_candidate_excuses(struct clopt_candidate *candidate, const struct clopt_loss *loss)
{
    if (loss->stage == CLOPT_STAGE_OPEN)
        return true;
    if (loss->signal == SIGKILL)
        return candidate->kills++ < KILLS_EXCUSED;
    if (loss->was_suspect && loss->error.status == CLOPT_CRASHED)
        return candidate->suspicions++ < SUSPICIONS_EXCUSED;
    if (loss->stage != CLOPT_STAGE_SETUP || loss->error.status == CLOPT_TIMED_OUT)
        return false;
    return candidate->losses++ < LOSSES_EXCUSED;
}

void clopt_candidate_put(struct clopt_candidate *candidate, const struct clopt_run *run)
{
    clopt_store_put_trial(run->store, &candidate->row, run->failure);
}

void clopt_candidate_keep_source(struct clopt_candidate *candidate, const struct clopt_run *run)
{
    if (candidate->row.source || !candidate->variant)
        return;
    take_text(&candidate->row.source, candidate->variant, "source");
    clopt_candidate_put(candidate, run);
}

void clopt_candidate_end(struct clopt_candidate *candidate, const struct clopt_run *run)
{
    bool known = candidate->row.complete;
    candidate->phase = CLOPT_PHASE_OVER;
    candidate->row.complete = true;
    clopt_candidate_put(candidate, run);
    if (run->ended && !known)
        run->ended(run->user, candidate);
    if (candidate->has_aliases)
        clopt_store_put(run->store, CLOPT_SQL_SHARE_OUTCOME, run->failure, "i", candidate->row.id);
}

/* Ends it with an outcome that is not ok; `more` is added to the reason. */
static void fail(struct clopt_candidate *candidate, const struct clopt_run *run,
                 enum clopt_outcome outcome, const char *stage, const char *reason,
                 const char *more)
{
    struct clopt_store_trial *row = &candidate->row;
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s%s", reason, more);
    take_text(&row->source, candidate->variant, "source");
    row->outcome = outcome;
    row->verified = false;
    free(row->stage);
    free(row->reason);
    row->stage = strdup(stage);
    row->reason = clopt_text_take(&text);
    if (!row->stage || !row->reason)
        clopt_fail_memory(run->failure);
    clopt_candidate_end(candidate, run);
}

void clopt_candidate_fail(struct clopt_candidate *candidate, const struct clopt_run *run,
                          const struct clopt_loss *loss)
{
    candidate->row.signal = loss->signal;
    fail(candidate, run, clopt_outcome_from_status(loss->error.status),
         clopt_stage_name(loss->stage), loss->error.message,
         loss->signal == SIGKILL ? killed_again : "");
}

void clopt_candidate_share_failure(struct clopt_candidate *candidate, const struct clopt_run *run,
                                   const struct clopt_candidate *other)
{
    const struct clopt_store_trial *row = &other->row;
    fail(candidate, run, row->outcome, row->stage ? row->stage : "", row->reason ? row->reason : "",
         "");
}
