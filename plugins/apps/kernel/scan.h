/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the value of a key from left to right: words, brackets and what is between commas. */
#ifndef KERNEL_SCAN_H
#define KERNEL_SCAN_H

#include "place.h"

/* Where the reading has come to. */
struct kernel_scan {
    const struct kernel_place *place;
    const char *text; /* the whole value */
    const char *at;
};

#define KERNEL_WORD 32

struct kernel_scan kernel_scan_begin(const struct kernel_place *place);

/* Reads a word of letters, digits and _; false where none is here, or a longer one. */
bool kernel_scan_word(struct kernel_scan *scan, char word[KERNEL_WORD]);

/* Reads what is between a bracket and the one that closes it, for the caller to free; NULL
 * where no bracket opens here. */
enum clopt_status kernel_scan_bracket(struct kernel_scan *scan, char open, char **inside,
                                      struct clopt_error *error);

/* Returns the rest of the text, without blanks before it. */
const char *kernel_scan_rest(struct kernel_scan *scan);

/* Fails with `"value", column N: reason` for the place where the reading has come to. */
enum clopt_status kernel_scan_fail(const struct kernel_scan *scan, struct clopt_error *error,
                                   const char *format, ...) CLOPT_PRINTF(3, 4);

/* Copies the next part of a list, up to a comma outside of brackets, and steps over it; NULL at
 * the end of the list or when memory runs out. */
char *kernel_next_part(const char **list);

#endif
