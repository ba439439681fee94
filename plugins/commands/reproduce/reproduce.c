/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one trial of a study once more. */
#include "commands/reproduce/reproduce.h"

#define SAMPLES 10

/* The lines that say how long stages take. */
struct account {
    FILE *stream;
    bool in_stage;
    int64_t began_ns;
};

static void end_stage(struct account *account, int64_t time_ns)
{
    if (account->in_stage)
        fprintf(account->stream, "%8.3f s\n", (double)(time_ns - account->began_ns) * 1e-9);
    account->in_stage = false;
}

static void begin_stage(void *user, unsigned worker, const char *doing, int64_t time_ns)
{
    (void)worker;
    struct account *account = user;
    if (clopt_stage_find(doing) == CLOPT_STAGES)
        return;
    end_stage(account, time_ns);
    fprintf(account->stream, "  %-6s", doing);
    fflush(account->stream);
    account->in_stage = true;
    account->began_ns = time_ns;
}

/* Finds the device among those that are there now: exactly the one that the store names. */
static enum clopt_status use_device(struct clopt_query *query,
                                    const struct clopt_reproduce_options *options,
                                    struct clopt_error *error)
{
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->devices[i].platform, options->platform) == 0 &&
            strcmp(query->devices[i].name, options->device) == 0) {
            clopt_query_use(query, i);
            return CLOPT_OK;
        }
    return clopt_fail(
        error, CLOPT_DEVICE_LOST,
        "%s / %s: the trial's device is not here; `clopt devices` lists those that are",
        options->platform, options->device);
}

/* Runs the trial through all stages. */
static enum clopt_status run_trial(struct clopt_pool *pool,
                                   const struct clopt_reproduce_options *options,
                                   struct clopt_reproduction *reproduction,
                                   struct clopt_error *error)
{
    const struct clopt_measure *measure = options->measure;
    uint64_t count = measure->min_samples > SAMPLES ? measure->min_samples : SAMPLES;
    struct account account = {.stream = options->stream};
    struct clopt_reply *reply = &reproduction->reply;
    pool->settings.begins = begin_stage;
    pool->settings.user = &account;
    json_t *request = clopt_message_request(0, CLOPT_STAGE_MAKE, CLOPT_STAGE_SAMPLE);
    json_object_set(request, "trial", options->trial);
    json_object_set_new(request, "count", json_integer((json_int_t)count));
    json_object_set_new(request, "max_ns", json_integer((json_int_t)(measure->max_time_s * 1e9)));
    json_object_set_new(request, "objective",
                        json_string(clopt_objective_words(measure->objective)->name));
    enum clopt_status status = clopt_pool_ask(pool, 0, request, reply, error);
    end_stage(&account, clopt_now_ns());
    pool->settings.begins = NULL;
    reproduction->outcome =
        reply->cause.status ? clopt_outcome_from_status(reply->cause.status) : CLOPT_OUTCOME_OK;
    if (status || !reply->cause.status || reply->stage != CLOPT_STAGE_OPEN)
        return status;
    *error = reply->cause; /* there was no trial at all */
    return error->status;
}

/* Builds it once more, for the binary. */
static void save_binary(struct clopt_pool *pool, const struct clopt_reproduce_options *options,
                        struct clopt_reproduction *reproduction)
{
    struct clopt_reply reply;
    struct clopt_error late;
    json_t *request = clopt_message_request(0, CLOPT_STAGE_MAKE, CLOPT_STAGE_BUILD);
    json_object_set(request, "trial", options->trial);
    json_object_set_new(request, "save", json_string(options->binary));
    if (clopt_pool_ask(pool, 0, request, &reply, &late))
        reply.cause = late;
    reproduction->no_binary = reply.cause;
    json_decref(reply.answer);
}

enum clopt_status clopt_reproduce(const struct clopt_reproduce_options *options,
                                  struct clopt_reproduction *reproduction,
                                  struct clopt_error *error)
{
    CLOPT_OWNED(clopt_query) query = {0};
    *reproduction = (struct clopt_reproduction){0};
    CLOPT_TRY(clopt_query_open(&query, &options->settings, options->limits, error));
    CLOPT_TRY(use_device(&query, options, error));
    reproduction->device = query.device.info;
    CLOPT_TRY(run_trial(&query.pool, options, reproduction, error));
    if (json_is_true(json_object_get(reproduction->reply.answer, "built")))
        save_binary(&query.pool, options, reproduction);
    return CLOPT_OK;
}

void clopt_reproduction_fini(struct clopt_reproduction *reproduction)
{
    json_decref(reproduction->reply.answer);
    *reproduction = (struct clopt_reproduction){0};
}
