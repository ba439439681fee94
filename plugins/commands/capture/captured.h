/* SPDX-License-Identifier: BSD-3-Clause */
/* What came of captured launches: their studies, told apart, or why there is none. */
#pragma once

#include "commands/capture/launch.h"
#include "commands/capture/record.h"
#include "document/document.h"
#include "study/ini.h"

struct clopt_captured_study {
    char *kernels;
    char *path;                          /* NULL: there is no study, */
    char *reason;                        /* since */
    const struct clopt_captured *launch; /* NULL: of several, or none */
    struct clopt_ini ini;
    struct clopt_record_sizes times; /* of all launches of its kernel, program, sizes and
                                        bytes of buffers */
};

/* With a record, and else all zero, it is an empty list. */
struct clopt_captured_studies {
    const struct clopt_record *record; /* which has the times */
    struct clopt_captured_study *studies;
    size_t count;
};

/* Add a study of a launch, which the list refers to, or of several (NULL), and why there is none.
 */
void clopt_captured_add(struct clopt_captured_studies *list, const char *kernels, const char *path,
                        const struct clopt_captured *launch);
void clopt_captured_refuse(struct clopt_captured_studies *list, const char *kernels,
                           const char *reason);

/* Adds a table of the studies by time, which to tune first, and what was left out. */
void clopt_captured_report(struct clopt_captured_studies *list, struct clopt_document *document);

void clopt_captured_studies_fini(struct clopt_captured_studies *list);
