/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of a winner. The file is a text: the line CLOPT_WISDOM_HEAD or that of an older
 * version, and for each winner a line `winner` and then lines of a word and what follows it:
 *
 *   kernel, device, variant   names
 *   family                    of the device (library/family.h); no such line: it has no siblings
 *   source                    the hash of the application's source, and of what that includes
 *   options, build            those of the application's program, and of the winner's
 *   types                     a letter an argument: h, f and d are buffers of half, float, double
 *   size                      of each dimension: global and local size of the initial code, and the
 *                             change: local_size, divided_items, merged_items, merged_groups,
 *                             local_multiple, local_only
 *   range                     of each dimension: the least and the largest global size that it is
 *                             for; 0: any. Without these lines, the nearest winner is taken (2)
 *   loss                      what it was slower than the best of a size that its choice did not
 *                             know, in thousandths: mean, most; of how many sizes, and of how many
 *                             this should be known (2); its bound with 95%, 0: not known
 *   local                     the bytes of local memory that it declares; no such line: not known
 *   needs                     whole_groups, distinct_buffers
 *   zeroed                    the bytes of a buffer for each work-group, and 1 (clopt/ndrange.h)
 *   added, multiple, covers   dimension and merged; argument and multiple; argument and 1 + a
 *                             dimension, whose global size it must not be less than: one a line;
 *                             argument 101 + a dimension is the global size in that
 *   equals                    argument and its value: one a line
 *   access                    a letter an argument: r is a buffer that the kernel only reads (3)
 *   layout                    argument, bytes of an element, rows that are interleaved, and the
 *                             form that is the length of a row; one a line (3)
 *   need                      of the last layout: a multiple, or 0, and a form (clopt/ndrange.h)
 * (3) rows                      the number of a layout, and 1: the number of its rows is added (3)
 *   code                      how many bytes, and on the next lines these; 0: the kernel itself is
 *                             the fastest
 *
 * A form is whether it wraps, and for each term its factor and CLOPT_TERM_SYMBOLS symbols.
 * Of several with one range, or of one problem, the first is the fastest, and others are for
 * launches that do not fit it. What these mean says clopt-export(1). */
#pragma once

#include <clopt/wisdom.h>

#include "file/sha256.h"
#include "trial/transform.h"

#define CLOPT_WISDOM_WORDS "clopt wisdom "
#define CLOPT_WISDOM_HEAD  CLOPT_WISDOM_WORDS "3\n"

/* Whether a file begins as one of winners does. */
bool clopt_wisdom_is(const char *path);

CLOPT_HOLDER(clopt_wisdom, clopt_wisdom_close);

/* Its texts are in that of the wisdom; NULL: not said. */
struct clopt_winner {
    const char *kernel, *device, *variant, *source, *options, *build, *types, *code, *family,
        *access;
    struct clopt_ndrange initial; /* of the launch that was measured */
    struct clopt_ndrange_change change;
    size_t local_bytes; /* of local memory that it declares; 0: none, or not known */
    size_t low[3], high[3], loss[5];
    unsigned range_count;          /* of dimensions whose sizes are bounded so; 0: none is */
    const char *failure;           /* why the layer launches it no more; NULL: it does */
    const struct clopt_winner *of; /* that of a sibling, which this one is like (layer/sibling.c) */
    bool tried;                    /* against the kernel itself, in this process */
};

/* What was read of a file. */
struct clopt_wisdom {
    char *text;
    struct clopt_winner *winners;
    size_t count;
    bool permutes; /* who has it gives buffers other layouts: the layer does */
};

/* Whether the kernel only reads the buffer that an argument is. */
bool clopt_winner_reads(const struct clopt_winner *winner, size_t argument);

/* Maps a launch as clopt_winner_map() does, of a winner that has other layouts, too, which
 * `shapes` get: argument I is a buffer of bytes[I] bytes. */
const char *clopt_winner_map_layouts(const struct clopt_winner *winner, unsigned dimensions,
                                     const size_t *global, const size_t *local,
                                     const int64_t *integers, const uint64_t *bytes,
                                     struct clopt_winner_launch *launch,
                                     struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS]);

/* Takes its text, of so many bytes and with a known head, apart; false: it is not what it has to
 * be. Each line is ended by a NUL then. */
bool clopt_wisdom_parse(struct clopt_wisdom *wisdom, size_t length);

/* Finds the winner as clopt_wisdom_find() does; `hash` is of the source. */
struct clopt_winner *clopt_wisdom_find_hash(const struct clopt_wisdom *wisdom,
                                            const struct clopt_wanted *wanted, const char *hash);

/* Whether there are winners of a kernel, for launches of whatever size. */
bool clopt_wisdom_has(const struct clopt_wisdom *wisdom, const struct clopt_wanted *wanted,
                      const char *hash);

/* Returns what is known of the arguments of a kernel, by a winner for whatever device: `access`, as
 * above; NULL: nothing. */
const char *clopt_wisdom_access(const struct clopt_wisdom *wisdom,
                                const struct clopt_wanted *wanted, const char *hash);

/* Says why there is no winner of a kernel. */
void clopt_wisdom_explain(const struct clopt_wisdom *wisdom, const struct clopt_wanted *wanted,
                          const char *hash, char *reason, size_t size);

/* Hashes a source with the contents of all files that it includes, from the folders of its build
 * options or the working directory. False: one of them cannot be read. */
bool clopt_wisdom_hash(const char *source, const char *options, char hash[CLOPT_HASH_SIZE]);
