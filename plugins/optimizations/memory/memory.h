/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of memory, and the buffers that they change: all, or parameters of the kernel whose
 * names are joined by +. */
#pragma once

#include <clopt/loop.h>
#include <clopt/rewrite.h>

/* Takes a step with the value of its parameter. */
typedef enum clopt_status memory_step(struct clopt_transform *transform, const char *value,
                                      struct clopt_error *error);

/* Gives buffers a layout: soa, aos, transposed or blockedN, of all of them or, after a colon, of
 * some; and refuses a value that is none: CLOPT_INFEASIBLE. */
memory_step layout_apply;
enum clopt_status layout_check(const char *value, struct clopt_error *error);

/* Refuses a buffer that an earlier step has given another layout; `step` is what asks. */
enum clopt_status layout_check_own(const struct clopt_transform *transform,
                                   const struct clopt_source *source, unsigned parameter,
                                   const char *step, struct clopt_error *error);

/* Keeps floats that are only read as half, of all buffers or, after a colon, of some; and refuses a
 * value that is none: CLOPT_INFEASIBLE. */
memory_step narrow_apply;
enum clopt_status narrow_check(const char *value, struct clopt_error *error);

/* Makes buffers that are only read __constant. */
memory_step constant_apply;

/* Makes rows of arrays in local memory longer, by so many elements, so that neighbours in a column
 * are in different banks. */
enum clopt_status pad_apply(struct clopt_transform *transform, unsigned elements,
                            struct clopt_error *error);

/* How tiles lie in local memory. */
struct staging {
    const char *names;
    bool turns;   /* columns that neighbours read become rows there */
    unsigned pad; /* elements that rows will get; then those that follow each other are rows, too */
};

/* Brings what a work-group reads several times into local memory once. */
enum clopt_status stage_apply(struct clopt_transform *transform, const struct staging *staging,
                              struct clopt_error *error);

/* Brings rows that work-items have for themselves into local memory, and back. */
memory_step records_apply;

/* Where a work-group counts: how buffers that it only updates are kept in local memory. */
struct privatisation {
    const char *names;
    unsigned copies; /* of each element, for neighbours, so that these collide less */
    int64_t window;  /* elements, where it is not known that there are so few; 0: refuse */
};

/* Gives each work-group its own elements of buffers that atomic functions alone update, and adds
 * them up at its end. */
enum clopt_status privatise_apply(struct clopt_transform *transform,
                                  const struct privatisation *privatisation,
                                  struct clopt_error *error);

/* Reads whether minima, maxima, and, or or need an update before atomic functions do it. */
enum clopt_status test_apply(struct clopt_transform *transform, struct clopt_error *error);

/* ---- buffers ---- */

/* Whether a parameter of the kernel is meant. */
bool names_has(const char *names, const struct clopt_variable *parameter);

/* Refuses a name that no pointer parameter of the kernel has. */
enum clopt_status names_check(const char *names, const struct clopt_source *source,
                              struct clopt_error *error);

/* Finds what may write what a parameter of the kernel points to; NULL: nothing does. */
const struct clopt_node *buffers_find_write(const struct clopt_accesses *accesses,
                                            const struct clopt_variable *parameter);

/* What a step does to buffers in global memory. */
struct buffers {
    const char *step; /* its name */
    const char *names;
    bool constant; /* to those in constant memory as well */
    void *user;
    /* Whether one is worth a reason why it is not changed, where none is named; NULL: all are. */
    bool (*is_candidate)(void *user, const struct clopt_source *source,
                         const struct clopt_variable *parameter);
    const char *none; /* the reason where there is none */
    /* Changes one, by the number of its parameter; CLOPT_INFEASIBLE where that cannot be. */
    enum clopt_status (*change)(void *user, struct clopt_source *source, unsigned parameter,
                                struct clopt_error *error);
};

/* Changes those that are named, or those of all that can be; CLOPT_INFEASIBLE where there is none.
 */
enum clopt_status buffers_change(const struct buffers *buffers, struct clopt_source *source,
                                 struct clopt_error *error);
