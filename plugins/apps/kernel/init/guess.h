/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#pragma once

#include <clopt/source.h>

#include "bound.h"

#define KERNEL_MOST_GUESSES 64 /* arguments */

/* The identities and sizes that a kernel may ask for. */
enum kernel_query { KERNEL_GLOBAL_ID = 1, KERNEL_LOCAL_ID = 2, KERNEL_GROUP_ID = 4 };

/* What an integer is, by its name. */
enum kernel_role {
    KERNEL_ANY,    /* a size, for all that is known */
    KERNEL_BLOCK,  /* the local size */
    KERNEL_INDEX,  /* a row, a step and the like */
    KERNEL_OFFSET, /* where something begins */
    KERNEL_SMALL,  /* a radius, a number of repetitions and the like */
    KERNEL_STRIDE, /* the bytes from one element, row or plane to the next */
};

struct kernel_parameter_guess {
    bool read;
    bool written;
    bool partly;  /* written under conditions, or at positions that are not known */
    bool is_size; /* of an integer: something has this length */
    enum kernel_role role;
    bool is_bytes;    /* of an integer: a pointer is moved by so many bytes */
    bool is_used;     /* the kernel's body names it */
    bool limits_loop; /* of an integer: something is counted up to it from 0 */
    bool is_length;   /* of an integer: the NDRange or a buffer grows with it */
    bool is_offsets;  /* rows begin at its elements: from p[row] to p[row + 1] */
    bool counts;      /* an atomic function adds to it, */
    bool is_plain;    /* and something else accesses it */
    unsigned indexes; /* 1 + the number of the parameter whose elements it chooses; 0: none */
    unsigned chooser; /* 1 + the number of one that chooses its elements; 0: none */
    struct kernel_bound beside;  /* what is added there to what it chooses, at most */
    struct kernel_bound stride;  /* that it is multiplied with, as the number of a row */
    struct kernel_bound length;  /* of a buffer, in elements */
    const struct clopt_node *as; /* bytes: as what they are accessed first */
    bool unclear;                /* some access says nothing about the length */
    const char *channels;        /* of an image: what it is read or written as; NULL: not known */
};

/* An integer of a structure that a kernel gets, by value or as constants. */
struct kernel_field {
    const struct clopt_variable *structure;
    const struct clopt_member *member;
};

struct kernel_guess {
    const struct clopt_source *source;
    const struct clopt_function *kernel;
    size_t count; /* of what can be a size: parameters, and then members */
    struct kernel_field fields[KERNEL_MOST_GUESSES];
    unsigned dimensions;
    struct kernel_bound global[3];              /* work-items that have something to do */
    bool guarded[3];                            /* the kernel tests its index against that */
    bool rows_of_groups[3];                     /* a work-group has a row of its own */
    uint64_t local[3];                          /* that the source itself names; 0: it does not */
    uint64_t most_local[3];                     /* that local arrays have room for; 0: any */
    const struct clopt_outline_macro *macro[3]; /* that gives the local size; NULL: none */
    unsigned queries[3];   /* which identities it asks for: bits of kernel_query */
    bool in_local;         /* bounds are of local memory: local sizes keep their names */
    const int64_t *memory; /* what is taken for all that is read from memory; NULL: not known */
    unsigned indexed;      /* the parameter that is reached into by some index */
    struct kernel_bound beside; /* what that touches where all that it reads is 0, */
    struct kernel_bound stride; /* and how much more where it is 1 */
    bool uses_groups;           /* local or group identities, local memory, barriers,
                                   or a required size of work-groups */
    struct kernel_parameter_guess parameters[KERNEL_MOST_GUESSES];
};

/* CLOPT_INVALID for a kernel with too many parameters. */
enum clopt_status kernel_guess_init(struct kernel_guess *guess, const struct clopt_source *source,
                                    const struct clopt_outline *outline, struct clopt_error *error);

/* The parts of that: the NDRange; which buffers are read and written, and how far they reach. */
void kernel_guess_ndrange(struct kernel_guess *guess, const struct clopt_outline *outline);
void kernel_guess_buffers(struct kernel_guess *guess);

/* What arrays in local memory say of local sizes. */
void kernel_guess_local(struct kernel_guess *guess);

/* The bytes of a stride, by the names of parameters; not known where it is none. */
struct kernel_bound kernel_stride(const struct kernel_guess *guess, size_t parameter);

/* Whether a parameter is an image that the kernel writes. */
bool kernel_is_written_image(const struct clopt_variable *parameter);

/* Whether an integer chooses rows of a buffer, not elements: it is guessed to have some. */
#define KERNEL_ROWS 64
bool kernel_guess_rows(const struct kernel_parameter_guess *chooser);

/* Whether it chooses rows that are written: then each of its elements chooses another one. */
bool kernel_guess_scatters(const struct kernel_guess *guess,
                           const struct kernel_parameter_guess *chooser);

/* How many elements a row is guessed to have that begins at an offset. */
#define KERNEL_ROW_ELEMENTS 32

/* How many work-items have something to do. */
struct kernel_bound kernel_guess_items(const struct kernel_guess *guess);

/* ---- how far index expressions reach (index.c) ---- */

/* Strips what does not change a value: parentheses and casts. */
const struct clopt_node *kernel_plain(const struct clopt_node *node);

/* Whether a node is an operation with two operands, such as "+". */
static inline bool kernel_is_binary(const struct clopt_node *node, const char *op)
{
    return node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, op);
}

/* What a for loop counts with: its step changes that; NULL: nothing. */
const struct clopt_variable *kernel_counts(const struct clopt_node *loop);

/* Follows variables that have one value to what that is. */
const struct clopt_node *kernel_resolve(const struct clopt_node *node);

/* Returns the variable that is, or points to, the structure of a member: s.n, p->n, p[0].n. */
const struct clopt_variable *kernel_structure(const struct clopt_node *member);

/* Returns the number of an integer that the kernel gets, or of a structure's, that a node names;
 * -1: it is none. */
int kernel_size_parameter(const struct kernel_guess *guess, const struct clopt_node *node);

/* Returns the dimension whose global identity a node is, also by way of a variable; -1: none. */
int kernel_identity_of(const struct clopt_node *node);

/* Returns the dimension whose group identity a node is, also by way of a variable; 3: none. */
unsigned kernel_group_of(const struct clopt_node *node);

/* Returns the largest value that an integer expression can have, or one that is not known. */
struct kernel_bound kernel_upper(const struct kernel_guess *guess, const struct clopt_node *node);

/* Calls `visit` for a node and all below it. */
typedef void (*kernel_note)(struct kernel_guess *guess, const struct clopt_node *node);
void kernel_walk_nodes(struct kernel_guess *guess, const struct clopt_node *node,
                       kernel_note visit);

/* Does so for all functions. */
void kernel_walk_all(struct kernel_guess *guess, kernel_note visit);

/* Does the same for what a value comes from as well: the only values of variables, and the bounds
 * of loops. */
void kernel_walk_origins(struct kernel_guess *guess, const struct clopt_node *node,
                         kernel_note visit);
