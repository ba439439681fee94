/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what a kernel does with memory while it runs, on any device: rewrites it so that each
 * access asks first, and tells what was found. */
#pragma once

#include <jansson.h>

#include <clopt/source.h>

/* What is found; check.cl has the same order. */
enum clopt_fault {
    CLOPT_FAULT_OUTSIDE,
    CLOPT_FAULT_UNWRITTEN,
    CLOPT_FAULT_RACE,
    CLOPT_FAULT_RACE_OF_GROUPS,
    CLOPT_FAULT_DIVERGENT,
    CLOPT_FAULT_INPUT_WRITTEN,
    CLOPT_FAULT_DIVISION,
    CLOPT_FAULT_SHIFT,
    CLOPT_FAULTS
};

#define CLOPT_MOST_SITES    4096 /* lvalues in a kernel at which something is checked */
#define CLOPT_MOST_BASES    60
#define CLOPT_FINDING_WORDS 16 /* of a finding in the log */
#define CLOPT_SHADOW_WORDS  5  /* of a granule; */
#define CLOPT_MIXED_WORDS   7  /* where plain accesses beside atomic functions are data races */
#define CLOPT_CHECK_ADDED   4  /* arguments: log, shadow, written, table */
#define CLOPT_BASE_INPUT    1  /* flags of a base in the table, as in check.cl */
#define CLOPT_BASE_TRACKED  2
#define CLOPT_BASE_OF_GROUP 4
#define CLOPT_BASE_NOTED    8
#define CLOPT_CHECK_COUNTS  4  /* words after all findings: work-items that act, and their extent */
#define CLOPT_WORD_ENTERED  14 /* of a loop's first finding: whether it was entered */

/* Who accesses, in the low 16 bits of a finding's word; check.cl has the same. */
#define CLOPT_WHO_MANY 0xffffu
#define CLOPT_WHO_COPY 0x8000u

/* A buffer or an array that a kernel knows. */
struct clopt_check_base {
    const struct clopt_variable *variable; /* the source's */
    char *name;
    int parameter; /* its number; -1: declared in the program */
    enum clopt_space space;
    size_t bytes; /* of an array or a variable */
};

/* A row of an array, or an array that is a member. */
struct clopt_check_row {
    char *expression;
    size_t bytes; /* of an element */
};

/* An expression that is checked. */
struct clopt_check_site {
    unsigned line;    /* of the user's file */
    char *expression; /* as it is in the program, macros expanded */
    bool reads;
    bool writes;
    int base;     /* of which it is; -1: of one of several, or of none */
    size_t bytes; /* that it accesses; 0: not known */
    bool loop;    /* that this is the condition of, */
    size_t begin; /* and where that is in the source */
    size_t end;
};

/* A kernel that checks itself. */
struct clopt_check_program {
    char *source;
    char *kernel;     /* its name there */
    unsigned granule; /* bytes that have one shadow: a power of two */
    size_t most;      /* bytes of the largest access */
    bool mixes;       /* wanted: plain accesses beside atomic functions are data races, too */
    struct clopt_check_site *sites;
    size_t site_count;
    size_t loop_count; /* of those, that are of loops */
    struct clopt_check_base bases[CLOPT_MOST_BASES];
    size_t base_count;
    struct clopt_check_row *rows;
    size_t row_count;
    size_t proven;         /* accesses that need no check */
    bool hides;            /* it has images, whose accesses are not seen */
    size_t skipped;        /* accesses that cannot be checked, */
    unsigned skipped_line; /* of which this is the first one's line */
};

/* Makes one of a source's kernel, which it rewrites; program->granule is the largest that is
 * wanted, and `mixes` is given. CLOPT_INFEASIBLE: it has something that clopt cannot read. */
enum clopt_status clopt_check_make(struct clopt_source *source, struct clopt_check_program *program,
                                   struct clopt_error *error);
void clopt_check_program_fini(struct clopt_check_program *program);
