/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints running text in lines that fit a terminal. */
#ifndef CLOPT_TEXT_WRAP_H
#define CLOPT_TEXT_WRAP_H

#include <stdio.h>

#define CLOPT_LINE_WIDTH 80

/* Prints a text and ends its line: after the `column` columns that the line has already, and
 * broken at its spaces where it would be wider than CLOPT_LINE_WIDTH; the next lines are indented.
 * A word that is wider than a line, such as the name of a variant, is broken after its + and
 * commas. */
void clopt_wrap_print(FILE *stream, size_t column, unsigned indent, const char *text);

/* The same where a line has `width` columns. */
void clopt_wrap_print_within(FILE *stream, size_t width, size_t column, unsigned indent,
                             const char *text);

/* Counts the columns that a text takes on a terminal: characters of UTF-8, but no colours. */
size_t clopt_text_width(const char *text);

#endif
