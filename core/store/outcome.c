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
