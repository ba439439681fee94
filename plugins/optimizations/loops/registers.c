/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces array elements in which loops accumulate by private variables. */
#include "loops.h"

enum clopt_status registers_apply(struct clopt_transform *transform, const char *loops,
                                  unsigned factor, struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    size_t count = 0;
    enum clopt_status status = clopt_rewriting_init(&rewriting, transform, loops, factor, error);
    if (!status)
        status = clopt_scalars_replace(rewriting.source, rewriting.factors, &count, error);
    if (!status && !count)
        status = clopt_source_refuse(rewriting.source, rewriting.source->kernel->body, error,
                                     "registers: no chosen loop accumulates in an array element "
                                     "that nothing else in it may access");
    rewriting.status = status;
    return clopt_rewriting_finish(&rewriting, transform);
}
