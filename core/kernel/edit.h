/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits that only the rooms of rewriting make. */
#ifndef CLOPT_KERNEL_EDIT_H
#define CLOPT_KERNEL_EDIT_H

#include <clopt/rewrite.h>

/* Makes a copy of a function for helpers that must differ: its body is cloned, its name is new. It
 * is printed after the original. */
struct clopt_function *clopt_function_copy(const struct clopt_cloning *cloning,
                                           const struct clopt_function *function);

/* Gives a function one more parameter, after the others. */
void clopt_function_add_parameter(struct clopt_source *source, struct clopt_function *function,
                                  struct clopt_variable *parameter);

/* Divides the size in a dimension that an attribute of the kernel names (reqd_work_group_size,
 * work_group_size_hint). CLOPT_INFEASIBLE where it is no multiple of `multiple`, or no number. */
enum clopt_status clopt_kernel_divide_size(struct clopt_source *source, unsigned dimension,
                                           size_t multiple, size_t divisor,
                                           struct clopt_error *error);

/* Gives a statement that was built the comments in front of another one of a list, whose place it
 * takes in a list that is built. Clones have them already. */
void clopt_take_comments(struct clopt_node *statement, const struct clopt_node *from);

#endif
