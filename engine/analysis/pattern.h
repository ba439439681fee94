/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the patterns in which work-items and work-groups access global memory (Fang, Varbanescu:
 * CLVectorizer, 2011, section 3). */
#pragma once

#include <clopt/source.h>

/* What one work-item accesses of an array. */
enum clopt_item_pattern {
    CLOPT_ITEM_UNKNOWN,    /* the subscript is not affine */
    CLOPT_ITEM_SINGLE,     /* one element */
    CLOPT_ITEM_ROW,        /* elements one after the other */
    CLOPT_ITEM_COLUMN,     /* elements at equal distances */
    CLOPT_ITEM_BLOCK,      /* several rows */
    CLOPT_ITEM_NEIGHBOURS, /* the elements around one */
};

/* What neighbouring work-items of a work-group access at the same time. */
enum clopt_group_pattern {
    CLOPT_GROUP_UNKNOWN,
    CLOPT_GROUP_FOCUSED,  /* the same element */
    CLOPT_GROUP_SEPARATE, /* elements of their own */
};

/* An access to global memory. */
struct clopt_pattern {
    const struct clopt_node *node;
    const char *array; /* the kernel's parameter; "?": not known which */
    unsigned access;   /* CLOPT_READ, CLOPT_WRITE or both */
    unsigned width;    /* elements at once: 4 of vload4 */
    enum clopt_item_pattern item;
    enum clopt_group_pattern group;
    char *item_distance;    /* of a column: "n", "16"; NULL: none, or several */
    char *group_distance;   /* between the elements of neighbours; NULL: unknown or none */
    int64_t group_elements; /* that distance, if it is a number; else 0 */
};

struct clopt_patterns {
    struct clopt_pattern *items; /* in the order of execution */
    size_t count;
};

/* Finds the pattern of each access, in terms of neighbours along `dimension`. min, max and clamp
 * are taken for their argument that differs: what happens at edges does not count. */
void clopt_patterns_find(const struct clopt_source *source, unsigned dimension,
                         struct clopt_patterns *patterns);
void clopt_patterns_fini(struct clopt_patterns *patterns);

/* "single", "row" and so on; "focused", "separate"; "read", "write", "update". */
const char *clopt_item_pattern_name(enum clopt_item_pattern pattern);
const char *clopt_group_pattern_name(enum clopt_group_pattern pattern);
const char *clopt_access_name(unsigned access);
