/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares variables where they are used. */
#ifndef VECTOR_LOCALIZE_H
#define VECTOR_LOCALIZE_H

#include <clopt/source.h>

/* Declares each variable of the kernel that is used in several blocks, but brings nothing from one
 * into another, in each of them: what it holds in one block then does not make it differ in
 * another. */
enum clopt_status localize(struct clopt_source *source, struct clopt_error *error);

#endif
