/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of buffers, and what is right, in host memory. */
#pragma once

#include "compare.h"
#include "definition.h"

/* What one argument holds. */
struct kernel_datum {
    const void *contents; /* NULL: none */
    size_t contents_bytes;
    bool cached;                   /* contents are clopt's */
    struct kernel_values expected; /* of a result; no data: not known yet */
};

/* Makes or reads the contents of an argument's buffer, and the file that says what a result must
 * be, if the study names one. */
void kernel_datum_fill(const struct kernel_argument *argument, struct kernel_scope *scope,
                       struct kernel_datum *datum);

void kernel_datum_fini(struct kernel_datum *datum);

/* ---- NumPy arrays ---- */

/* Reads a .npy file into the memory of a buffer, whose type and shape it must have. */
void kernel_array_load(const struct kernel_argument *argument, const char *path,
                       struct kernel_scope *scope, void *data);

/* Writes elements of a buffer as a .npy file: in the buffer's shape, or as one dimension where that
 * has another size. */
void kernel_array_write(const struct kernel_argument *argument, struct kernel_values values,
                        struct kernel_scope *scope, FILE *stream);

/* ---- programs of the user ---- */

/* Runs the program of the study, if there is one, once for a problem, or finds in clopt's cache
 * what it has computed, and fills the expected values of all results that are compared with it. */
void kernel_program_expect(const struct kernel_definition *definition, struct kernel_scope *scope,
                           struct kernel_datum *data);

/* Lets the program that [results] names for a result compare it. */
void kernel_program_compare(const struct kernel_definition *definition,
                            const struct kernel_pair *pair, struct kernel_scope *scope,
                            struct clopt_verdict *verdict);
