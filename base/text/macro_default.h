/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the values that a source gives macros which options may set. */
#pragma once

#include "text/token.h"

/* Finds the next "#ifndef NAME" and "#define NAME VALUE", where the value is one word, and moves
 * *at into it; false where there is none. */
bool clopt_macro_default_next(const char **at, struct clopt_token *name, struct clopt_token *value);
