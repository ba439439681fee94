/* SPDX-License-Identifier: BSD-3-Clause */
/* What the head of a loop says of how often it runs, and by how much it moves variables. */
#pragma once

#include <clopt/loop.h>
#include <clopt/rewrite.h>

enum { MOST_MOVED = 4, MOST_PARTS = 4 };

/* A variable that the head of a loop moves. */
struct moved {
    const struct clopt_variable *variable;
    const struct clopt_node *first; /* what the head sets it to; NULL: it goes on */
    bool declared;                  /* in the head */
    const struct clopt_node *step;  /* the part of the head that moves it */
    struct clopt_node *begin;       /* what it has in the first iteration */
    struct clopt_variable *inner;   /* what takes its place in the body */
};

/* A comparison of the counter: with `bound`, or what is left of it without `less`. */
struct limit {
    const struct clopt_node *bound;
    const struct clopt_node *less; /* NULL: nothing */
    bool inclusive;
};

/* How the counter moves. */
enum progress { PROGRESS_UP, PROGRESS_DOWN, PROGRESS_HALVES, PROGRESS_DOUBLES };

struct head {
    struct clopt_source *source;
    struct clopt_node *loop;
    struct moved moved[MOST_MOVED]; /* the counter comes first */
    unsigned moved_count;
    struct limit limits[MOST_PARTS];
    unsigned limit_count;
    const struct clopt_node *tests[MOST_PARTS]; /* that do not change in the loop */
    unsigned test_count;
    enum progress progress;
    struct clopt_node *stride;
};

/* The variable that the head moves; NULL: it does not move this one. */
struct moved *head_moved(struct head *head, const struct clopt_variable *variable);

/* Whether a variable that the head moves is read after the loop. */
bool head_leaves(const struct head *head, const struct moved *moved);

/* Reads the head of a loop; false where it counts already, or cannot. */
bool head_read(struct head *head);

static inline bool is_number(const struct clopt_node *node, int64_t number)
{
    return node->known && node->value == number;
}
