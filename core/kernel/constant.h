/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer constants: sizes of arrays, bounds of loops, dimensions of identity functions. */
#ifndef CLOPT_KERNEL_CONSTANT_H
#define CLOPT_KERNEL_CONSTANT_H

#include <clopt/source.h>

/* Fills `known` and `value` of a node whose children are done. Only values that every integer type
 * of 32 bits or more holds are known. */
void clopt_constant_fold(const char *text, struct clopt_node *node);

#endif
