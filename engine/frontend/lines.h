/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the lines of a text come from, and what its names have to mean. */
#pragma once

#include "frontend/reference.h"
#include "text/arena.h"

/* A position in the text that a user wrote. */
struct clopt_position {
    const char *file; /* NULL: not known */
    unsigned line;
};

/* positions[0] is line 1. All zero: nothing is known of any line. */
struct clopt_lines {
    struct clopt_position *positions;
    size_t count;
    struct clopt_arena names; /* file names of positions */
    struct clopt_references
        references; /* of a text that was printed: what its names have to mean */
};

/* Notes where a line (0 is the first) comes from, unless that is known; copies the name. */
void clopt_lines_note(struct clopt_lines *lines, size_t line, struct clopt_position position);

/* Puts lines of which nothing is known in front. */
void clopt_lines_shift(struct clopt_lines *lines, size_t by);

/* Tells where a line (1 is the first) comes from: if that is not known, where the nearest line
 * before it does, or after it. Its file is NULL where no line is known. */
struct clopt_position clopt_lines_find(const struct clopt_lines *lines, size_t line);

struct clopt_lines *clopt_lines_copy(const struct clopt_lines *lines);
void clopt_lines_destroy(struct clopt_lines *lines);
void clopt_lines_fini(struct clopt_lines *lines);
