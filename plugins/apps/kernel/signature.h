/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the arguments that a study gives with those that its kernels take. */
#pragma once

#include <clopt/source.h>

#include "definition.h"

/* Checks every launch against the source of its kernel. A source that clang cannot read is the
 * OpenCL compiler's affair: it says what is wrong when a variant is built. */
enum clopt_status kernel_signature_check(const struct clopt_description *description,
                                         const struct clopt_app *app, struct clopt_error *error);

/* Writes the name of the type of a kernel's parameter, or of what it points to, as OpenCL C has it:
 * what a typedef means. A structure's is that of the source. */
void kernel_parameter_type_name(const struct clopt_variable *variable, char *name, size_t size);
