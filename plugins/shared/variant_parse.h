/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names of variants, as people write them. */
#pragma once

#include "trial/trial.h"

/* Reads parameters and steps from a name such as clopt_trial_name() writes. */
enum clopt_status clopt_trial_parse_name(struct clopt_trial *trial, const char *name,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error);
