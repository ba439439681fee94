/* SPDX-License-Identifier: BSD-3-Clause */
/* What else a text is good for: lines that people and shells read, words, running text. */
#pragma once

#include <clopt/text.h>

void clopt_text_append_char(struct clopt_text *text, char character);
void clopt_text_vprintf(struct clopt_text *text, const char *format, va_list arguments);

/* Appends a string as people can read it: one line of good UTF-8. Line ends and tabs become spaces;
 * what is no character, or steers how others are shown, becomes U+FFFD. */
void clopt_text_append_printable(struct clopt_text *text, const char *string);

/* The same, but line ends stay. */
void clopt_text_append_printable_lines(struct clopt_text *text, const char *string);

#define CLOPT_CLEAR_LINE "\r\033[K"

/* Prints lines as people can read them: what comes from files, drivers and plugins is not to steer
 * a terminal. There a message of clopt's, "clopt: ...", takes the place of a line of progress. A
 * stream that is NULL gets nothing: programs that use the library need not want notes. */
void clopt_text_print(FILE *stream, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Appends a string so that a shell takes it for one word: for commands to paste. */
void clopt_text_append_word(struct clopt_text *text, const char *string);

/* Makes the text empty and keeps its memory. */
void clopt_text_clear(struct clopt_text *text);

/* Cuts blanks at both ends of a string, in place; returns where it begins now. */
char *clopt_text_trim(char *string);

/* Whether a text ends so, and has something before that. */
bool clopt_text_ends(const char *text, const char *ending);

/* ---- prints running text in lines that fit a terminal ---- */

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
