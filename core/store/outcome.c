/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of outcomes. */
#include "store/store.h"

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

enum clopt_outcome clopt_outcome_from_status(enum clopt_status status)
{
    static const enum clopt_outcome outcomes[] = {
        [CLOPT_OK] = CLOPT_OUTCOME_OK,
        [CLOPT_FAILED] = CLOPT_OUTCOME_CRASHED,          /* gave up before there was a result */
        [CLOPT_INVALID] = CLOPT_OUTCOME_INFEASIBLE,      /* values that cannot go together */
        [CLOPT_PLUGIN_UNUSABLE] = CLOPT_OUTCOME_PENDING, /* says nothing about the variant */
        [CLOPT_INFEASIBLE] = CLOPT_OUTCOME_INFEASIBLE,
        [CLOPT_BUILD_FAILED] = CLOPT_OUTCOME_BUILD_FAILED,
        [CLOPT_WRONG_RESULT] = CLOPT_OUTCOME_WRONG_RESULT,
        [CLOPT_CRASHED] = CLOPT_OUTCOME_CRASHED,
        [CLOPT_TIMED_OUT] = CLOPT_OUTCOME_TIMEOUT,
        [CLOPT_OUT_OF_RESOURCES] = CLOPT_OUTCOME_OUT_OF_RESOURCES,
        [CLOPT_DEVICE_LOST] = CLOPT_OUTCOME_DEVICE_LOST,
    };
    return status < CLOPT_INTERRUPTED ? outcomes[status] : CLOPT_OUTCOME_PENDING;
}
