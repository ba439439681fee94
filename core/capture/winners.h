/* SPDX-License-Identifier: BSD-3-Clause */
/* The winners of a study, for the layer: a text that it reads when it is loaded. For each winner of
 * each device there is a line `winner`, and then lines of a word and what follows it:
 *
 *   kernel, device, variant   names
 *   source                    the hash of the application's source
 *   options, build            those of the application's program, and of the winner's
 *   code                      the path of the winner's source
 *   types                     a letter an argument: f and d are buffers of float and double
 *   size                      of each dimension: initial local size, local_size, divided_items,
 *                             merged_items, merged_groups, local_multiple, local_only
 *   needs                     whole_groups, distinct_buffers
 *   added, multiple           dimension and merged; argument and multiple: one a line
 *
 * What these mean says clopt-export(1). */
#ifndef CLOPT_CAPTURE_WINNERS_H
#define CLOPT_CAPTURE_WINNERS_H

#include <stddef.h>

#include <clopt/error.h>

/* Writes the winners that `clopt export` has written into a folder, as the file `winners` in it;
 * `count` gets how many there are: none where nothing is faster than the initial code. */
enum clopt_status clopt_winners_write(const char *folder, size_t *count, struct clopt_error *error);

#endif
