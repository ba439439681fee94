/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers and arrays of a kernel, and which of them a pointer may lead to. */
#pragma once

#include "observers/check/check.h"

#define CLOPT_ROOT_UNKNOWN (UINT64_C(1) << 63)

struct clopt_roots {
    const struct clopt_source *source;
    struct clopt_check_program *program;
    int *base_of;      /* by variable; -1: none */
    uint64_t *roots;   /* by variable: the bases that a pointer may lead to */
    unsigned first[5]; /* by address space: numbers of bases */
    unsigned end[5];
};

/* Numbers the bases, space by space, and follows pointers. */
void clopt_roots_find(struct clopt_roots *roots, const struct clopt_source *source,
                      struct clopt_check_program *program);

/* The bases that an lvalue or a pointer may be of. */
uint64_t clopt_roots_of(const struct clopt_roots *roots, const struct clopt_node *node);

/* The address space of memory that a pointer or an array leads to. */
enum clopt_space clopt_pointer_space(const struct clopt_node *node);

/* Whether an expression names memory that is checked: a[i], *p, p->m, s.a[i], a shared variable. */
bool clopt_node_is_lvalue_of_memory(const struct clopt_node *node);
