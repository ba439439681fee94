/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a text that is put. */
#ifndef CLOPT_KERNEL_OUTPUT_H
#define CLOPT_KERNEL_OUTPUT_H

#include <clopt/source.h>

/* Says that the line at which the output has arrived comes from a place in a source, unless that is
 * known; to be called before its text is put. Copies and clopt_print() do so by themselves. */
void clopt_output_mark(struct clopt_output *output, const struct clopt_source *source,
                       size_t offset);

/* Goes to a new line where more than blanks stand in this one: preprocessing directives have lines
 * of their own. */
void clopt_output_begin_line(struct clopt_output *output);

#endif
