/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes a program: sources, binaries, and what was compiled and linked. */
#pragma once

#include "layer/layer.h"

/* Makes what is known of a program; NULL where memory runs out. */
struct clopt_program *clopt_program_create(enum clopt_program_kind kind);

/* Adds content, or options, to the hash of a program. */
void clopt_program_add(char name[65], const void *content, size_t bytes);

/* Names a program by its content and its options. */
void clopt_program_name(struct clopt_program *program);

/* Takes in a program that the driver has made, and returns it; `program` may be NULL. */
cl_program clopt_program_take(cl_program made, struct clopt_program *program);

/* Replaces the calls that build, compile and link. */
void clopt_builds_install(cl_icd_dispatch *dispatch);
