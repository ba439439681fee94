/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a program that is printed, and where its lines come from. */
#pragma once

#include <clopt/source.h>

#include "frontend/lines.h"
#include "text/text.h"

/* All zero is an empty one. */
struct clopt_output {
    struct clopt_text text;
    struct clopt_lines lines;
    size_t counted; /* offset up to which lines are counted */
    size_t line;    /* complete lines up to there */
};

void clopt_output_fini(struct clopt_output *output);

/* Says that the line at which the output has arrived comes from a position in a source, unless that
 * is known; to be called before its text is put. Copies do so by themselves. */
void clopt_output_mark(struct clopt_output *output, const struct clopt_source *source,
                       size_t offset);

/* Puts a text that is no source's, and what its names mean. */
void clopt_output_paste(struct clopt_output *output, const char *text,
                        const struct clopt_references *references);

/* Notes what the name that is put next means. */
void clopt_output_note(struct clopt_output *output, size_t declared);

/* Put the name of a variable or a function of a source. */
void clopt_output_variable(struct clopt_output *output, const struct clopt_source *source,
                           const struct clopt_variable *variable);
void clopt_output_function(struct clopt_output *output, const struct clopt_source *source,
                           const struct clopt_function *function);

/* Puts a part of a source's text. */
void clopt_output_copy(struct clopt_output *output, const struct clopt_source *source, size_t begin,
                       size_t end);

/* Goes to a new line where more than blanks are in this one: preprocessing directives have lines
 * of their own. */
void clopt_output_begin_line(struct clopt_output *output);

/* Indents the lines from offset `begin` on by their braces, four blanks each, and drops blanks at
 * line ends. */
void clopt_output_indent(struct clopt_output *output, size_t begin);
