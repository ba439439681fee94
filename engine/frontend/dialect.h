/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device's compiler knows and libclang does not: extension and feature macros, functions. */
#pragma once

#include "text/build_options.h"
#include "text/text.h"

/* Writes what is to be included before a program (its text): without a device, all that libclang
 * knows is defined. */
void clopt_dialect_print(const char *program, const struct clopt_build_options *options,
                         struct clopt_text *text);

/* Whether an extension's or a feature's macro is defined. */
bool clopt_dialect_defines(const struct clopt_build_options *options, const char *macro);
