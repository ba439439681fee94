/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a source says of its macros. */
#ifndef CLOPT_SOURCE_OUTLINE_H
#define CLOPT_SOURCE_OUTLINE_H

#include <clopt/source.h>

/* Finds the value that a source gives a macro by itself: #ifndef MACRO, #define MACRO VALUE, one
 * word. */
bool clopt_outline_default(const char *text, const char *macro, char *value, size_t size);

#endif
