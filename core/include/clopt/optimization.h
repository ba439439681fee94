/* SPDX-License-Identifier: BSD-3-Clause */
/* What an optimization plugin offers to clopt, and what clopt offers to it.
 *
 * An optimization makes a variant of a kernel. It gets the kernel's source as the
 * optimizations before it in the study left it, and changes the source, the build options or the
 * NDRange, or says why it cannot. It is a pure function of what it is given. */
#pragma once

#include <clopt/device.h>
#include <clopt/ndrange.h>
#include <clopt/plugin.h>
#include <clopt/value.h>

struct clopt_transform;
struct clopt_source; /* the tree of a kernel: clopt/source.h */

/* What is worth searching, together with what other optimizations have: a section of a study. */
struct clopt_search_section {
    unsigned dimensions; /* for NDRanges with so many at least */
    const char *lines;   /* "name = values", each with a newline; the values that change nothing are
                          * among them. "calls exp sin", first: only for programs that call one,
                          * where results need not be exact; "waits: name...": with a barrier */
};

struct clopt_optimization {
    /* What a study may set. Parameters marked as knobs are up to the app. */
    const struct clopt_parameter *parameters;

    /* Says, quickly and without rewriting, that values cannot work: CLOPT_INFEASIBLE with a reason
     * that a report can print. Anything it lets pass may still be refused by apply. NULL: nothing
     * to say. The transform has no source here, and may have no NDRange and no device. */
    enum clopt_status (*check)(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error);

    /* Changes the kernel; CLOPT_INFEASIBLE with a reason where that is not possible. NULL: all
     * parameters are knobs. */
    enum clopt_status (*apply)(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error);

    /* What `clopt init --search` puts into a study: of all optimizations the first section, then of
     * all the second, the third and the fourth, which change what others have made; "" is none. A
     * value that `check` refuses is left out. The last has NULL for lines; NULL: there is none. */
    const struct clopt_search_section *search;
};

struct clopt_lines; /* where the lines of a text come from */
struct clopt_kernel;

/* One kernel on its way to becoming a variant. Plugins change it by the functions below; texts stay
 * valid until then. */
struct clopt_transform {
    const char *kernel;
    const char *file;          /* of the source, for #include and messages */
    char *source;              /* the whole OpenCL C; NULL during a check */
    char *options;             /* the build options (-D, -I, -cl-...) that go with it */
    struct clopt_lines *lines; /* of the source; NULL: they are the file's */
    /* Of the variant so far (the largest launch), or NULL where it is not known; global sizes of 0
     * are unknown. */
    const struct clopt_ndrange *ndrange;
    bool any_local_size;                    /* the app lets the kernel run with any */
    bool whole_groups;                      /* of those, with what divides the global size */
    const struct clopt_device_info *device; /* that it is for; NULL: none in particular */
    struct clopt_known_argument arguments[CLOPT_MOST_KNOWN];

    /* clopt's own. */
    size_t source_bytes;          /* of the initial code */
    size_t most_bytes;            /* that the source may grow to, without what follows */
    struct clopt_ndrange initial; /* dimensions 0: not known */
    struct clopt_ndrange current; /* initial with the change applied */
    struct clopt_ndrange_change change;
    size_t expanded_bytes;                 /* that #include and macros add to the initial code */
    const struct clopt_rewriter *rewriter; /* NULL: the source is the initial code's */
    const struct clopt_kernel *launched;   /* all that are, a table; NULL: not known */
    char *compiled; /* the source without kernels that are not; NULL: there are none */
};

/* What has rewritten a source: proves that the text can be compiled, writes what is compiled of it,
 * and frees its lines. */
struct clopt_rewriter {
    enum clopt_status (*prove)(struct clopt_transform *transform, struct clopt_error *error);
    void (*end)(struct clopt_transform *transform);
};

/* Adds a build option, which it copies. What else apply may change is in clopt/rewrite.h. */
CLOPT_API void clopt_transform_add_option(struct clopt_transform *transform, const char *option);
