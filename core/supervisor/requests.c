/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests to workers, and what their answers tell of a contender. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor/tasks.h"

json_t *clopt_request_make(unsigned id, const struct clopt_trial *trial, json_t *variant)
{
    json_t *request = json_pack("{s:s,s:i,s:o}", "op", "make", "id", (int)id, "trial",
                                clopt_trial_to_json(trial));
    if (request && variant)
        json_object_set(request, "variant", variant);
    return request;
}

json_t *clopt_request_verify(unsigned id, const struct clopt_contender *contender)
{
    json_t *request = clopt_request_simple("verify", id);
    if (request && contender->digest[0])
        json_object_set_new(request, "known", json_string(contender->digest));
    return request;
}

json_t *clopt_request_simple(const char *op, unsigned id)
{
    return json_pack("{s:s,s:i}", "op", op, "id", (int)id);
}

/* Replaces a text by one of the answer's, or by NULL. */
static void take_text(char **text, const json_t *answer, const char *key)
{
    const char *value = json_string_value(json_object_get(answer, key));
    free(*text);
    *text = value ? strdup(value) : NULL;
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

enum clopt_status clopt_take_make(struct clopt_contender *contender, const json_t *answer,
                                  struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    enum clopt_status status = clopt_message_get_error(answer, error);
    if (status || contender->variant)
        return status;
    json_t *variant = json_object_get(answer, "variant");
    contender->variant = json_incref(variant);
    take_text(&row->fingerprint, variant, "fingerprint");
    salt_fingerprint(contender);
    take_text(&row->source, variant, "source");
    take_text(&row->options, variant, "options");
    row->lines_changed = (int)json_integer_value(json_object_get(variant, "lines_changed"));
    return CLOPT_OK;
}

enum clopt_status clopt_take_build(struct clopt_contender *contender, const json_t *answer,
                                   struct clopt_error *error)
{
    enum clopt_status status = clopt_message_get_error(answer, error);
    struct clopt_store_trial *row = &contender->row;
    if (row->build_ns == 0) { /* later processes get what the first one built */
        row->build_ns = json_integer_value(json_object_get(answer, "build_ns"));
        row->build_kept = json_is_true(json_object_get(answer, "kept"));
        take_text(&row->log, answer, "log");
    }
    return status;
}

/* JSON has no infinity and no NaN: they come as text. */
static double number(const json_t *value)
{
    if (json_is_number(value))
        return json_number_value(value);
    const char *text = json_string_value(value);
    return text && strcmp(text, "inf") == 0 ? INFINITY : NAN;
}

enum clopt_status clopt_take_verify(struct clopt_contender *contender, const json_t *answer,
                                    struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    int64_t deferred_ns = json_integer_value(json_object_get(answer, "deferred_ns"));
    if (deferred_ns > row->deferred_ns) /* again the first process did the work */
        row->deferred_ns = deferred_ns;
    const char *digest = json_string_value(json_object_get(answer, "digest"));
    row->verified = json_is_true(json_object_get(answer, "verified"));
    if (digest && strcmp(digest, contender->digest) == 0)
        return clopt_message_get_error(answer, error); /* what the app said of it stays */
    if (digest && row->verified)
        snprintf(contender->digest, sizeof contender->digest, "%s", digest);
    row->verify_error = number(json_object_get(answer, "error"));
    row->verify_bound = number(json_object_get(answer, "bound"));
    take_text(&row->verify_text, answer, "text");
    return clopt_message_get_error(answer, error);
}

enum clopt_stage clopt_task_stage(const struct clopt_task *task, enum clopt_stage stage)
{
    return task->stage == CLOPT_STAGE_OPEN ? stage : task->stage;
}

bool clopt_failure_spoils(enum clopt_status status)
{
    return status != CLOPT_OK && status != CLOPT_INFEASIBLE && status != CLOPT_BUILD_FAILED &&
           status != CLOPT_WRONG_RESULT;
}

void clopt_task_fail_contender(const struct clopt_task_context *context,
                               struct clopt_contender *contender, const struct clopt_error *cause,
                               enum clopt_stage stage, int signal_number)
{
    struct clopt_error error = {0};
    if (clopt_contender_fail(contender, context->store, cause, stage, signal_number, &error))
        *context->error = error;
}
