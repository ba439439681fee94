/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one trial of a study once more. */
#include "supervisor/reproduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "supervisor/loop.h"

#define SAMPLES 10

/* The lines that tell how long stages take. */
struct account {
    FILE *stream;
    bool in_stage;
    int64_t began_ns;
};

static void end_stage(struct account *account)
{
    if (account->in_stage)
        fprintf(account->stream, "%8.3f s\n", (double)(clopt_now_ns() - account->began_ns) * 1e-9);
    account->in_stage = false;
}

static void begin_stage(void *user, enum clopt_stage stage)
{
    struct account *account = user;
    end_stage(account);
    fprintf(account->stream, "  %-6s", clopt_stage_name(stage));
    fflush(account->stream);
    account->in_stage = true;
    account->began_ns = clopt_now_ns();
}

/* Finds the device among those that are there now: exactly the one that the store names. */
static enum clopt_status find_device(struct clopt_loop *loop,
                                     const struct clopt_reproduce_options *options,
                                     struct clopt_loop_device *device, struct clopt_error *error)
{
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    enum clopt_status status = clopt_loop_list_devices(loop, &all, &count, error);
    if (status)
        return status;
    status =
        clopt_fail(error, CLOPT_DEVICE_LOST,
                   "%s / %s: the trial's device is not here; `clopt devices` lists those that are",
                   options->platform, options->device);
    for (size_t i = 0; i < count && status; i++)
        if (strcmp(all[i].platform, options->platform) == 0 &&
            strcmp(all[i].name, options->device) == 0) {
            *device = (struct clopt_loop_device){all[i], clopt_device_ordinal(all, i), NULL};
            status = CLOPT_OK;
        }
    free(all);
    return status;
}

/* Runs the trial through all stages. */
static enum clopt_status run_trial(struct clopt_loop *loop,
                                   const struct clopt_reproduce_options *options,
                                   struct clopt_reproduction *reproduction,
                                   struct clopt_error *error)
{
    const struct clopt_measure *measure = options->measure;
    uint64_t count = measure->min_samples > SAMPLES ? measure->min_samples : SAMPLES;
    struct account account = {.stream = options->stream};
    struct clopt_reply reply;
    loop->settings.begins = begin_stage;
    loop->settings.user = &account;
    enum clopt_status status = clopt_loop_ask(
        loop, 0,
        json_pack("{s:s,s:i,s:O,s:s,s:s,s:I,s:I}", "op", "trial", "id", 0, "trial", options->trial,
                  "from", "make", "until", "sample", "count", (json_int_t)count, "max_ns",
                  (json_int_t)(measure->max_time_s * 1e9)),
        NULL, &reply, error);
    end_stage(&account);
    loop->settings.begins = NULL;
    reproduction->answer = reply.answer;
    reproduction->cause = reply.cause;
    reproduction->stage = reply.stage;
    reproduction->outcome =
        reply.cause.status ? clopt_outcome_from_status(reply.cause.status) : CLOPT_OUTCOME_OK;
    if (status || !reply.cause.status || reply.stage != CLOPT_STAGE_OPEN)
        return status;
    *error = reply.cause; /* there was no trial at all */
    return error->status;
}

/* Builds it once more, for the binary. */
static void save_binary(struct clopt_loop *loop, const struct clopt_reproduce_options *options,
                        struct clopt_reproduction *reproduction)
{
    struct clopt_reply reply;
    struct clopt_error late;
    if (clopt_loop_ask(loop, 0,
                       json_pack("{s:s,s:i,s:O,s:s}", "op", "save", "id", 0, "trial",
                                 options->trial, "path", options->binary),
                       NULL, &reply, &late))
        reply.cause = late;
    reproduction->no_binary = reply.cause;
    json_decref(reply.answer);
}

enum clopt_status clopt_reproduce(const struct clopt_reproduce_options *options,
                                  struct clopt_reproduction *reproduction,
                                  struct clopt_error *error)
{
    *reproduction = (struct clopt_reproduction){0};
    struct clopt_loop loop;
    struct clopt_loop_device device;
    enum clopt_status status =
        clopt_loop_init(&loop, &options->settings, options->limits, 1, error);
    if (status)
        return status;
    status = find_device(&loop, options, &device, error);
    if (!status) {
        reproduction->device = device.info;
        loop.devices = &device;
        status = run_trial(&loop, options, reproduction, error);
    }
    if (!status && json_is_true(json_object_get(reproduction->answer, "built")))
        save_binary(&loop, options, reproduction);
    clopt_loop_fini(&loop);
    if (status)
        clopt_reproduction_fini(reproduction);
    return status;
}

void clopt_reproduction_fini(struct clopt_reproduction *reproduction)
{
    json_decref(reproduction->answer);
    *reproduction = (struct clopt_reproduction){0};
}
