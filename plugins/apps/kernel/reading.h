/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a study says: sections, keys, and values from left to right. What goes wrong first is
 * kept in the error that all share; from then on nothing is read, and values are empty. */
#pragma once

#include <clopt/app.h>
#include <clopt/text.h>

/* A key of a section; without a key, the section itself. The texts are the description's. */
struct kernel_position {
    const char *origin; /* study.ini:12 */
    const char *section;
    const char *key;
    const char *value;
};

struct kernel_position kernel_position_of(const struct clopt_section *section,
                                          const struct clopt_setting *setting);

/* Fails with CLOPT_INVALID and `study.ini:12: [section] key: reason`, unless something has failed
 * before. Returns what the error says then. */
enum clopt_status kernel_fail(const struct kernel_position *position, struct clopt_error *error,
                              const char *format, ...) CLOPT_PRINTF(3, 4);

/* The same, where a function of clopt's has filled in its `reason`. */
enum clopt_status kernel_fail_for(const struct kernel_position *position, struct clopt_error *error,
                                  const struct clopt_error *reason);

/* Finds the section or setting of a name; NULL where there is none. */
const struct clopt_section *kernel_section(const struct clopt_description *description,
                                           const char *name);
const struct clopt_setting *kernel_setting(const struct clopt_section *section, const char *key);

/* Tells whether a section is [parameter NAME]; returns the name, or NULL. */
const char *kernel_parameter_section(const struct clopt_section *section);

/* ---- values ---- */

#define KERNEL_WORD 32

/* A value, and how far it has been read: words, arguments in parentheses, lengths in brackets. */
struct kernel_scan {
    struct kernel_position position;
    const char *at;
    struct clopt_error *error;
};

struct kernel_scan kernel_scan_begin(const struct kernel_position *position,
                                     struct clopt_error *error);

/* Fails with `"value", column N: reason` for where the reading has come to. */
void kernel_scan_fail(const struct kernel_scan *scan, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Returns the next character that is no blank; 0 at the end, or once something has failed. */
char kernel_scan_next(struct kernel_scan *scan);

/* Reads a word of letters, digits and _; "" where none is here, or a longer one. */
void kernel_scan_word(struct kernel_scan *scan, char word[KERNEL_WORD]);

/* Reads one of the words that begin the rows of a table, `bytes` each, up to a NULL. Returns its
 * number; where it is another one, that of the NULL, with nothing read. */
unsigned kernel_scan_choice(struct kernel_scan *scan, const void *table, size_t bytes);

/* Reads what is between a bracket and the one that closes it, for the caller to free; NULL
 * where no bracket opens here. */
char *kernel_scan_bracket(struct kernel_scan *scan, char open);

/* Refuses what follows. */
void kernel_scan_end(struct kernel_scan *scan);

/* Copies the next part of a list, up to a comma outside of brackets, and steps over it; NULL at
 * the end of the list. */
char *kernel_next_part(const char **list);
