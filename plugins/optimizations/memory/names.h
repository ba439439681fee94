/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parameters of a kernel are meant: all, or names joined by +. */
#ifndef MEMORY_NAMES_H
#define MEMORY_NAMES_H

#include <clopt/source.h>

/* Whether a parameter of the kernel is meant. */
bool names_has(const char *names, const struct clopt_variable *parameter);

/* Whether parameters are named: then all of them are to be changed, else those that can be. */
bool names_are_given(const char *names);

/* Refuses a name that no pointer parameter of the kernel has. */
enum clopt_status names_check(const char *names, const struct clopt_source *source,
                              struct clopt_error *error);

#endif
