/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the types of a kernel's parameters. */
#ifndef KERNEL_PARAMETER_TYPE_H
#define KERNEL_PARAMETER_TYPE_H

#include <stddef.h>

#include <clopt/source.h>

/* Writes the name of a parameter's type, or of what it points to, as OpenCL C has it: what a
 * typedef means. A structure's is that of the source. */
void kernel_parameter_type_name(const struct clopt_variable *variable, char *name, size_t size);

#endif
