/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of outcomes. */
#include "store/store.h"

#include "text/suggest.h"

static const char *const names[] = {
    [CLOPT_OUTCOME_PENDING] = "pending",
    [CLOPT_OUTCOME_OK] = "ok",
    [CLOPT_OUTCOME_INFEASIBLE] = "infeasible",
    [CLOPT_OUTCOME_BUILD_FAILED] = "build-failed",
    [CLOPT_OUTCOME_WRONG_RESULT] = "wrong-result",
    [CLOPT_OUTCOME_CRASHED] = "crashed",
    [CLOPT_OUTCOME_TIMEOUT] = "timeout",
    [CLOPT_OUTCOME_OUT_OF_RESOURCES] = "out-of-resources",
    [CLOPT_OUTCOME_DEVICE_LOST] = "device-lost",
};

const char *clopt_outcome_name(enum clopt_outcome outcome)
{
    return names[outcome];
}

enum clopt_outcome clopt_outcome_from_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name && strcmp(names[i], name) == 0)
            return (enum clopt_outcome)i;
    return CLOPT_OUTCOME_PENDING;
}

/* Reads one word of a list. */
static enum clopt_status parse_outcome(const char *word, size_t length, unsigned *outcomes,
                                       struct clopt_error *error)
{
    static const unsigned failures = (2u << CLOPT_OUTCOME_DEVICE_LOST) - (2u << CLOPT_OUTCOME_OK);
    const char *known[sizeof names / sizeof *names] = {"all"};
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)(length < sizeof given ? length : sizeof given - 1),
             word);
    if (strcmp(given, "all") == 0) {
        *outcomes |= failures;
        return CLOPT_OK;
    }
    for (size_t i = CLOPT_OUTCOME_OK; i < sizeof names / sizeof *names; i++) {
        known[i] = names[i];
        if (strcmp(given, names[i]) == 0) {
            *outcomes |= 1u << i;
            return CLOPT_OK;
        }
    }
    const char *meant = clopt_suggest(given, known, sizeof known / sizeof *known);
    if (meant)
        return clopt_fail(error, CLOPT_INVALID, "%s: no outcome; did you mean %s?", given, meant);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: not an outcome; there are ok, infeasible, build-failed, wrong-result, "
                      "crashed, timeout, out-of-resources, device-lost, and all for all but ok",
                      *given ? given : "(nothing)");
}

enum clopt_status clopt_outcomes_parse(const char *text, unsigned *outcomes,
                                       struct clopt_error *error)
{
    *outcomes = 0;
    for (;;) {
        text += strspn(text, " ");
        size_t length = strcspn(text, ","), word = length;
        while (word > 0 && text[word - 1] == ' ')
            word--;
        enum clopt_status status = parse_outcome(text, word, outcomes, error);
        if (status || !text[length])
            return status;
        text += length + 1;
    }
}

enum clopt_outcome clopt_outcome_from_status(enum clopt_status status)
{
    switch (status) {
    case CLOPT_OK:
        return CLOPT_OUTCOME_OK;
    case CLOPT_INVALID: /* an app says so of values that cannot go together */
    case CLOPT_INFEASIBLE:
        return CLOPT_OUTCOME_INFEASIBLE;
    case CLOPT_BUILD_FAILED:
        return CLOPT_OUTCOME_BUILD_FAILED;
    case CLOPT_WRONG_RESULT:
        return CLOPT_OUTCOME_WRONG_RESULT;
    case CLOPT_FAILED: /* gave up before there was a result */
    case CLOPT_CRASHED:
        return CLOPT_OUTCOME_CRASHED;
    case CLOPT_TIMED_OUT:
        return CLOPT_OUTCOME_TIMEOUT;
    case CLOPT_OUT_OF_RESOURCES:
        return CLOPT_OUTCOME_OUT_OF_RESOURCES;
    case CLOPT_DEVICE_LOST:
        return CLOPT_OUTCOME_DEVICE_LOST;
    case CLOPT_PLUGIN_UNUSABLE: /* says nothing about the variant */
    case CLOPT_INTERRUPTED:
        break;
    }
    return CLOPT_OUTCOME_PENDING;
}
