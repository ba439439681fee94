/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes a program: sources, binaries, and what was compiled and linked. */
#pragma once

#include "layer/layer.h"

/* Makes what is known of a program; NULL where memory runs out. */
struct clopt_program *clopt_program_create(enum clopt_program_kind kind);

/* Adds content, or options, to the name of a program: by a checksum of them, since it is asked of
 * every program of an application, and a name is no proof. */
void clopt_program_add(char name[65], const void *content, size_t bytes);

/* Names a program by its content and its options. */
void clopt_program_name(struct clopt_program *program);

/* Takes in a program that the driver has made, and returns it; `program` may be NULL. */
cl_program clopt_program_take(cl_program made, struct clopt_program *program);

/* Returns what is remembered of a binary: a program of the source from which it was built under the
 * layer, to be built by the same options (built_by); NULL: nothing (binary.c). */
struct clopt_program *clopt_binary_find(const void *binary, size_t bytes);

/* Replaces the call that hands out binaries. */
void clopt_binaries_install(cl_icd_dispatch *dispatch);

/* Replaces the calls that build, compile and link. */
void clopt_builds_install(cl_icd_dispatch *dispatch);
