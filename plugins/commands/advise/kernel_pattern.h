/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel is as a whole, as far as compositions of steps are known that fit it. */
#pragma once

#include <clopt/ndrange.h>
#include <clopt/source.h>

#include "space/study.h"
#include "trial/variant.h"

enum clopt_kernel_kind {
    CLOPT_KERNEL_OTHER,
    CLOPT_KERNEL_PRODUCT, /* a loop reads one operand by dimension 0, another one by dimension 1 */
    CLOPT_KERNEL_BATCH,   /* such a product for each index of dimension 2 */
    CLOPT_KERNEL_CONVOLUTION, /* each index of dimension 2 has a filter for what it reads again */
    CLOPT_KERNEL_PAIR,        /* reads an element and its transposed one */
    CLOPT_KERNEL_STENCIL,     /* small loops read neighbours in a plane */
    CLOPT_KERNEL_ROWS,        /* loops read a row for each work-item */
    CLOPT_KERNEL_COLUMNS,     /* loops read a column for each work-item */
    CLOPT_KERNEL_SHARED,      /* a loop reads rows that all work-items of dimension 0 want */
    CLOPT_KERNEL_EACH,        /* each work-item reads, in a long loop, what all others read */
    CLOPT_KERNEL_RECORDS,     /* short loops access elements that one work-item has */
    CLOPT_KERNEL_TURN,        /* reads along dimension 0 what it writes along dimension 1 */
    CLOPT_KERNEL_SUMS,        /* few work-items have long loops, which read neither */
    CLOPT_KERNEL_NARROW,      /* neighbours access neighbours of which vectors are one access */
    CLOPT_KERNEL_WAITS,       /* the work-items of a group wait for each other */
    CLOPT_KERNEL_COUNTERS,    /* atomic functions update global memory */
};

/* What makes lengths of rows constants, and sizes of windows. */
#define CLOPT_KNOWN_LENGTHS "specialise=65536"
#define CLOPT_KNOWN_WINDOWS "specialise=64"

struct clopt_kernel_pattern {
    enum clopt_kernel_kind kind;
    unsigned dimensions;
    uint64_t extents[3]; /* of the result; 0: not known */
    uint64_t most[3];    /* work-items that guards leave there; 0: all, or not known */
    int64_t trip_count;  /* of the product's loop, or of a stencil's all; 0: not known */
    unsigned bytes;      /* of an element, or of what a kernel of counters reads; 0: nothing */
    char arrays[2][64];  /* of the operands, shortened */
    unsigned line;       /* of the first one's access */
    uint64_t shared;     /* work-items of long loops that work-groups can share; 0: none */
    unsigned few;        /* the largest work-group for long loops of few work-items; 0: not such */
    unsigned records;    /* work-items of a group whose rows fit into local memory; 0: none */
    bool slides;         /* what few work-items read along a loop is their neighbours', too */
    bool columns;        /* neighbours along dimension 0 read elements far apart */
    bool nested;         /* a row, or a product's operands, are read by a loop in another one, */
    bool taps;           /* which an argument says has so few iterations that they can be text */
    bool guarded;        /* has guards that can go where launches do without, */
    bool stored;         /* or that can be around what such a kernel stores alone, */
    bool restricts;      /* which makes all pointers restrict, */
    bool uneven;         /* as work-groups need that do not divide the result; */
    bool masked;         /* a last branch that can become a choice, */
    bool aliases;        /* pointers that can become restrict, */
    bool accumulates;    /* and sums in memory, or rows read again, that registers can hold */
    bool selects;        /* has branches that can become minima, maxima and choices */
    bool counted;        /* it is known how many counters there are */
    bool tested;         /* what they count can be there already */
    bool reused;         /* several loops read a row */
    bool written;        /* a stencil whose reads are in no loop */
    bool loops;          /* a kernel of narrow elements has loops */
    bool large;          /* a stencil of which only rows become text */
    bool specialised;    /* an argument says how large a stencil is */
    bool bordered;       /* a stencil's loops test borders, or limit an index to them, */
    bool rows;           /* and do for rows, too, by which work-items next to each other agree */
};

void clopt_kernel_pattern_find(const struct clopt_source *source,
                               const struct clopt_ndrange *ndrange,
                               struct clopt_kernel_pattern *pattern);

/* Finds a row or a column that each work-item reads, of a kernel of several dimensions of which
 * nothing else is known. */
void clopt_kernel_lines_find(const struct clopt_source *source,
                             struct clopt_kernel_pattern *pattern);

/* Finds the narrowest elements that neighbours access, of a kernel of which nothing else is known.
 */
void clopt_kernel_narrow_find(const struct clopt_source *source,
                              struct clopt_kernel_pattern *pattern);

/* Whether a launch has few work-items, and one of their loops is long, with those around it, by
 * what is passed for its bounds; in several dimensions only one of rows or columns. Notes what that
 * reads of a kernel of which nothing else is known, and how many work-items there are, if these
 * leave most of a GPU idle, in whatever dimensions. */
bool clopt_kernel_is_few(const struct clopt_source *source, const struct clopt_kernel_work *work,
                         struct clopt_kernel_pattern *pattern);

/* Finds a buffer in global memory that atomic functions update; false where there is none. */
bool clopt_kernel_counters_find(const struct clopt_source *source,
                                struct clopt_kernel_pattern *pattern);

/* Says in one line what a kernel is, for the caller to free; NULL: nothing is known. */
char *clopt_kernel_pattern_say(const struct clopt_kernel_pattern *pattern);

/* Adds to a plan what fits a pattern of the kernel, the most promising first. */
void clopt_kernel_pattern_start(const struct clopt_kernel_pattern *pattern, const char *kernel,
                                struct clopt_search_plan *plan);

/* Finds the pattern of each kernel of a study, in a child process, and adds to what its search
 * tries first what fits. Kernels that cannot be read have none. */
void clopt_kernel_patterns_start(struct clopt_study *study, const struct clopt_registry *registry,
                                 const char *kernel_path);

/* Finds the pattern of a trial's kernel, and which steps can come before. */
enum clopt_status clopt_kernel_pattern_of(const struct clopt_trial *trial,
                                          const struct clopt_app_source *source,
                                          const struct clopt_registry *registry,
                                          const struct clopt_device_info *device,
                                          struct clopt_kernel_pattern *pattern,
                                          struct clopt_error *error);
