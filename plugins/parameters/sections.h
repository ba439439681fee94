/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of tunable parameters. */
#pragma once

#include "study/schema.h"

extern const struct clopt_study_section clopt_section_parameter, clopt_section_constraints;
