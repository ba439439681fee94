/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the arguments that a study gives with those that its kernels take. */
#ifndef KERNEL_SIGNATURE_H
#define KERNEL_SIGNATURE_H

#include "definition.h"

/* Checks every launch against the source of its kernel. A source that clang cannot read is the
 * OpenCL compiler's affair: it says what is wrong when a variant is built. */
enum clopt_status kernel_signature_check(const struct clopt_description *description,
                                         const struct clopt_app *app, struct clopt_error *error);

#endif
