/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses which integers of a kernel are sizes, by their use and by their names. */
#ifndef KERNEL_GUESS_SIZES_H
#define KERNEL_GUESS_SIZES_H

#include "guess.h"

/* Fills in what the guess says of parameters that are integers, once all loops are known. */
void kernel_guess_sizes(struct kernel_guess *guess);

#endif
