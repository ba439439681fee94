/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads which trials are tried again: --retry=OUTCOMES. */
#include "commands/study/study_command.h"
#include "store/store.h"
#include "text/suggest.h"

#define LAST CLOPT_OUTCOME_DEVICE_LOST

/* Reads one word of the list. */
static enum clopt_status read_outcome(const char *word, unsigned *outcomes,
                                      struct clopt_error *error)
{
    const char *known[LAST + 1] = {"all"};
    for (enum clopt_outcome i = CLOPT_OUTCOME_OK; i <= LAST; i++)
        known[i] = clopt_outcome_name(i);
    for (unsigned i = 0; i <= LAST; i++)
        if (strcmp(word, known[i]) == 0) {
            *outcomes |= i ? 1u << i : (2u << LAST) - (2u << CLOPT_OUTCOME_OK);
            return CLOPT_OK;
        }
    const char *meant = clopt_suggest(word, known, LAST + 1);
    if (meant)
        return clopt_fail(error, CLOPT_INVALID, "%s: no outcome; did you mean %s?", word, meant);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: not an outcome; there are ok, infeasible, build-failed, wrong-result, "
                      "crashed, timeout, out-of-resources, device-lost, and all for all but ok",
                      *word ? word : "(nothing)");
}

enum clopt_status clopt_retry_read(const char *text, unsigned *outcomes, struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(text);
    *outcomes = 0;
    for (char *rest = copy, *word; (word = strsep(&rest, ","));)
        CLOPT_TRY(read_outcome(clopt_text_trim(word), outcomes, error));
    return CLOPT_OK;
}
