/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes branches of returns that have something to do before. */
#ifndef VECTOR_RETURNS_H
#define VECTOR_RETURNS_H

#include <clopt/source.h>

/* Puts the program with `if (c) { work; return; } rest` of the kernel as `if (c) { work; } else {
 * rest }`, which vector code masks as any other branch. Returns false where there is none, or where
 * what stands behind it returns in other places or waits for other work-items. */
bool returns_join(const struct clopt_source *source, struct clopt_output *output);

#endif
