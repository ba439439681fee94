/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what there is to learn from: recorded spaces and stores. */
#include "commands/advise/advice.h"

#include "commands/advise/recording.h"
#include "exchange/exchange.h"

void clopt_advice_fini(struct clopt_advice *advice)
{
    for (size_t i = 0; i < advice->count; i++)
        clopt_training_record_fini(&advice->records[i]);
    free(advice->records);
}

struct clopt_advice_subject clopt_advice_subject_of(const struct clopt_training_record *record)
{
    return (struct clopt_advice_subject){*record->variants[record->initial].profile,
                                         record->device};
}

static enum clopt_status add_document(void *user, const json_t *document, struct clopt_error *error)
{
    struct clopt_advice *advice = user;
    clopt_array_grow(&advice->records, advice->count, sizeof *advice->records);
    enum clopt_status status =
        clopt_training_record_init(&advice->records[advice->count], document, error);
    advice->count += !status;
    return status;
}

/* A kernel of a store that nothing can be learnt from is no reason not to learn from the others. */
static enum clopt_status try_document(void *user, const json_t *document, struct clopt_error *error)
{
    enum clopt_status status = add_document(user, document, error);
    return status == CLOPT_INVALID ? CLOPT_OK : status;
}

static enum clopt_status learn_store(struct clopt_advice *advice, const char *path,
                                     struct clopt_error *error)
{
    const struct clopt_report_exchange request = {.visit = try_document, .user = advice};
    const struct clopt_exchange_format *format =
        clopt_exchange_find(advice->registry, "space", error);
    CLOPT_HELD(clopt_store) store = NULL;
    size_t before = advice->count;
    if (!format)
        return error->status;
    CLOPT_TRY(clopt_store_open_read(path, &store, error));
    if (clopt_exchange_write(store, format, &request, error))
        return clopt_fail_within(error, "%s", path);
    if (advice->count == before)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: no kernel has both a profile and times of its initial code; "
                          "run its study again",
                          path);
    return CLOPT_OK;
}

enum clopt_status clopt_advice_learn(struct clopt_advice *advice, const char *path,
                                     struct clopt_error *error)
{
    json_auto_t *document = NULL;
    CLOPT_TRY(clopt_recording_read_file(path, &document, error));
    if (!document)
        return learn_store(advice, path, error);
    if (add_document(advice, document, error))
        return clopt_fail_within(error, "%s", path);
    return CLOPT_OK;
}
