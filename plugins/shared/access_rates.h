/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast devices access global memory in each pattern (Fang, Varbanescu: CLVectorizer, 2011). */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* What is probed. */
enum clopt_access_kind {
    CLOPT_ACCESS_SINGLE,     /* each work-item one element, its neighbour the next one */
    CLOPT_ACCESS_ROW,        /* all work-items of a group along the same row */
    CLOPT_ACCESS_COLUMN,     /* each down a column, its neighbour down the next one */
    CLOPT_ACCESS_BLOCK,      /* each a block of 5 x 5, its neighbour one element further on */
    CLOPT_ACCESS_NEIGHBOURS, /* each the four elements around one */
    CLOPT_ACCESS_APART,      /* each along a row of its own, by vectors of that */
    CLOPT_ACCESS_STRIDED,    /* each one element, its neighbour some elements further on */
    CLOPT_ACCESS_SCATTERED,  /* each one element anywhere */
    CLOPT_ACCESS_ROW_WITHIN, /* as ROW and COLUMN, but vectors are of what one work-item reads */
    CLOPT_ACCESS_COLUMN_WITHIN,
    CLOPT_ACCESS_KINDS
};

/* Point p is a vector width of 2^p elements, or of CLOPT_ACCESS_STRIDED a distance of 2^p. */
#define CLOPT_ACCESS_POINTS 7

/* GB of the elements that scalar code would access in a second, by kind and point; NaN: unknown. */
struct clopt_access_rates {
    double gbytes_per_s[CLOPT_ACCESS_KINDS][CLOPT_ACCESS_POINTS];
};

/* Whether vectors of a kind are of what one work-item reads, and not of neighbours. */
bool clopt_access_is_within(enum clopt_access_kind kind);

/* How many points a kind has. */
unsigned clopt_access_points(enum clopt_access_kind kind);

/* "single", and "one element each, side by side". CLOPT_ACCESS_KINDS: there is none of a name. */
const char *clopt_access_kind_name(enum clopt_access_kind kind);
const char *clopt_access_kind_words(enum clopt_access_kind kind);
enum clopt_access_kind clopt_access_kind_find(const char *name);

bool clopt_access_any(const struct clopt_access_rates *rates);

/* Turn rates into JSON and back: lists by the names of the kinds; what is no number is unknown. */
json_t *clopt_access_to_json(const struct clopt_access_rates *rates);
struct clopt_access_rates clopt_access_from_json(const json_t *json);
