/* SPDX-License-Identifier: BSD-3-Clause */
/* A fingerprint of what a text means, to prove that normalising changed nothing. */
#ifndef CLOPT_KERNEL_SHAPE_H
#define CLOPT_KERNEL_SHAPE_H

#include <stdint.h>

#include "kernel/parse.h"

/* Hashes the kinds, types and names of all that the user's files declare, in order. */
uint64_t clopt_shape(const struct clopt_parse *parse);

#endif
