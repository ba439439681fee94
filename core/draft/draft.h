/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the first study of a user's own kernels. */
#ifndef CLOPT_DRAFT_DRAFT_H
#define CLOPT_DRAFT_DRAFT_H

#include "plugin/registry.h"
#include "schema/compiler_options.h"

struct clopt_draft_request {
    const struct clopt_registry *registry;
    const char *file;  /* the source */
    const char *named; /* the same, as the study names it */
    const struct clopt_compiler_options *options;
    const char *kernel;                   /* NULL: all of the file */
    const char *app;                      /* NULL: the one that can describe kernels */
    unsigned run;                         /* as in struct clopt_draft; initial codes alone */
    const struct clopt_overrun *overruns; /* that such runs have shown */
    size_t overrun_count;
    const char *check;  /* what became of them, for the head of the study */
    const char *origin; /* the head's first line; NULL: that of `clopt init` */
    const char
        *described; /* what the app is told of the kernel, instead of a guess; NULL: nothing */
    bool search;    /* the study searches, with all that optimizations offer for that */
};

/* Writes a study. CLOPT_INVALID for a file that is no program with a kernel. */
enum clopt_status clopt_draft_write(const struct clopt_draft_request *request,
                                    struct clopt_text *study, struct clopt_error *error);

#endif
