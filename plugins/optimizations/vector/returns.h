/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes branches of returns that have something to do before. */
#ifndef VECTOR_RETURNS_H
#define VECTOR_RETURNS_H

#include <clopt/source.h>

/* Makes `if (c) { work; } else { rest }` of `if (c) { work; return; } rest` in the kernel, which
 * vector code masks as any other branch. Changes nothing where what follows returns in other places
 * or waits for other work-items. */
void returns_join(struct clopt_source *source);

#endif
