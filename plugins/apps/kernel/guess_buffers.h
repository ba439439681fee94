/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses which buffers a kernel reads and writes, and how far they reach. */
#ifndef KERNEL_GUESS_BUFFERS_H
#define KERNEL_GUESS_BUFFERS_H

#include "guess.h"

/* Fills in what the guess says of parameters that are buffers; the NDRange is guessed by then. */
void kernel_guess_buffers(struct kernel_guess *guess);

#endif
