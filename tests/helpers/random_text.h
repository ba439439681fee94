/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random texts by the rules of a grammar, such as that of tests/helpers/random_idioms.txt. */
#pragma once

#include <stdint.h>

/* Returns text number `number` that a rule of the grammar makes, for the caller to free; NULL: the
 * grammar lacks a rule. */
char *random_text(const char *grammar, const char *rule, uint64_t number);
