/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial of a run. */
#include "race/candidate.h"

#include <math.h>

#include "store/cursor.h"

#define LOSSES_EXCUSED     1
#define KILLS_EXCUSED      1
#define SUSPICIONS_EXCUSED 3 /* others may fail before it in the next process, too */

/* What is known of a trial whose worker was killed from outside: that is excused once. */
static const char killed_again[] =
    "; it was tried twice, the second time alone; --retry=out-of-resources tries it once more";

void clopt_candidate_fini(struct clopt_candidate *candidate)
{
    free(candidate->unexplained);
    clopt_store_trial_fini(&candidate->row);
    clopt_trial_fini(&candidate->trial);
    json_decref(candidate->variant);
    clopt_samples_fini(&candidate->samples);
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
    *text = clopt_strdup(value);
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
    take_text(&row->build.options, variant, "options");
    row->lines_changed = (int)json_integer_value(json_object_get(variant, "lines_changed"));
}

/* Takes what the first build cost: later processes get what that one built. */
static void take_build(struct clopt_candidate *candidate, const json_t *answer, int64_t paused_ns)
{
    struct clopt_store_build *build = &candidate->row.build;
    int64_t build_ns = json_integer_value(json_object_get(answer, "build_ns"));
    int64_t deferred_ns = json_integer_value(json_object_get(answer, "deferred_ns"));
    if (build->ns == 0 && build_ns > 0) {
        build->kept = json_is_true(json_object_get(answer, "cached"));
        build->ns = build->kept ? build_ns : build_ns - paused_ns;
        if (build->ns < 1)
            build->ns = 1;
        take_text(&build->log, answer, "log");
    }
    if (deferred_ns > build->deferred_ns)
        build->deferred_ns = deferred_ns;
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
    struct clopt_store_verdict *verdict = &candidate->row.verdict;
    const json_t *verified = json_object_get(answer, "verified");
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    if (!verified)
        return;
    verdict->right = json_is_true(verified);
    if (digest && digest[0] && strcmp(digest, candidate->checks.digest) == 0)
        return; /* what the app said of it stays */
    if (digest && verdict->right)
        snprintf(candidate->checks.digest, sizeof candidate->checks.digest, "%s", digest);
    verdict->error = number(json_object_get(answer, "error"));
    verdict->bound = number(json_object_get(answer, "bound"));
    take_text(&verdict->text, answer, "text");
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

/* ---- how it ends ---- */

bool clopt_candidate_excuses(struct clopt_candidate *candidate, const struct clopt_loss *loss)
{
    if (loss->stage == CLOPT_STAGE_OPEN)
        return true;
    if (loss->signal == SIGKILL)
        return candidate->losses.kills++ < KILLS_EXCUSED;
    if (loss->was_suspect && loss->error.status == CLOPT_CRASHED)
        return candidate->losses.suspicions++ < SUSPICIONS_EXCUSED;
    if (loss->stage != CLOPT_STAGE_SETUP || loss->error.status == CLOPT_TIMED_OUT)
        return false;
    return candidate->losses.early++ < LOSSES_EXCUSED;
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
        run->ended(run->user, run, candidate);
    if (candidate->has_aliases)
        clopt_store_put(run->store, CLOPT_SQL_SHARE_OUTCOME, run->failure, "i", candidate->row.id);
}

/* Ends it with an outcome that is not ok; `more` is added to the reason. */
static void fail(struct clopt_candidate *candidate, const struct clopt_run *run,
                 enum clopt_outcome outcome, const char *stage, const char *reason,
                 const char *more)
{
    struct clopt_store_trial *row = &candidate->row;
    take_text(&row->source, candidate->variant, "source");
    row->outcome = outcome;
    row->verdict.right = false;
    free(row->stage);
    free(row->reason);
    row->stage = clopt_strdup(stage);
    row->reason = clopt_text_format("%s%s", reason, more);
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

void clopt_candidate_explain(struct clopt_candidate *candidate, const struct clopt_run *run,
                             const char *found)
{
    struct clopt_loss *loss = candidate->unexplained;
    struct clopt_error *error = &loss->error;
    CLOPT_FREED char *message = clopt_strdup(error->message);
    clopt_fail(error, error->status, "%s; %s", message, found);
    candidate->unexplained = NULL;
    clopt_candidate_fail(candidate, run, loss);
    free(loss);
}

void clopt_candidate_share_failure(struct clopt_candidate *candidate, const struct clopt_run *run,
                                   const struct clopt_candidate *other)
{
    const struct clopt_store_trial *row = &other->row;
    fail(candidate, run, row->outcome, row->stage ? row->stage : "", row->reason ? row->reason : "",
         "");
}
