/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares variables where they are used. */
#ifndef VECTOR_LOCALIZE_H
#define VECTOR_LOCALIZE_H

#include <clopt/source.h>

/* Puts the program with each variable of the kernel that is used in several blocks, but carries
 * nothing from one into another, declared in each of them: what it holds in one block then does not
 * make it differ in another. Returns false where there is none. */
bool localize(const struct clopt_source *source, struct clopt_output *output);

#endif
