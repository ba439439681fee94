/* SPDX-License-Identifier: BSD-3-Clause */
/* What expressions are to each other, what they cost, and what may go wrong in them. */
#ifndef BRANCHES_EXPRESSION_H
#define BRANCHES_EXPRESSION_H

#include <clopt/source.h>

/* The operations of a node and all below it: 1 for operators and cheap built-in functions, 4 for
 * divisions and for access to local, global and constant memory, 10 for other built-in functions.
 * Ends with more than `most` once it is clear that there are more. */
unsigned operations(const struct clopt_node *node, unsigned most);

/* Puts the type of what a variable leads to after `subscripts` subscripts, without qualifiers of
 * its own, into `type`; false where that takes more than reading the variable's type. */
bool place_type(const struct clopt_variable *variable, size_t subscripts, char *type, size_t size);

#endif
